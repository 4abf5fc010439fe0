import type { Database, Transaction } from "../database.ts";
import { limitTo } from "../pages.ts";
import { type Sql, sql } from "../sql.ts";
import { noteUnpurged } from "./notes.ts";

/** A server believes a key for half a second, and writes what it has counted after another. */
const firstLookMs = 3_000;
/** A store that is slow or unreachable for a moment delays the counts. */
const lookEveryMs = 15_000;
const lookForMs = 60_000;

const keysPerRead = 500;

/**
 * Keys were erased. A server counts their calls in memory, so it may write counts of a key that is gone: for a while they are
 * looked for, and erased again.
 */
export async function noteStrays(tx: Transaction): Promise<void> {
  const now = Date.now();
  await setNote(tx, "strays_at", now + firstLookMs);
  await setNote(tx, "strays_until", now + lookForMs);
}

/** Erases counts of keys and of accounts that are gone, if it is time to look for them. Returns how many rows. */
export async function eraseStrays(database: Database, now: number): Promise<number> {
  const row = await database.get<{ number: number }>(sql`select number from erasure_notes where name = 'strays_at'`);
  const dueAt = row?.number ?? 0;
  if (dueAt === 0 || now < dueAt) return 0;
  let erased = 0;
  for (const name of [sql`key_usage`, sql`key_counters`]) erased += await eraseOfGoneKeys(database, name);
  return database.transaction(async (tx) => {
    erased += await tx.run(sql`
      delete from account_counters where not exists (
        select 1 from accounts a where a.account_id = account_counters.account_id and a.erasing_at is null)`);
    if (erased > 0) await noteUnpurged(tx);
    // Not if more was erased meanwhile: then it is looked for at another time already.
    await tx.run(sql`
      update erasure_notes set number = (
        select case when u.number > ${now} then ${now + lookEveryMs} else 0 end
        from erasure_notes u where u.name = 'strays_until')
      where name = 'strays_at' and number = ${dueAt}`);
    return erased;
  });
}

/** Read first, without keeping others from writing: mostly there are none. */
async function eraseOfGoneKeys(database: Database, name: Sql): Promise<number> {
  for (let erased = 0; ; ) {
    const keys = await database.all<{ account_id: number; key_id: string }>(sql`
      select distinct c.account_id, c.key_id from ${name} c where not exists (
        select 1 from api_keys k where k.account_id = c.account_id and k.id = c.key_id) ${limitTo(keysPerRead)}`);
    if (keys.length === 0) return erased;
    erased += await database.transaction(async (tx) => {
      let rows = 0;
      for (const { account_id, key_id } of keys) {
        rows += await tx.run(sql`delete from ${name} where account_id = ${account_id} and key_id = ${key_id}`);
      }
      return rows;
    });
  }
}

async function setNote(tx: Transaction, name: string, number: number): Promise<void> {
  await tx.run(sql`
    insert into erasure_notes (name, number) values (${name}, ${number})
    on conflict (name) do update set number = excluded.number`);
}
