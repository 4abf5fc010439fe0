import type { Database, Reader } from "./database.ts";
import { limitTo } from "./pages.ts";
import { nothing, sql } from "./sql.ts";

/** No clock is wrong by more without somebody noticing. */
const retainedDays = 31;

const accountsPerRead = 500;

/** Drops counters of days long past, an account at a time. A key's newest stays: it shows when the key was last used. */
export async function dropOldCounters(database: Database, today: number, stop: AbortSignal): Promise<void> {
  const before = today - retainedDays;
  let after: number | null = null;
  do {
    const accounts: readonly number[] = await accountsAfter(database, after);
    for (const account of accounts) {
      if (stop.aborted) return;
      await database.transaction(async (tx) => {
        await tx.run(sql`
          delete from key_counters where account_id = ${account} and day < ${before} and exists (
            select 1 from key_counters newer where newer.account_id = ${account}
              and newer.key_id = key_counters.key_id and newer.day > key_counters.day)`);
        await tx.run(sql`delete from account_counters where account_id = ${account} and day < ${before}`);
      });
    }
    after = accounts.at(-1) ?? null;
  } while (after !== null);
}

async function accountsAfter(reader: Reader, after: number | null): Promise<number[]> {
  const start = after === null ? nothing : sql`where account_id > ${after}`;
  const rows = await reader.all<{ account_id: number }>(
    sql`select account_id from accounts ${start} order by account_id ${limitTo(accountsPerRead)}`,
  );
  return rows.map(({ account_id }) => account_id);
}
