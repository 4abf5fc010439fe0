import { getJson } from "../api/request.ts";
import { useAddress } from "../common/address.ts";
import { dayAt } from "../common/days.ts";
import { Field, Select } from "../common/field.tsx";
import { useSession } from "../common/session.ts";
import { useLoad } from "../common/use-load.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { type AuditFilter, auditKindNames, isFiltered } from "./audit-filter.ts";
import type { AuditedPerson } from "./audit-records.ts";
import { marked } from "./audit-words.ts";

const loadPeople = async (signal: AbortSignal) =>
  (await getJson<{ data: readonly AuditedPerson[] }>("/fleet/log/people", signal)).data;

/** Who, what and when. The choice is in the address. */
export function AuditFilters({ filter }: { readonly filter: AuditFilter }) {
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
        <button
          type="button"
          className="button audit-clear"
          onClick={() => set({ by: null, kind: null, from: null, to: null })}
        >
          {common.clearFilters}
        </button>
      )}
    </div>
  );
}
