import type { ReactNode } from "react";
import { Icon, type IconName } from "../common/icon.tsx";
import { Logo } from "../common/logo.tsx";
import { Link, useRoute } from "../common/route.tsx";
import { UserMenu } from "./user-menu.tsx";

const views: readonly { readonly to: string; readonly text: string; readonly icon: IconName }[] = [
  { to: "/map", text: "Map", icon: "map" },
  { to: "/alerts", text: "Alerts", icon: "bell" },
  { to: "/keys", text: "Keys", icon: "key" },
  { to: "/usage", text: "Usage", icon: "usage" },
  { to: "/account", text: "Account", icon: "account" },
];

/** What is around every view: the link past it, the navigation, and the user's menu. */
export function Shell({ children, onSignedOut }: { readonly children: ReactNode; readonly onSignedOut: () => void }) {
  const { path } = useRoute();
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <header className="top">
        <Link to="/map" className="brand">
          <Logo />
          <span>Odograph</span>
        </Link>
        <nav className="nav" aria-label="Views">
          {views.map(({ to, text, icon }) => (
            <Link key={to} to={to} className="nav-link" current={path === to || path.startsWith(`${to}/`)}>
              <Icon name={icon} />
              <span>{text}</span>
            </Link>
          ))}
        </nav>
        <UserMenu onSignedOut={onSignedOut} />
      </header>
      <main id="content" className="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
