import type { Actor, AuditAction, AuditEntry } from "../../domain/audit.ts";
import { bigint, oneOf, orNull, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { listOf } from "../in-list.ts";
import { sql } from "../sql.ts";
import { table } from "../table.ts";

/** Who did what and when. Rows are only added. */
export const auditTable = table("audit_log", ["account_id", "entry_id"], {
  account_id: bigint,
  /** A UUID of version 7: entries are in the order of their ids. */
  entry_id: uuid,
  at: bigint,
  actor: oneOf<Actor["kind"]>(),
  actor_id: orNull(uuid),
  action: oneOf<AuditAction>(),
  type: text,
  id: text,
  details_json: orNull(text),
});

/** In the transaction of what they tell. */
export async function addAuditEntries(
  tx: Transaction,
  accountId: number,
  entries: readonly AuditEntry[],
  now: number,
): Promise<void> {
  await tx.insertMany(
    auditTable,
    entries.map(({ by, action, id, details }) => ({
      account_id: accountId,
      entry_id: Bun.randomUUIDv7("hex", now),
      at: now,
      actor: by.kind,
      actor_id: by.kind === "user" ? by.id : null,
      action,
      type: action.slice(0, action.indexOf(".")),
      id,
      details_json: details === undefined ? null : JSON.stringify(details),
    })),
  );
}

/** Which of these records were removed or erased, and neither put back nor added again since. */
export async function removedLast(
  reader: Reader,
  accountId: number,
  type: string,
  ids: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const rows = await reader.all<{ id: string; action: AuditAction }>(sql`
    select id, action from audit_log
    where account_id = ${accountId} and type = ${type} and id in ${listOf(ids)} order by at, entry_id`);
  const last = new Map(rows.map(({ id, action }) => [id, action.slice(action.indexOf(".") + 1)]));
  return new Set([...last].filter(([, what]) => what === "removed" || what === "erased").map(([id]) => id));
}
