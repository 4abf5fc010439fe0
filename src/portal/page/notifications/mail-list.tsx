import type { NotificationMailRecord } from "../../records/notification-record.ts";
import { Time } from "../common/reading/time.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface MailListProps {
  readonly mails: readonly NotificationMailRecord[];
  readonly isNamed: boolean;
}

/** What was sent, what waits and what failed. */
export function MailList({ mails, isNamed }: MailListProps) {
  const { notifications: words, show } = useAdministrationTexts();
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
                {isNamed && <th scope="col">{words.to}</th>}
                <th scope="col">{words.alerts}</th>
                <th scope="col">{words.state}</th>
              </tr>
            </thead>
            <tbody>
              {mails.map((mail) => (
                <tr key={mail.mail_id}>
                  <th scope="row">
                    <Time at={mail.created_at} />
                  </th>
                  {isNamed && <td data-label={words.to}>{mail.user_name}</td>}
                  <td data-label={words.alerts}>{show.number(mail.alerts)}</td>
                  <td data-label={words.state}>
                    <MailState mail={mail} />
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

function MailState({ mail: { state, problem } }: { readonly mail: NotificationMailRecord }) {
  const { notifications: words, people } = useAdministrationTexts();
  const look = { sent: "badge", waiting: "badge badge-expired", failed: "badge badge-revoked" }[state];
  return (
    <span>
      <span className={look}>{words.states[state]}</span>{" "}
      {problem !== null && <span className="quiet">{people.mailProblems[problem]}</span>}
    </span>
  );
}
