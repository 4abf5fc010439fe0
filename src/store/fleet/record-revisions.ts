import { bigint, oneOf, type RowOf, text } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { listOf, sql } from "../sql.ts";
import { listed, omit, table, upsert } from "../table.ts";

/** The types of records that a fleet file has and the portal edits. */
export type RevisedType = "account" | "user" | "device" | "driver" | "geofence" | "alert_settings";

/** Where a record was changed last. `load` does not undo what a person did in the portal. */
export type ManagedBy = "file" | "portal";

export interface Revision {
  readonly revision: number;
  readonly managedBy: ManagedBy;
}

const revisionTable = table("record_revisions", ["account_id", "type", "id"], {
  account_id: bigint,
  type: oneOf<RevisedType>(),
  /** The record's own; of alert settings the device's, `tag:NAME` or `all`. */
  id: text,
  revision: bigint,
  managed_by: oneOf<ManagedBy>(),
});

const columns = listed(omit(revisionTable.columns, "account_id", "type"));
const bulk = upsert(revisionTable, [], { revision: "record_revisions.revision + 1" });

/** What a record without a row has: most were loaded once and never changed. */
const untouched: Revision = { revision: 1, managedBy: "file" };

/** The revision of each, whether it exists or not. */
export async function revisionsOf(
  reader: Reader,
  accountId: number,
  type: RevisedType,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, Revision>> {
  const wanted = [...ids];
  const rows = await reader.all<Pick<RowOf<typeof revisionTable.columns>, "id" | "revision" | "managed_by">>(sql`
    select ${columns} from record_revisions where account_id = ${accountId} and type = ${type} and id in ${listOf(wanted)}`);
  const stored = new Map(rows.map((row) => [row.id, { revision: row.revision, managedBy: row.managed_by }]));
  return new Map(wanted.map((id) => [id, stored.get(id) ?? untouched]));
}

export async function bumpRevisions(
  tx: Transaction,
  accountId: number,
  type: RevisedType,
  ids: Iterable<string>,
  managedBy: ManagedBy,
): Promise<void> {
  await tx.insertMany(
    bulk,
    Array.from(new Set(ids), (id) => ({ account_id: accountId, type, id, revision: 2, managed_by: managedBy })),
  );
}
