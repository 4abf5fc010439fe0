import type { Actor, AuditAction, AuditEntry } from "../domain/audit.ts";
import { accountByInternalId } from "../store/accounts.ts";
import { addAuditEntries } from "../store/audit.ts";
import type { Transaction } from "../store/database.ts";
import { bumpRevisions, type RevisedType } from "../store/record-revisions.ts";

/** A record that is added or that differs from what is stored. */
export interface ChangedRecord {
  readonly type: RevisedType;
  readonly accountId: number;
  readonly id: string;
  readonly line: number;
  /** The names of its fields that differ; null: it is new. */
  readonly fields: readonly string[] | null;
}

/** The records that a load or an edit adds or changes: who manages them from now on, and what the audit log says. */
export class ChangedRecords {
  readonly #records = new Map<string, ChangedRecord>();

  /** Several notes about one record become one. */
  note(record: ChangedRecord): void {
    const key = `${record.type} ${record.id}`;
    const before = this.#records.get(key);
    if (before === undefined) this.#records.set(key, record);
    else if (before.fields !== null) {
      this.#records.set(key, { ...before, fields: [...new Set([...before.fields, ...(record.fields ?? [])])] });
    }
  }

  get all(): readonly ChangedRecord[] {
    return [...this.#records.values()];
  }

  /** Of a load, new records need no row: that is what no row means. */
  async bump(tx: Transaction, managedBy: "file" | "portal"): Promise<void> {
    const concerned = managedBy === "portal" ? this.all : this.all.filter(({ fields }) => fields !== null);
    for (const [accountId, own] of Map.groupBy(concerned, (record) => record.accountId)) {
      for (const [type, ofType] of Map.groupBy(own, (record) => record.type)) {
        await bumpRevisions(
          tx,
          accountId,
          type,
          ofType.map(({ id }) => id),
          managedBy,
        );
      }
    }
  }

  /** One entry for each account: how many records of each type the file added and changed. */
  async tellLoad(tx: Transaction, now: number): Promise<void> {
    for (const [accountId, own] of Map.groupBy(this.all, (record) => record.accountId)) {
      const { id } = await accountByInternalId(tx, accountId);
      const counts: Record<string, number> = {};
      for (const { type, fields } of own) {
        const name = `${type}_${fields === null ? "added" : "changed"}`;
        counts[name] = (counts[name] ?? 0) + 1;
      }
      await addAuditEntries(
        tx,
        accountId,
        [{ by: { kind: "file" }, action: "fleet.loaded", id, details: counts }],
        now,
      );
    }
  }

  /** One entry for each record. A load is told as a whole instead. */
  async tell(tx: Transaction, by: Actor, now: number): Promise<void> {
    for (const [accountId, own] of Map.groupBy(this.all, (record) => record.accountId)) {
      const entries = own.map(
        ({ type, id, fields }): AuditEntry => ({
          by,
          action: `${type}.${fields === null ? "added" : "changed"}` as AuditAction,
          id,
          ...(fields === null ? {} : { details: { fields } }),
        }),
      );
      await addAuditEntries(tx, accountId, entries, now);
    }
  }
}

/** The names of a line's fields in which two rows differ. */
export function changedFields(before: object, after: object): string[] {
  return Object.entries(after)
    .filter(([name, value]) => (before as Record<string, unknown>)[name] !== value)
    .map(([name]) => fieldOfColumn[name] ?? name)
    .filter((name) => name !== "");
}

/** Where a column is called otherwise than the field of a line; empty: it follows from another. */
const fieldOfColumn: Readonly<Record<string, string>> = {
  tags_json: "tags",
  external_ids_json: "external_ids",
  search_text: "",
  email_key: "",
  password_hash: "password",
  earlier_time_zones: "",
  limit_per_second: "limits",
  limit_per_day: "limits",
  limit_account_per_day: "limits",
};
