import { PageHead } from "../common/page-head.tsx";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";
import { AccountSettings } from "./account-settings.tsx";
import { OwnSessions } from "./own-sessions.tsx";
import { OwnVehicles } from "./own-vehicles.tsx";
import { PasswordForm } from "./password-form.tsx";
import { AccountReading, OwnReading } from "./reading-form.tsx";
import { WhoCard } from "./who-card.tsx";

export default function AccountPage() {
  const { account: words } = useTexts();
  const { user, account } = useSession();
  return (
    <div className="page">
      <PageHead title={words.title} text={account.name} />
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
