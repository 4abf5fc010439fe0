import { storeNow } from "../clock.ts";
import type { Database, Reader, Transaction } from "../database.ts";
import { limitTo, type Sql, sql } from "../sql.ts";
import { noteUnpurged, setNote } from "./notes.ts";

/** A server believes a key for half a second, and writes what it has counted after another. */
const firstLookMs = 3_000;
/** A store that is slow or unreachable for a moment delays the counts. */
const lookEveryMs = 15_000;
const lookForMs = 60_000;

const keysPerRead = 500;

/** Followed by the number of an account: until when to look there. */
const strayPrefix = "strays of ";

/** Keys were erased. A server that has counted their calls in memory may still write them: they are looked for, for a while. */
export async function noteStrays(tx: Transaction, accountId: number): Promise<void> {
  const now = await storeNow(tx);
  await setNote(tx, "strays_at", now + firstLookMs);
  await setNote(tx, `${strayPrefix}${accountId}`, now + lookForMs);
}

/** Erases counts of keys and of accounts that are gone, if it is time to look for them. `now` is the store's. Returns how many rows. */
export async function eraseStrays(database: Database, now: number): Promise<number> {
  const row = await database.get<{ number: number }>(sql`select number from erasure_notes where name = 'strays_at'`);
  const dueAt = row?.number ?? 0;
  if (dueAt === 0 || now < dueAt) return 0;
  let erased = 0;
  const noted = await notedAccounts(database);
  for (const { accountId } of noted) erased += await eraseOfAccount(database, accountId);
  await database.transaction(async (tx) => {
    if (erased > 0) await noteUnpurged(tx);
    await tx.run(sql`delete from erasure_notes where name like ${`${strayPrefix}%`} and number <= ${now}`);
    // Not if more was erased meanwhile: then it is looked for at another time already.
    const next = noted.some(({ until }) => until > now) ? now + lookEveryMs : 0;
    await tx.writeAny(sql`update erasure_notes set number = ${next} where name = 'strays_at' and number = ${dueAt}`);
  });
  return erased;
}

async function notedAccounts(reader: Reader): Promise<{ readonly accountId: number; readonly until: number }[]> {
  const rows = await reader.all<{ name: string; number: number }>(sql`
    select name, number from erasure_notes where name like ${`${strayPrefix}%`} order by name`);
  return rows.map(({ name, number }) => ({ accountId: Number(name.slice(strayPrefix.length)), until: number }));
}

async function eraseOfAccount(database: Database, accountId: number): Promise<number> {
  let erased = 0;
  for (const name of [sql`key_usage`, sql`key_counters`]) erased += await eraseOfGoneKeys(database, accountId, name);
  const isThere = await database.get(sql`
    select 1 as there from accounts where account_id = ${accountId} and erasing_at is null`);
  if (isThere !== null) return erased;
  return database.transaction(
    async (tx) => erased + (await tx.run(sql`delete from account_counters where account_id = ${accountId}`)),
  );
}

/** Read first, without keeping others from writing: mostly there are none. */
async function eraseOfGoneKeys(database: Database, accountId: number, name: Sql): Promise<number> {
  for (let erased = 0; ; ) {
    const keys = await database.all<{ key_id: string }>(sql`
      select distinct c.key_id from ${name} c where c.account_id = ${accountId} and not exists (
        select 1 from api_keys k where k.account_id = ${accountId} and k.id = c.key_id) ${limitTo(keysPerRead)}`);
    if (keys.length === 0) return erased;
    erased += await database.transaction(async (tx) => {
      let rows = 0;
      for (const { key_id } of keys) {
        rows += await tx.run(sql`delete from ${name} where account_id = ${accountId} and key_id = ${key_id}`);
      }
      return rows;
    });
  }
}
