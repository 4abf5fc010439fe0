import type { Transaction } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";

/** Accounts that are not made by the program get the row that each must have before others. */
export async function beginFleets(tx: Transaction, accountIds: Iterable<number>): Promise<void> {
  for (const accountId of accountIds) {
    await tx.run(sql`
      insert into fleet_revisions (account_id, revision) values (${accountId}, 0) on conflict do nothing`);
  }
}
