import { formatNumber } from "../common/format.ts";
import { useSession } from "../common/session.ts";

export function WhoCard() {
  const { user, account } = useSession();
  const { per_second, per_day, account_per_day } = account.limits;
  const together = account_per_day === null ? "" : `; ${formatNumber(account_per_day)} a day for all keys together`;
  const facts: [term: string, text: string][] = [
    ["Name", user.name],
    ["E-mail", user.email],
    ["Role", user.role === "owner" ? "Owner: sees every vehicle" : "Sub-account: sees assigned vehicles"],
    ["Limits of a key", `${formatNumber(per_second)} a second, ${formatNumber(per_day)} a day${together}`],
    ["Time zone", account.time_zone],
  ];
  return (
    <section className="card" aria-labelledby="who">
      <h2 id="who">You</h2>
      <dl className="facts">
        {facts.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
