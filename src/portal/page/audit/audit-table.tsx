import { Time } from "../common/time.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { AuditEntry } from "./audit-records.ts";
import { actionWords, actorWords, detailWords, recordWords } from "./audit-words.ts";

export function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const { audit: words } = useAdministrationTexts();
  return (
    <div className="table-frame">
      <table className="table table-cards audit-table">
        <caption className="visually-hidden">{words.title}</caption>
        <thead>
          <tr>
            <th scope="col">{words.when}</th>
            <th scope="col">{words.who}</th>
            <th scope="col">{words.did}</th>
            <th scope="col">{words.onWhat}</th>
            <th scope="col">{words.details}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <AuditRow key={entry.entry_id} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AuditRow({ entry }: { readonly entry: AuditEntry }) {
  const { audit: words } = useAdministrationTexts();
  const { actor } = entry;
  const record = recordWords(entry, words);
  const isNameless = actor.kind === "user" && actor.name === null;
  const details = detailWords(entry, words).join("; ");
  return (
    <tr data-action={entry.action}>
      <td data-label={words.when}>
        <Time at={entry.at} detail="second" />
      </td>
      <td data-label={words.who}>
        <span className="audit-name" title={isNameless ? words.wholeId(actor.id ?? "") : undefined}>
          {actorWords(entry, words)}
        </span>
      </td>
      <th scope="row" data-label={words.did}>
        {actionWords(entry, words)}
      </th>
      <td data-label={words.onWhat}>
        {record !== null && (
          <span className="audit-name" title={entry.name === null ? words.wholeId(entry.id) : undefined}>
            {record}
          </span>
        )}
      </td>
      <td data-label={words.details}>{details !== "" && <span className="audit-name quiet">{details}</span>}</td>
    </tr>
  );
}
