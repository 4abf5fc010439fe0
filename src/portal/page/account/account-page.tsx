import { useSession } from "../common/session.ts";
import { useHeading } from "../common/use-heading.ts";
import { useTexts } from "../texts/use-texts.ts";
import { AccountSettings } from "./account-settings.tsx";
import { OwnSessions } from "./own-sessions.tsx";
import { OwnVehicles } from "./own-vehicles.tsx";
import { PasswordForm } from "./password-form.tsx";
import { AccountReading, OwnReading } from "./reading-form.tsx";
import { WhoCard } from "./who-card.tsx";

export default function AccountPage() {
  const { account: words } = useTexts();
  const heading = useHeading(words.title);
  const { user, account } = useSession();
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {words.title}
          </h1>
          <p className="quiet">{account.name}</p>
        </div>
      </header>
      <div className="columns columns-account">
        <div className="stack">
          {user.role === "owner" ? <AccountSettings /> : <OwnVehicles />}
          {user.role === "owner" && <AccountReading />}
          <OwnSessions />
        </div>
        <div className="stack">
          <WhoCard />
          <OwnReading />
          <PasswordForm />
        </div>
      </div>
    </div>
  );
}
