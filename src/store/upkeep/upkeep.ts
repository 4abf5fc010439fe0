import { databaseClock } from "../clock.ts";
import { type Database, isEmbedded } from "../database.ts";
import { eachAccount, type WalkPace } from "../each-account.ts";
import { analyseUnknownTables } from "../postgres/statistics.ts";
import { sql } from "../sql.ts";

/** What a store needs done periodically while a server runs. */
export interface Upkeep {
  readonly task: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

/**
 * A new table is analysed after its first hundreds of rows. Until then PostgreSQL takes an account for a small part of it, and
 * compares all rows of the account with all that are written: with 10,000 vehicles that took seconds a statement.
 */
const statisticsMs = 1_000;
const worthCountingBytes = 64 * 1024;

/** An embedded store needs nothing. */
export function upkeepOf(database: Database): readonly Upkeep[] {
  if (isEmbedded(database)) return [];
  return [{ task: "statistics", everyMs: statisticsMs, run: () => analyseUnknownTables(database, worthCountingBytes) }];
}

/** A lease is a right that one node has until a moment of the database's clock. An embedded store has one server. */
interface TakenLease {
  /** Who had it until now, this node perhaps; null: nobody. */
  readonly before: string | null;
}

/** Takes the lease or renews it, for so long from now on. Null: another node has it. */
export async function takeLease(
  database: Database,
  { name, holder, validMs }: { readonly name: string; readonly holder: string; readonly validMs: number },
): Promise<TakenLease | null> {
  // One that ends later than any that is taken now is from before the database's clock was set back.
  const rows = await database.change<TakenLease>(sql`
    with earlier as (select l.holder from leases l where l.name = ${name})
    insert into leases (name, holder, until) values (${name}, ${holder}, ${databaseClock} + ${validMs}::bigint)
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
      where leases.holder = excluded.holder or leases.until <= ${databaseClock}
        or leases.until > ${databaseClock} + ${validMs}::bigint
    returning (select e.holder from earlier e) as before`);
  return rows[0] ?? null;
}

/** Another node can take it at once. */
export async function giveBackLease(database: Database, name: string, holder: string): Promise<void> {
  await database.change(sql`delete from leases where name = ${name} and holder = ${holder} returning name`);
}

/** No clock is wrong by more without being noticed. */
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
