import { loadDevices } from "../../both-sides/vehicles/devices.ts";
import { getJson, send } from "../api/request.ts";
import { Button } from "../common/elements/button.tsx";
import { Field } from "../common/fields/field.tsx";
import { NewPasswordFields, useNewPassword } from "../common/fields/new-password-fields.tsx";
import { EmptyState, ErrorNotice, LoadState, Notice } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { PageHead } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { useReplaceSession, useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";
import { AccountSettings } from "./account-settings.tsx";
import { OwnSessions } from "./own-sessions.tsx";
import { AccountReading, OwnReading } from "./reading-form.tsx";

export default function AccountPage() {
  const { shell } = useTexts();
  const { user, account } = useSession();
  return (
    <div className="page">
      <PageHead title={shell.account} text={account.name} />
      <div className="columns columns-account grid gap-5">
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

function WhoCard() {
  const { user, account } = useSession();
  const { account: words, common, show } = useTexts();
  const { per_second, per_day, account_per_day } = account.limits;
  const together = account_per_day === null ? "" : `; ${words.together(show.number(account_per_day))}`;
  const facts: [term: string, text: string][] = [
    [common.name, user.name],
    [common.email, user.email],
    [words.role, user.role === "owner" ? words.owner : words.subAccount],
    [words.keyLimits, words.limits(show.number(per_second), show.number(per_day)) + together],
    [words.timeZone, account.time_zone],
  ];
  return (
    <section className="card" aria-labelledby="who">
      <h2 id="who">{words.you}</h2>
      <dl className="facts grid">
        {facts.map(([term, text]) => (
          <div className="grid gap-3 listed" key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const loadOwn = (signal: AbortSignal) => loadDevices(getJson, signal);

/** For a sub-account: the vehicles that are assigned to it. */
function OwnVehicles() {
  const { account: words, common, map, show } = useTexts();
  const loading = useLoad(loadOwn);
  const { loaded } = loading;
  const devices = [...(loaded.data?.values() ?? [])].sort((left, right) => show.compare(left.name, right.name));
  return (
    <section className="card" aria-labelledby="own-vehicles">
      <h2 id="own-vehicles">{words.yourVehicles}</h2>
      <p className="quiet">
        {loaded.data === null
          ? common.looking
          : words.youSee(common.vehicles(devices.length, show.number(devices.length)))}{" "}
        {words.ownerDecides}
      </p>
      <LoadState {...loading} />
      {loaded.state === "ready" && devices.length === 0 && (
        <EmptyState icon="map" title={map.noVehicles}>
          {map.askOwner}
        </EmptyState>
      )}
      <ul className="own-vehicles">
        {devices.map(({ device_id, name, plate, imei }) => (
          <li key={device_id} className="flex apart gap-4 listed">
            <Link to={`/map?vehicle=${device_id}`} className="break fit">
              {name}
            </Link>
            <span className="quiet">{plate ?? imei}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function PasswordForm() {
  const { account: words } = useTexts();
  const session = useSession();
  const { user } = session;
  const replaceSession = useReplaceSession();
  const change = useNewPassword("new_password", async ({ current_password, new_password = "" }, form) => {
    await send("POST /password", { new_password, ...(current_password !== undefined && { current_password }) });
    form.reset();
    if (!user.has_password) replaceSession({ ...session, user: { ...user, has_password: true } });
  });
  const { isBusy, problems, otherError } = change;
  return (
    <section className="card" aria-labelledby="password">
      <h2 id="password">{user.has_password ? words.changePassword : words.choosePassword}</h2>
      <form onSubmit={change.onSubmit}>
        {otherError !== null && <ErrorNotice error={otherError} />}
        {change.isDone && (
          <div role="status">
            <Notice kind="success">{words.passwordChanged}</Notice>
          </div>
        )}
        <input type="hidden" name="username" autoComplete="username" value={user.email} />
        {user.has_password && (
          <Field
            label={words.currentPassword}
            name="current_password"
            type="password"
            autoComplete="current-password"
            required
            problem={problems.current_password}
          />
        )}
        <NewPasswordFields name="new_password" problem={problems.new_password} isDifferent={change.isDifferent} />
        <Button type="submit" look="own-width" text={isBusy ? words.changing : words.change} isBusy={isBusy} />
      </form>
    </section>
  );
}
