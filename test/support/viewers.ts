import { accountViewer, nextChange, type Shown, showSubAccounts } from "../../src/store/changes/viewers.ts";
import type { Transaction } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";

/** Raises the counters of these users, as a transaction that they see something of does. */
export async function show(
  tx: Transaction,
  viewers: Iterable<{ readonly account_id: number; readonly user_id: string }>,
  shown: Shown,
): Promise<void> {
  for (const [accountId, own] of Map.groupBy(viewers, ({ account_id }) => account_id)) {
    const owners = await tx.all<{ id: string }>(sql`
      select id from users where account_id = ${accountId} and role = 'owner'`);
    const isOwner = ({ user_id }: { user_id: string }) => user_id === accountViewer || owners[0]?.id === user_id;
    const number = await nextChange(tx, accountId, {
      shown: own.some(isOwner) ? shown : "neither",
      about: new Set(),
    });
    const others = own
      .filter((viewer) => !isOwner(viewer))
      .map(({ user_id }) => [user_id, { shown, about: new Set<never>() }] as const);
    await showSubAccounts(tx, accountId, number, new Map(others));
  }
}
