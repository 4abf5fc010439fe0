import type { BulkTable, Transaction } from "./database.ts";

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
