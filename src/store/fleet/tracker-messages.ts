import { bigint, type RowOf, text } from "../columns.ts";
import type { Database, Reader, Transaction } from "../database.ts";
import { limitTo, listOf, sql } from "../sql.ts";
import { table, upsert } from "../table.ts";

/** A viewer that watches says so again within this time. */
const watchMs = 30_000;
/** Messages are for looking at now. */
const keptMs = 10 * 60_000;
/** Of one device; a tracker that sends ten a second must not fill the store. */
const maxMessages = 200;

const watchTable = table("tracker_watches", ["imei"], { imei: text, account_id: bigint, until_at: bigint });
const watchUpsert = upsert(watchTable);

const messageTable = table("tracker_messages", ["imei", "node", "number"], {
  imei: text,
  /** The process that received it. */
  node: text,
  /** Counts up in that process. */
  number: bigint,
  account_id: bigint,
  received_at: bigint,
  message_json: text,
});
// Two watchers of one device may have it written twice.
const messageInsert = { ...messageTable, onConflict: "on conflict (imei, node, number) do nothing" };

export type TrackerMessageRow = RowOf<typeof messageTable.columns>;

/**
 * Has the nodes write down what the tracker of this device sends, for half a minute. A viewer may say so as often as it
 * looks: it is written once in a while.
 */
export async function watchTracker(database: Database, accountId: number, imei: string, now: number): Promise<void> {
  const watched = await database.get(sql`
    select 1 as there from tracker_watches
    where imei = ${imei} and account_id = ${accountId} and until_at > ${now + (2 / 3) * watchMs}`);
  if (watched !== null) return;
  const row = { imei, account_id: accountId, until_at: now + watchMs };
  await database.transaction((tx) => tx.insertMany(watchUpsert, [row]));
}

export function watchedTrackers(reader: Reader, now: number): Promise<{ imei: string; account_id: number }[]> {
  return reader.all(sql`select imei, account_id from tracker_watches where until_at > ${now} order by imei`);
}

export async function saveTrackerMessages(database: Database, rows: readonly TrackerMessageRow[]): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.insertMany(messageInsert, rows);
    for (const imei of new Set(rows.map((row) => row.imei))) {
      await tx.run(sql`
        delete from tracker_messages where imei = ${imei} and received_at < (
          select received_at from tracker_messages where imei = ${imei}
          order by received_at desc ${limitTo(1)} offset ${maxMessages})`);
    }
  });
}

/** The oldest first. */
export function trackerMessages(reader: Reader, accountId: number, imei: string): Promise<TrackerMessageRow[]> {
  return reader.all(sql`
    select imei, node, number, account_id, received_at, message_json from tracker_messages
    where imei = ${imei} and account_id = ${accountId} order by received_at, number`);
}

export async function dropOldTrackerMessages(database: Database, now: number): Promise<void> {
  const isOld = sql`received_at < ${now - keptMs}`;
  const there = await database.get(sql`
    select 1 as there from tracker_messages where ${isOld} union all
    select 1 as there from tracker_watches where until_at < ${now - keptMs} ${limitTo(1)}`);
  if (there === null) return;
  await database.transaction(async (tx) => {
    await tx.run(sql`delete from tracker_messages where ${isOld}`);
    await tx.run(sql`delete from tracker_watches where until_at < ${now - keptMs}`);
  });
}

/** Of devices that are removed or erased. */
export async function forgetTrackerMessages(tx: Transaction, imeis: readonly string[]): Promise<void> {
  await tx.run(sql`delete from tracker_watches where imei in ${listOf(imeis)}`);
  await tx.run(sql`delete from tracker_messages where imei in ${listOf(imeis)}`);
}
