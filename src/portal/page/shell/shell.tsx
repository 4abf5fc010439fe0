import { type ReactNode, useEffect, useRef, useState } from "react";
import type { ConfirmationMail } from "../../both-sides/contract/session.ts";
import { OpenAlertCount } from "../alerts/open-alert-count.tsx";
import { send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { Icon, Logo } from "../common/elements/icon.tsx";
import { ErrorNotice } from "../common/loading/notice.tsx";
import { Link, useRoute } from "../common/navigation/route.tsx";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";
import { DemoBar } from "./demo-bar.tsx";
import { DemoHistoryNote } from "./demo-history-note.tsx";
import { UserMenu } from "./user-menu.tsx";

/** What a person opens every day. On a phone these are at the bottom, with the fleet and the keys; the others in the menu. */
const mainNav = [
  { to: "/yesterday", name: "yesterday", icon: "day" },
  { to: "/map", name: "map", icon: "map" },
  { to: "/alerts", name: "alerts", icon: "bell" },
  { to: "/reports", name: "reports", icon: "report" },
] as const;

/** Only the owner runs the fleet. */
const fleetNav = { to: "/fleet", name: "fleet", icon: "fleet" } as const;

const settings = [
  { to: "/keys", name: "keys", icon: "key" },
  { to: "/usage", name: "usage", icon: "usage" },
  { to: "/account", name: "account", icon: "account" },
] as const;

/** Only in the menu, on any screen: links are mostly made from a vehicle's card, and the line above is full. */
const shareNav = { to: "/shares", name: "shares", icon: "share" } as const;

/** Of a made-up fleet: nothing of it is sent. */
const mailsNav = { to: "/mails", name: "mails", icon: "mail" } as const;

/** What is around every view: the link past it, the navigation, and the user's menu. */
export function Shell({ children, onSignedOut }: { readonly children: ReactNode; readonly onSignedOut: () => void }) {
  const { path, query } = useRoute();
  // Keep the tag filter.
  const tags = new URLSearchParams(query.getAll("tag").map((tag) => ["tag", tag])).toString();
  const { shell: words } = useTexts();
  const { user, demo } = useSession();
  const moreNav = user.role === "owner" ? [fleetNav, ...settings] : settings;
  const link = (
    {
      to,
      name,
      icon,
    }: (typeof mainNav | typeof settings)[number] | typeof fleetNav | typeof shareNav | typeof mailsNav,
    className: string,
    filter = "",
  ) => (
    <Link
      key={to}
      to={filter === "" ? to : `${to}?${filter}`}
      className={className}
      current={path === to || path.startsWith(`${to}/`)}
    >
      <Icon name={icon} />
      <span>{words[name]}</span>
      {name === "alerts" && <OpenAlertCount />}
    </Link>
  );
  return (
    <div className="shell column">
      <a className="skip-link" href="#content">
        {words.skip}
      </a>
      <header className="top row gap-5">
        <Link to={tags === "" ? "/yesterday" : `/yesterday?${tags}`} className="brand middle gap-2">
          <Logo />
          <span>Odograph</span>
        </Link>
        <nav className="nav flex gap-1" aria-label={words.views}>
          {mainNav.map((view) => link(view, "nav-link", tags))}
          {moreNav.map((view) => link(view, `nav-link nav-wide nav-${view.name}`))}
        </nav>
        <UserMenu onSignedOut={onSignedOut}>
          {moreNav.map((view) => link(view, "menu-link menu-narrow"))}
          {link(shareNav, "menu-link")}
          {demo !== null && user.role === "owner" && link(mailsNav, "menu-link")}
        </UserMenu>
      </header>
      <DemoBar />
      <ConfirmEmail />
      <main id="content" className="content fit" tabIndex={-1}>
        {children}
      </main>
      <DemoHistoryNote />
    </div>
  );
}

/** For a person who has not confirmed their address: why nothing is mailed, and how to get the link. */
function ConfirmEmail() {
  const { user } = useSession();
  const { confirmation: words } = useTexts();
  const [outcome, setOutcome] = useState<ConfirmationMail | null>(null);
  const { submit, error, isBusy } = useSubmit();
  const said = useRef<HTMLDivElement>(null);
  const ask = () => submit(async () => setOutcome((await send("POST /email/confirmation")).data));
  // The button is gone then; the keyboard goes on from here.
  useEffect(() => {
    if (outcome?.is_mailed) said.current?.focus();
  }, [outcome]);
  if (!user.needs_confirmation) return null;
  const problem = outcome?.mail_problem === "too_many" ? words.tooMany : words.failed;
  const answer = outcome?.is_mailed ? words.sent(user.email) : problem;
  return (
    <aside className="confirm-email row gap-3 fit">
      <Icon name="mail" />
      <div ref={said} role="status" tabIndex={-1} className="break fit">
        <p>{outcome === null ? words.needed(user.email) : answer}</p>
        {error !== null && <ErrorNotice error={error} />}
      </div>
      {!outcome?.is_mailed && (
        <Button look="small" text={isBusy ? words.sending : words.send} isBusy={isBusy} onClick={ask} />
      )}
    </aside>
  );
}
