import type { ReactNode } from "react";
import { Icon } from "../common/icon.tsx";
import { Logo } from "../common/logo.tsx";
import { Link, useRoute } from "../common/route.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { UserMenu } from "./user-menu.tsx";

const views = [
  { to: "/yesterday", name: "yesterday", icon: "day" },
  { to: "/map", name: "map", icon: "map" },
  { to: "/alerts", name: "alerts", icon: "bell" },
  { to: "/reports", name: "reports", icon: "report" },
  { to: "/keys", name: "keys", icon: "key" },
  { to: "/usage", name: "usage", icon: "usage" },
  { to: "/account", name: "account", icon: "account" },
] as const;

/** What is around every view: the link past it, the navigation, and the user's menu. */
export function Shell({ children, onSignedOut }: { readonly children: ReactNode; readonly onSignedOut: () => void }) {
  const { path } = useRoute();
  const { shell: words } = useTexts();
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {words.skip}
      </a>
      <header className="top">
        <Link to="/yesterday" className="brand">
          <Logo />
          <span>Odograph</span>
        </Link>
        <nav className="nav" aria-label={words.views}>
          {views.map(({ to, name, icon }) => (
            <Link key={to} to={to} className="nav-link" current={path === to || path.startsWith(`${to}/`)}>
              <Icon name={icon} />
              <span>{words[name]}</span>
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
