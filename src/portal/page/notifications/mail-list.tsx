import type { ReactNode } from "react";
import type { ReportMailRecord } from "../../both-sides/contract/planned-reports.ts";
import { Time } from "../common/reading/time.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

/** Of alerts or of a report. */
type ListedMail = Pick<ReportMailRecord, "mail_id" | "created_at" | "user_name" | "state" | "problem">;

interface MailListProps<Mail> {
  readonly mails: readonly Mail[];
  readonly isNamed: boolean;
  /** What such a mail is about. */
  readonly columns: readonly (readonly [title: string, cell: (mail: Mail) => ReactNode])[];
}

/** What was sent, what waits and what failed. */
export function MailList<Mail extends ListedMail>({ mails, isNamed, columns }: MailListProps<Mail>) {
  const { notifications: words } = useAdministrationTexts();
  const shown: typeof columns = isNamed ? [...columns, [words.to, ({ user_name }) => user_name]] : columns;
  return (
    <section className="card" aria-labelledby="mails">
      <h2 id="mails">{words.mails}</h2>
      {mails.length === 0 && <p className="quiet">{words.noMails}</p>}
      {mails.length > 0 && (
        <div className="table-frame panel">
          <table className="table table-cards">
            <caption className="visually-hidden">{words.mails}</caption>
            <thead>
              <tr>
                <th scope="col">{words.written}</th>
                {shown.map(([title]) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
                <th scope="col">{words.state}</th>
              </tr>
            </thead>
            <tbody>
              {mails.map((mail) => (
                <tr key={mail.mail_id}>
                  <th scope="row">
                    <Time at={mail.created_at} />
                  </th>
                  {shown.map(([title, cell]) => (
                    <td key={title} data-label={title}>
                      {cell(mail)}
                    </td>
                  ))}
                  <td data-label={words.state}>
                    <MailStateNote mail={mail} />
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

const looks = {
  sent: "badge",
  waiting: "badge badge-expired",
  failed: "badge badge-revoked",
  empty: "badge badge-expired",
};

export function MailStateNote({ mail: { state, problem } }: { readonly mail: ListedMail }) {
  const { notifications: words, plannedReports, people } = useAdministrationTexts();
  return (
    <span>
      <span className={looks[state]}>{words.states[state]}</span>{" "}
      {problem !== null && (
        <span className="quiet">{plannedReports.problems[problem] ?? people.mailProblems[problem]}</span>
      )}
    </span>
  );
}
