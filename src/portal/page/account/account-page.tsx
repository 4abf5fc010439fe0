import { useSession } from "../common/session.ts";
import { useHeading } from "../common/use-heading.ts";
import { OwnVehicles } from "./own-vehicles.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SubAccounts } from "./sub-accounts.tsx";
import { WhoCard } from "./who-card.tsx";

export function AccountPage() {
  const heading = useHeading("Account");
  const { user, account } = useSession();
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            Account
          </h1>
          <p className="quiet">{account.name}</p>
        </div>
      </header>
      <div className="columns columns-account">
        <div className="stack">{user.role === "owner" ? <SubAccounts /> : <OwnVehicles />}</div>
        <div className="stack">
          <WhoCard />
          <PasswordForm />
        </div>
      </div>
    </div>
  );
}
