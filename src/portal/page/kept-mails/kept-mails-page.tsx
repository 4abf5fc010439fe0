import { getJson } from "../api/request.ts";
import { EmptyState, LoadState } from "../common/loading/notice.tsx";
import { useRepeatedLoad } from "../common/loading/use-repeated-load.ts";
import { PageHead } from "../common/navigation/page-head.tsx";
import { Time } from "../common/reading/time.tsx";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

export default function KeptMailsPage() {
  return (
    <WithAdministrationTexts>
      <KeptMails />
    </WithAdministrationTexts>
  );
}

/** The first come while somebody looks. */
const lookEveryMs = 5_000;

const loadMails = (signal: AbortSignal) => getJson("GET /kept-mails", signal);

/** What the people of a made-up fleet would have been mailed. */
function KeptMails() {
  const { keptMails: words } = useAdministrationTexts();
  const loading = useRepeatedLoad(loadMails, lookEveryMs);
  const mails = loading.loaded.data?.data ?? [];
  return (
    <div className="page column gap-4">
      <PageHead title={words.title} text={words.what} />
      <LoadState {...loading} />
      {loading.loaded.data !== null && mails.length === 0 && (
        <EmptyState icon="mail" title={words.none}>
          <p>{words.noneWhat}</p>
        </EmptyState>
      )}
      <ul className="column gap-3">
        {mails.map(({ mail_id, name, email, subject, text, attachments, kept_at }) => (
          <li key={mail_id} className="card column gap-2 kept-mail">
            <details>
              <summary>
                <strong className="break">{subject}</strong>
                <span className="hint block break">
                  {words.to} {name === "" ? email : `${name} <${email}>`} · <Time at={kept_at} />
                </span>
              </summary>
              <pre className="kept-text break">{text}</pre>
              {attachments.length > 0 && (
                <p className="hint">
                  {words.files}: {attachments.join(", ")}
                </p>
              )}
              <a
                className="button button-small button-own-width"
                href={`/portal/api/kept-mails/${mail_id}/page`}
                target="_blank"
                rel="noreferrer"
              >
                {words.open}
                <span className="visually-hidden">: {subject}</span>
              </a>
            </details>
          </li>
        ))}
      </ul>
    </div>
  );
}
