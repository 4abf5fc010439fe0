import { useCallback, useMemo } from "react";
import { to } from "../../both-sides/address.ts";
import type { AuditRecord } from "../../both-sides/contract/audit.ts";
import { dayAt } from "../../both-sides/periods/days.ts";
import { getJson } from "../api/request.ts";
import { Button } from "../common/elements/button.tsx";
import { Field, Select } from "../common/fields/field.tsx";
import { EmptyState, ErrorNotice, LoadState } from "../common/loading/notice.tsx";
import { useMore } from "../common/loading/show-more.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { useAddress } from "../common/navigation/address.ts";
import { PageHead } from "../common/navigation/page-head.tsx";
import { Time } from "../common/reading/time.tsx";
import { useSession } from "../common/session.ts";
import { DownloadFailure, useDownload } from "../reports/files/downloads.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import {
  type AuditFilter,
  type AuditQuery,
  auditFilterOf,
  auditKindNames,
  auditQuery,
  isFiltered,
} from "./audit-filter.ts";
import { actionWords, actorWords, detailWords, marked, recordWords } from "./audit-words.ts";
import { loggedRules } from "./logged-rules.ts";

export default function AuditPage() {
  const { audit: words, common } = useAdministrationTexts();
  const { get } = useAddress();
  const zone = useSession().account.time_zone;
  const filter = useMemo(() => auditFilterOf(get), [get]);
  const query = useMemo(() => auditQuery(filter, zone), [filter, zone]);
  const { loaded, reload, more, hasMore } = useAuditLog(query);
  const entries = loaded.data?.data ?? [];
  return (
    <>
      <PageHead title={words.title} text={words.what}>
        <AuditDownload query={query} />
      </PageHead>
      <AuditFilters filter={filter} />
      <LoadState loaded={loaded} reload={reload} />
      {loaded.state === "ready" && entries.length === 0 && (
        <EmptyState icon="report" title={words.none}>
          {isFiltered(filter) ? words.noneFiltered : words.noneWhat}
        </EmptyState>
      )}
      {entries.length > 0 && (
        <div aria-busy={loaded.state === "loading"}>
          <AuditTable entries={entries} />
        </div>
      )}
      {more.error !== null && <ErrorNotice error={more.error} retry={more.loadMore} />}
      {entries.length > 0 && hasMore && (
        <Button
          look="own-width"
          text={more.isLoading ? common.looking : common.showMore}
          aria-disabled={more.isLoading}
          onClick={more.loadMore}
        />
      )}
    </>
  );
}

/** The newest entries that the query leaves, and older ones on request. */
function useAuditLog(query: AuditQuery) {
  const load = useCallback((signal: AbortSignal) => getJson(to("GET /fleet/log", query), signal), [query]);
  const { loaded, reload, replace } = useLoad(load);
  const before = loaded.data?.next_before ?? null;
  const more = useMore(
    query,
    (signal) => getJson(to("GET /fleet/log", { ...query, before }), signal),
    (next) => replace(({ data }) => ({ ...next, data: [...data, ...next.data] })),
  );
  return { loaded, reload, more, hasMore: before !== null };
}

function AuditDownload({ query }: { readonly query: AuditQuery }) {
  const { audit: words } = useAdministrationTexts();
  const { running, failed, start } = useDownload();
  const isRunning = running !== null;
  return (
    <div className="audit-download grid gap-2">
      {/* Not disabled: the button would lose the focus. */}
      <Button
        icon="download"
        text={isRunning ? words.downloading : words.download}
        aria-disabled={isRunning}
        onClick={() => start({ text: words.download, target: to("GET /fleet/log/download", query) })}
      />
      <DownloadFailure failed={failed} start={start} />
    </div>
  );
}

function AuditTable({ entries }: { readonly entries: readonly AuditRecord[] }) {
  const { audit: words } = useAdministrationTexts();
  return (
    <div className="table-frame panel">
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

function AuditRow({ entry }: { readonly entry: AuditRecord }) {
  const { audit: words, ...texts } = useAdministrationTexts();
  const { actor } = entry;
  const record = recordWords(entry, words);
  const isNameless = actor.kind === "user" && actor.name === null;
  const details = detailWords(entry, words, (text) => loggedRules(text, texts)).join("; ");
  return (
    <tr data-action={entry.action}>
      <td data-label={words.when}>
        <Time at={entry.at} detail="second" />
      </td>
      <td data-label={words.who}>
        <span className="audit-name block break" title={isNameless ? words.wholeId(actor.id ?? "") : undefined}>
          {actorWords(entry, words)}
        </span>
      </td>
      <th scope="row" data-label={words.did}>
        {actionWords(entry, words)}
      </th>
      <td data-label={words.onWhat}>
        {record !== null && (
          <span className="audit-name block break" title={entry.name === null ? words.wholeId(entry.id) : undefined}>
            {record}
          </span>
        )}
      </td>
      <td data-label={words.details}>
        {details !== "" && <span className="audit-name quiet block break">{details}</span>}
      </td>
    </tr>
  );
}

const loadPeople = async (signal: AbortSignal) => (await getJson("GET /fleet/log/people", signal)).data;

function AuditFilters({ filter }: { readonly filter: AuditFilter }) {
  const { audit: words, common } = useAdministrationTexts();
  const { set } = useAddress();
  const { loaded } = useLoad(loadPeople);
  const today = dayAt(Date.now(), useSession().account.time_zone);
  const people = (loaded.data ?? []).map(
    ({ user_id, name, is_removed }) => [user_id, marked(name, is_removed, words)] as const,
  );
  const others = [
    ["command", words.atServer] as const,
    ["file", words.byFile] as const,
    ["stranger", words.stranger] as const,
  ];
  // One that was erased has no name, but the log still has its id.
  const isMissing = filter.by !== null && ![...people, ...others].some(([value]) => value === filter.by);
  const missing = isMissing ? [[filter.by ?? "", filter.by ?? ""] as const] : [];
  const choose = (name: string) => (value: string) => set({ [name]: value === "" ? null : value });
  return (
    <div className="filters">
      <Select
        label={words.person}
        value={filter.by ?? ""}
        onChange={choose("by")}
        options={[["", words.anybody], ...people, ...others, ...missing]}
      />
      <Select
        label={words.kind}
        value={filter.kind ?? ""}
        onChange={choose("kind")}
        options={[["", words.anything], ...auditKindNames.map((name) => [name, words.kinds[name]] as const)]}
      />
      <Field
        label={common.from}
        type="date"
        max={filter.to ?? today}
        value={filter.from ?? ""}
        onChange={({ target }) => choose("from")(target.value)}
      />
      <Field
        label={common.to}
        type="date"
        max={today}
        {...(filter.from === null ? {} : { min: filter.from })}
        value={filter.to ?? ""}
        onChange={({ target }) => choose("to")(target.value)}
      />
      {isFiltered(filter) && (
        <Button
          className="audit-clear"
          text={common.clearFilters}
          onClick={() => set({ by: null, kind: null, from: null, to: null })}
        />
      )}
    </div>
  );
}
