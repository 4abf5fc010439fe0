import { Failure } from "../../domain/errors.ts";
import type { Database, Transaction } from "../database.ts";
import { plainSql, sql } from "../sql.ts";

/** Made ahead, so that no frame ever waits for a partition. */
const monthsAhead = 3;
/** Trackers deliver late; a past month still gets frames. */
const monthsBack = 1;
/** A month that retention has emptied is this small once PostgreSQL has vacuumed it. */
const emptiedBytes = 1_000_000;

interface Month {
  readonly table: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Makes missing partitions of `frames` around `now`. Safe when other nodes do the same. */
export async function ensureFramePartitions(database: Database, now: number): Promise<number> {
  const wanted: Month[] = [];
  for (let offset = -monthsBack; offset <= monthsAhead; offset++) wanted.push(monthOf(now, offset));
  const missingIn = (there: Set<string>) => wanted.filter((month) => !there.has(month.table));
  if (missingIn(await existingPartitions(database)).length === 0) return 0;
  return database.transaction(async (tx) => {
    await tx.lock("frame-partitions");
    // Another node may have made them while we waited for the lock.
    const missing = missingIn(await existingPartitions(tx));
    for (const month of missing) await makePartition(tx, month);
    return missing.length;
  });
}

/**
 * Drops the months before a moment that retention has emptied: other months cannot use their space. This needs `frames`
 * exclusively for an instant. If somebody uses it for long, it is left to the next time.
 */
export async function dropEmptyPartitions(database: Database, before: number, now: number): Promise<number> {
  const oldest = monthOf(now, -monthsBack).fromMs;
  const rows = await database.all<{ name: string }>(sql`
    select c.relname as name from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'frames'::regclass and pg_relation_size(c.oid) <= ${emptiedBytes} order by 1`);
  let dropped = 0;
  for (const { name } of rows) {
    const month = namedMonth(name);
    if (month === null || month.untilMs > Math.min(before, oldest)) continue;
    try {
      if (await dropIfEmpty(database, month.table)) dropped++;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "STORE_LOCKED") throw error;
    }
  }
  return dropped;
}

/** Locked first, then checked: a late frame may arrive at any moment. */
function dropIfEmpty(database: Database, table: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    await tx.run(plainSql("set local lock_timeout = '500ms'"));
    await tx.run(plainSql("lock table frames in access exclusive mode"));
    if (!(await existingPartitions(tx)).has(table)) return false;
    if (await tx.get(plainSql(`select 1 from ${table} limit 1`))) return false;
    await tx.run(plainSql(`drop table ${table}`));
    return true;
  });
}

/** The month of a partition that we made. */
function namedMonth(table: string): Month | null {
  const [, year, month] = /^frames_(\d{4})_(\d{2})$/.exec(table) ?? [];
  return year === undefined ? null : monthOf(Date.UTC(Number(year), Number(month) - 1), 0);
}

async function existingPartitions(reader: Pick<Transaction, "all">): Promise<Set<string>> {
  const rows = await reader.all<{ name: string }>(sql`
    select c.relname as name from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'frames'::regclass`);
  return new Set(rows.map((row) => row.name));
}

/**
 * Frames of the month may be in the default partition already (a tracker's clock ran ahead), and then PostgreSQL
 * refuses the new partition: so they are moved before the new table is attached.
 */
async function makePartition(tx: Transaction, { table, fromMs, untilMs }: Month): Promise<void> {
  // Names and bounds are ours, made from numbers below: DDL takes no parameters.
  await tx.run(plainSql(`create table ${table} (like frames including all)`));
  await tx.run(
    plainSql(
      `with moved as (delete from frames_default where recorded_at >= ${fromMs} and recorded_at < ${untilMs} returning *)
       insert into ${table} select * from moved`,
    ),
  );
  await tx.run(plainSql(`alter table frames attach partition ${table} for values from (${fromMs}) to (${untilMs})`));
}

function monthOf(now: number, offset: number): Month {
  const date = new Date(now);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + offset;
  const fromMs = Date.UTC(year, month);
  const untilMs = Date.UTC(year, month + 1);
  const name = new Date(fromMs).toISOString().slice(0, 7).replace("-", "_");
  return { table: `frames_${name}`, fromMs, untilMs };
}
