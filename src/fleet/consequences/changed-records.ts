import type { Actor, AuditAction, AuditEntry } from "../../domain/audit.ts";
import type { Transaction } from "../../store/database.ts";
import { accountByInternalId } from "../../store/fleet/accounts.ts";
import { addAuditEntries } from "../../store/fleet/audit.ts";
import { bumpRevisions, type ManagedBy, type RevisedType } from "../../store/fleet/record-revisions.ts";

interface OldAndNew {
  readonly before: object;
  readonly after: object;
}

/** A record that is added or that differs from what is stored. */
export interface ChangedRecord {
  readonly type: RevisedType;
  readonly accountId: number;
  readonly id: string;
  readonly line: number;
  /** The names of its fields that differ; null: it is new. */
  readonly fields: readonly string[] | null;
  /** What was stored and what is wanted, as far as columns have the names of fields. */
  readonly rows?: OldAndNew;
  /** The same for the audit log, where it says more of the fields than columns do. */
  readonly logged?: OldAndNew;
  /** Fields that a person chose in the portal, even if a file manages the rest of the record. */
  readonly chosenByPerson?: readonly string[];
}

interface RowChange {
  readonly line: number;
  readonly row: { readonly id: string };
  readonly before: object | undefined;
}

/** The records that a load or an edit adds or changes: who manages them from now on, and what the audit log says. */
export class ChangedRecords {
  readonly #records = new Map<string, ChangedRecord>();

  /** Several notes about one record become one. */
  note(record: ChangedRecord): void {
    // Alert settings of all vehicles have the same id in each account.
    const key = `${record.accountId} ${record.type} ${record.id}`;
    const before = this.#records.get(key);
    if (before === undefined) this.#records.set(key, record);
    else if (before.fields !== null) {
      this.#records.set(key, { ...before, fields: [...new Set([...before.fields, ...(record.fields ?? [])])] });
    }
  }

  /** Notes a row that is stored in place of `before`, or as a new one. */
  noteRow(type: RevisedType, accountId: number, change: RowChange, chosenByPerson: readonly string[] = []): void {
    const { line, row, before } = change;
    const fields = before === undefined ? null : changedFields(before, row);
    const rows = before && { rows: { before, after: row } };
    this.note({ type, accountId, id: row.id, line, fields, ...rows, chosenByPerson });
  }

  get all(): readonly ChangedRecord[] {
    return [...this.#records.values()];
  }

  /** Who manages them from now on. Of a load, new records need no row: that is what no row means. */
  async bump(tx: Transaction, managedBy: ManagedBy, except: ReadonlySet<ChangedRecord> = new Set()): Promise<void> {
    const concerned = new Set(this.all.filter((record) => managedBy === "portal" || record.fields !== null));
    await bump(tx, concerned.difference(except), managedBy);
    // These stay the portal's.
    await bump(tx, concerned.intersection(except), "portal");
  }

  /** One entry for each account: how many records of each type the file added and changed. */
  async writeLoadAudit(tx: Transaction, now: number): Promise<void> {
    for (const [accountId, own] of Map.groupBy(this.all, (record) => record.accountId)) {
      const { id } = await accountByInternalId(tx, accountId);
      const counts: Record<string, number> = {};
      for (const { type, fields } of own) {
        const name = `${type}_${fields === null ? "added" : "changed"}`;
        counts[name] = (counts[name] ?? 0) + 1;
      }
      const entry: AuditEntry = { by: { kind: "file" }, action: "fleet.loaded", id, details: counts };
      await addAuditEntries(tx, accountId, [entry], now);
    }
  }

  /** One entry for each record. A load has one entry as a whole instead. */
  async writeAudit(tx: Transaction, by: Actor, now: number): Promise<void> {
    for (const [accountId, own] of Map.groupBy(this.all, (record) => record.accountId)) {
      const entries = own.map(
        ({ type, id, fields, logged, rows }): AuditEntry => ({
          by,
          action: `${type}.${fields === null ? "added" : "changed"}` as AuditAction,
          id,
          ...(fields === null
            ? {}
            : { details: { fields, ...oldAndNew(fields, logged ?? rows ?? { before: {}, after: {} }) } }),
        }),
      );
      await addAuditEntries(tx, accountId, entries, now);
    }
  }
}

async function bump(tx: Transaction, records: Iterable<ChangedRecord>, managedBy: ManagedBy): Promise<void> {
  for (const [accountId, own] of Map.groupBy(records, (record) => record.accountId)) {
    for (const [type, ofType] of Map.groupBy(own, (record) => record.type)) {
      const ids = ofType.map(({ id }) => id);
      await bumpRevisions(tx, accountId, type, ids, managedBy);
    }
  }
}

/** The names of a line's fields in which two rows differ. */
export function changedFields(before: object, after: object): string[] {
  const fields = Object.entries(after)
    .filter(([name, value]) => (before as Record<string, unknown>)[name] !== value)
    .map(([name]) => fieldOfColumn[name] ?? name)
    .filter((name) => name !== "");
  return [...new Set(fields)];
}

/** Where a column is called otherwise than the field of a line; empty: it follows from another. */
const fieldOfColumn: Readonly<Record<string, string>> = {
  tags_json: "tags",
  external_ids_json: "external_ids",
  driver_ids_json: "driver_ids",
  search_text: "",
  email_key: "",
  password_hash: "password",
  password_managed_by: "",
  earlier_time_zones: "",
  limit_per_second: "limits",
  limit_per_day: "limits",
  limit_account_per_day: "limits",
};

/**
 * Fields whose values the audit log holds. The others say who or what it is, such as names, plates and addresses: what was
 * erased must not live on in the log.
 */
const loggedFields: ReadonlySet<string> = new Set([
  ...["status", "tags", "vehicle_make", "vehicle_model", "vehicle_year", "vehicle_type", "fuel_tank_capacity_l"],
  ...["tracker_model", "tracker_clock", "tracker_protocol"],
  ...["role", "time_zone", "color", "geometry", "device_ids", "rules"],
]);

/** The columns that hold a list as JSON. */
const listColumns: Readonly<Record<string, string>> = { tags: "tags_json" };

/** What the fields were and are, each in the place of its field; empty where the log does not hold it, or it is not set. */
function oldAndNew(
  fields: readonly string[],
  { before, after }: OldAndNew,
): { readonly from: readonly string[]; readonly to: readonly string[] } | null {
  const [from, to] = [before, after].map((row) => fields.map((field) => textOf(row, field))) as [string[], string[]];
  return [...from, ...to].some((text) => text !== "") ? { from, to } : null;
}

function textOf(row: object, field: string): string {
  if (!loggedFields.has(field)) return "";
  const column = listColumns[field];
  const values: Readonly<Record<string, unknown>> = { ...row };
  if (column === undefined) return shortened(String(values[field] ?? ""));
  const list: unknown = JSON.parse(String(values[column] ?? "[]"));
  return shortened(Array.isArray(list) ? list.join(", ") : "");
}

/** More does not help anybody who reads the log. */
const maxLength = 200;

function shortened(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
