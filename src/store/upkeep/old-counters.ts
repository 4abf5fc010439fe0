import type { Database } from "../database.ts";
import { eachAccount, type WalkPace } from "../each-account.ts";
import { sql } from "../sql.ts";

/** No clock is wrong by more without somebody noticing. */
const retainedDays = 31;

/** Drops counters of days long past, an account at a time. A key's newest stays: it shows when the key was last used. */
export function dropOldCounters(database: Database, today: number, pace: WalkPace): Promise<void> {
  const before = today - retainedDays;
  return eachAccount(database, pace, async (accountId) => {
    const there = await database.get<{ keys: number; accounts: number }>(sql`
      select (select count(*) from key_counters k where k.account_id = ${accountId} and k.day < ${before}) as keys,
        (select count(*) from account_counters a where a.account_id = ${accountId} and a.day < ${before}) as accounts`);
    if (!there || there.keys + there.accounts === 0) return;
    await database.transaction(async (tx) => {
      await tx.run(sql`
        delete from key_counters where account_id = ${accountId} and day < ${before} and exists (
          select 1 from key_counters newer where newer.account_id = ${accountId}
            and newer.key_id = key_counters.key_id and newer.day > key_counters.day)`);
      await tx.run(sql`delete from account_counters where account_id = ${accountId} and day < ${before}`);
    });
  });
}
