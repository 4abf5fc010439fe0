import type { BulkTable, Database, Transaction } from "./database.ts";
import { sql } from "./sql.ts";

/** The limiter's two windows of one key. */
export interface KeyCounterRow {
  readonly account_id: number;
  readonly key_id: string;
  /** UTC day, counted from 1970-01-01. */
  readonly day: number;
  readonly day_used: number;
  /** Unix time in seconds. */
  readonly second: number;
  readonly second_used: number;
  readonly admitted: number | boolean;
  readonly last_used_at: number;
}

const table: BulkTable = {
  name: "key_counters",
  columns: {
    account_id: "bigint",
    key_id: "uuid",
    day: "integer",
    day_used: "integer",
    second: "bigint",
    second_used: "integer",
    admitted: "boolean",
    last_used_at: "bigint",
  },
  onConflict: `on conflict (account_id, key_id) do update set day = excluded.day, day_used = excluded.day_used,
    second = excluded.second, second_used = excluded.second_used, admitted = excluded.admitted,
    last_used_at = excluded.last_used_at`,
};

/** Writes down what the embedded limiter counted in memory. */
export async function saveKeyCounters(tx: Transaction, rows: readonly KeyCounterRow[]): Promise<void> {
  await tx.insertMany(
    table,
    rows.map((row) => ({ ...row })),
  );
}

export interface Spending {
  readonly accountId: number;
  readonly keyId: string;
  readonly perSecond: number;
  readonly perDay: number;
  /** 1 takes one of the day's requests, 0 leaves that for later. */
  readonly dayCharge: 0 | 1;
}

/**
 * PostgreSQL only: takes a slot of the second and, if that is allowed, one of the day, for all nodes at once. The row is
 * locked while it is counted, and the clock is the database's, so the figures are exact. A call that is refused uses its
 * second's slot and nothing of the day.
 */
export async function spendShared(database: Database, spending: Spending): Promise<KeyCounterRow> {
  const { accountId, keyId, perSecond, perDay, dayCharge } = spending;
  const secondUsed = sql`case when c.second >= excluded.second then c.second_used + 1 else 1 end`;
  // A statement reads the clock before it has the row: one from before midnight may come after one from after it.
  const dayUsed = sql`case when c.day >= excluded.day then c.day_used else 0 end`;
  const admitted = sql`(${secondUsed} <= ${perSecond}::int and (${dayCharge}::int = 0 or ${dayUsed} < ${perDay}::int))`;
  const [row] = await database.change<KeyCounterRow>(sql`
    insert into key_counters as c (account_id, key_id, day, day_used, second, second_used, admitted, last_used_at)
    select ${accountId}::bigint, ${keyId}::uuid, (t.ms / 86400000)::int, ${dayCharge}::int, t.ms / 1000, 1, true, t.ms
    from (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms) t
    on conflict (account_id, key_id) do update set
      day = greatest(c.day, excluded.day),
      day_used = ${dayUsed} + case when ${admitted} then ${dayCharge}::int else 0 end,
      second = greatest(c.second, excluded.second),
      second_used = ${secondUsed},
      admitted = ${admitted},
      last_used_at = excluded.last_used_at
    returning account_id, key_id, day, day_used, second, second_used, admitted, last_used_at`);
  if (!row) throw new Error("the limiter's row did not come back");
  return row;
}

/** PostgreSQL only: takes one of the day's requests after the second's slot was taken before, or gives it back. */
export async function chargeShared(
  database: Database,
  spending: Omit<Spending, "dayCharge">,
  charge: 1 | -1,
): Promise<KeyCounterRow> {
  const { accountId, keyId, perDay } = spending;
  const admitted = sql`(${charge}::int < 0 or day_used < ${perDay}::int)`;
  const [row] = await database.change<KeyCounterRow>(sql`
    update key_counters set
      day_used = greatest(0, day_used + case when ${admitted} then ${charge}::int else 0 end),
      admitted = ${admitted}
    where account_id = ${accountId} and key_id = ${keyId}
    returning account_id, key_id, day, day_used, second, second_used, admitted, last_used_at`);
  if (!row) throw new Error("the limiter's row did not come back");
  return row;
}
