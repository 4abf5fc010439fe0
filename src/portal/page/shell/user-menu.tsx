import { type ReactNode, useEffect, useRef } from "react";
import { send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { Icon } from "../common/elements/icon.tsx";
import { Segmented } from "../common/fields/choices.tsx";
import { ErrorNotice } from "../common/loading/notice.tsx";
import { Link, useRoute } from "../common/navigation/route.tsx";
import { chooseClock, useClock } from "../common/reading/clock.ts";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";

interface UserMenuProps {
  readonly onSignedOut: () => void;
  /** The views that find no room beside the others on a phone. */
  readonly children: ReactNode;
}

export function UserMenu({ onSignedOut, children }: UserMenuProps) {
  const { user, account } = useSession();
  const clock = useClock();
  const { shell: words } = useTexts();
  const { submit, error, isBusy } = useSubmit();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const closeOutside = ({ target }: PointerEvent) => {
      if (menu.current && target instanceof Node && !menu.current.contains(target)) menu.current.open = false;
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, []);
  const { path } = useRoute();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view closes it
  useEffect(() => {
    if (menu.current) menu.current.open = false;
  }, [path]);
  const signOut = async () => {
    await send("DELETE /session");
    onSignedOut();
  };
  return (
    <details
      ref={menu}
      className="fit anchor"
      onBlur={({ currentTarget, relatedTarget }) => {
        // A click on plain text inside moves the focus nowhere; the menu must stay open.
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !event.currentTarget.open) return;
        event.currentTarget.open = false;
        event.currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary className="menu-button row gap-2">
        <span className="avatar" aria-hidden="true">
          {user.name.charAt(0).toUpperCase()}
        </span>
        <span className="menu-name fit one-line clip">{user.name}</span>
        <span className="visually-hidden">{words.menu}</span>
      </summary>
      <div className="menu-panel grid gap-4 panel">
        <p className="grid break">
          <strong>{user.name}</strong>
          <span className="hint">{user.email}</span>
          <span className="hint">
            {account.name} · {user.role === "owner" ? words.owner : words.subAccount}
          </span>
        </p>
        <nav className="grid" aria-label={words.settings}>
          {children}
        </nav>
        {account.time_zone !== "UTC" && (
          <Segmented
            name="clock"
            label={words.showTimesIn}
            isLabelShown
            options={["account", "utc"]}
            words={{ account: account.time_zone.replace(/^.*\//, "").replaceAll("_", " "), utc: "UTC" }}
            value={clock}
            onChange={chooseClock}
          />
        )}
        <Link to="/notifications" className="button">
          <Icon name="mail" />
          {words.notifications}
        </Link>
        <a className="button" href="/docs">
          <Icon name="book" />
          {words.reference}
        </a>
        <a className="button" href="/docs/guide">
          <Icon name="book" />
          {words.guide}
        </a>
        {/* After a failure the session is still valid, and the next person at this screen would have it. */}
        {error !== null && <ErrorNotice error={error} />}
        <Button icon="out" text={words.signOut} onClick={() => submit(signOut)} isBusy={isBusy} />
      </div>
    </details>
  );
}
