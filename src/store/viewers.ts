import type { Visibility } from "../domain/visibility.ts";
import type { BulkTable, Reader, Transaction } from "./database.ts";
import { allIn } from "./in-list.ts";
import { sql } from "./sql.ts";

const table: BulkTable = {
  name: "viewer_revisions",
  columns: { account_id: "bigint", user_id: "uuid", revision: "bigint" },
  onConflict: "on conflict (account_id, user_id) do update set revision = viewer_revisions.revision + 1",
};

/** Grows the counter of each viewer whose picture of the live positions changes with this transaction. */
export async function bumpViewers(
  tx: Transaction,
  viewers: readonly { readonly account_id: number; readonly user_id: string }[],
): Promise<void> {
  await tx.insertMany(
    table,
    viewers.map(({ account_id, user_id }) => ({ account_id, user_id, revision: 1 })),
  );
}

/** As long as this number stays, so does what the viewer sees of the live positions. 0 before the first change. */
export async function viewerRevision(reader: Reader, { accountId, userId }: Visibility): Promise<number> {
  const row = await reader.get<{ revision: number }>(sql`
    select revision from viewer_revisions where account_id = ${accountId} and user_id = ${userId}`);
  return row?.revision ?? 0;
}

/** Those of the account's devices that ever sent a frame. No other can be among the live positions. */
export async function liveDevices(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<ReadonlySet<number>> {
  const rows = await allIn<{ device: number }>(
    reader,
    devices,
    (list) => sql`select device from latest_positions where account_id = ${accountId} and device in ${list}`,
  );
  return new Set(rows.map(({ device }) => device));
}
