import type { ReportMailRecord } from "../../records/planned-report-record.ts";
import { Time } from "../common/reading/time.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface ReportMailsProps {
  readonly mails: readonly ReportMailRecord[];
  readonly isNamed: boolean;
}

/** What was sent, what waits and what failed. */
export function ReportMails({ mails, isNamed }: ReportMailsProps) {
  const { plannedReports: words, show } = useAdministrationTexts();
  return (
    <section className="card" aria-labelledby="mails">
      <h2 id="mails">{words.mails}</h2>
      {mails.length === 0 && <p className="quiet">{words.noMails}</p>}
      {mails.length > 0 && (
        <div className="table-frame">
          <table className="table table-cards">
            <caption className="visually-hidden">{words.mails}</caption>
            <thead>
              <tr>
                <th scope="col">{words.written}</th>
                <th scope="col">{words.report}</th>
                <th scope="col">{words.period}</th>
                {isNamed && <th scope="col">{words.to}</th>}
                <th scope="col">{words.state}</th>
              </tr>
            </thead>
            <tbody>
              {mails.map((mail) => (
                <tr key={mail.mail_id}>
                  <th scope="row">
                    <Time at={mail.created_at} />
                  </th>
                  <td data-label={words.report}>{mail.report_name}</td>
                  <td data-label={words.period}>
                    {[...new Set([mail.from, mail.to])].map((day) => show.day(day)).join(" – ")}
                  </td>
                  {isNamed && <td data-label={words.to}>{mail.user_name}</td>}
                  <td data-label={words.state}>
                    <ReportMailState mail={mail} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

export function ReportMailState({ mail: { state, problem } }: { readonly mail: ReportMailRecord }) {
  const { plannedReports: words, people } = useAdministrationTexts();
  const looks = {
    sent: "badge",
    waiting: "badge badge-expired",
    failed: "badge badge-revoked",
    empty: "badge badge-expired",
  };
  return (
    <span>
      <span className={looks[state]}>{words.states[state]}</span>{" "}
      {problem !== null && <span className="quiet">{words.problems[problem] ?? people.mailProblems[problem]}</span>}
    </span>
  );
}
