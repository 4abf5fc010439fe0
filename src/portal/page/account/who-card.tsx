import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";

export function WhoCard() {
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
