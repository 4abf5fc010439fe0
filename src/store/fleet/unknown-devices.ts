import { trackerKey } from "../../domain/text/identifiers.ts";
import { dayMs } from "../../domain/time/time.ts";
import type { TrackerProtocol } from "../../domain/tracker-protocols.ts";
import { bigint, integer, oneOf, orNull, text } from "../columns.ts";
import type { Database, Reader, Transaction } from "../database.ts";
import { eachAccount, type WalkPace } from "../each-account.ts";
import { limitTo, listOf, sql } from "../sql.ts";
import { table, upsert } from "../table.ts";
import { holdFleetRevision } from "./fleet-context.ts";

/** More than a person looks through. Anybody may send any number of IMEIs. */
export const maxUnknownDevices = 100;

/** A tracker that has been silent for longer is no longer waiting to be added. */
const unknownDeviceDays = 7;

const unknownDeviceTable = table("unknown_devices", ["account_id", "imei"], {
  account_id: bigint,
  /** Or what a tracker that has none calls itself. */
  imei: text,
  tracker_key: text,
  /** Null: what was sent with a token, or through a broker. */
  protocol: orNull(oneOf<TrackerProtocol>()),
  first_seen_at: bigint,
  last_seen_at: bigint,
  count: integer,
});

// Several nodes may write about one IMEI, in any order.
const bulk = upsert(unknownDeviceTable, ["first_seen_at"], {
  protocol: "coalesce(excluded.protocol, unknown_devices.protocol)",
  last_seen_at: `case when excluded.last_seen_at > unknown_devices.last_seen_at
    then excluded.last_seen_at else unknown_devices.last_seen_at end`,
  // Not more than an integer holds.
  count: `case when unknown_devices.count > 1000000000
    then unknown_devices.count else unknown_devices.count + excluded.count end`,
});

/** An IMEI or a tracker id that was refused, and how often since the last write. */
export interface UnknownDeviceRow {
  readonly imei: string;
  readonly protocol: TrackerProtocol | null;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly count: number;
}

/** Adds what was refused; forgets the oldest beyond the bound, and what is a device by now. Not for an account that is gone. */
export async function saveUnknownDevices(
  tx: Transaction,
  accountId: number,
  seen: readonly UnknownDeviceRow[],
): Promise<void> {
  if (!(await isAccountThere(tx, accountId))) return;
  const rows = seen
    .map(({ imei, protocol, firstSeenAt, lastSeenAt, count }) => ({
      account_id: accountId,
      imei,
      tracker_key: trackerKey(imei),
      protocol,
      first_seen_at: firstSeenAt,
      last_seen_at: lastSeenAt,
      count,
    }))
    // In one order on every node, so that none waits for the other in a circle.
    .sort((one, other) => (one.imei < other.imei ? -1 : 1));
  await tx.insertMany(bulk, rows);
  await tx.run(sql`
    delete from unknown_devices where account_id = ${accountId} and (
      exists (
        select 1 from device_directory d where d.imei = unknown_devices.imei and d.account_id = ${accountId})
      or protocol is not null and exists (
        select 1 from tracker_names n
        where n.tracker_key = unknown_devices.tracker_key and n.account_id = ${accountId})
      or imei not in (
        select imei from unknown_devices where account_id = ${accountId}
        order by last_seen_at desc, imei ${limitTo(maxUnknownDevices)}))`);
}

/** Erasing begins with the fleet's revision: it waits for this transaction, and erases what this has added. */
export async function isAccountThere(tx: Transaction, accountId: number): Promise<boolean> {
  if ((await holdFleetRevision(tx, accountId)) === null) return false;
  const row = await tx.get(sql`select 1 from accounts where account_id = ${accountId} and erasing_at is null`);
  return row !== null;
}

/** The newest first. What has become a device of the account is none of them. */
export function unknownDevicesOf(reader: Reader, accountId: number, now: number): Promise<UnknownDeviceRow[]> {
  return reader.all(sql`
    select u.imei, u.protocol, u.first_seen_at as "firstSeenAt", u.last_seen_at as "lastSeenAt", u.count from unknown_devices u
    where u.account_id = ${accountId} and u.last_seen_at >= ${now - unknownDeviceDays * dayMs}
      and not exists (
        select 1 from device_directory d where d.imei = u.imei and d.account_id = ${accountId})
      and (u.protocol is null or not exists (
        select 1 from tracker_names n where n.tracker_key = u.tracker_key and n.account_id = ${accountId}))
    order by u.last_seen_at desc, u.imei ${limitTo(maxUnknownDevices)}`);
}

export function forgetUnknownDevices(database: Database, now: number, pace: WalkPace): Promise<void> {
  return eachAccount(database, pace, async (accountId) => {
    const isOld = sql`account_id = ${accountId} and last_seen_at < ${now - unknownDeviceDays * dayMs}`;
    const old = await database.get(sql`select 1 as there from unknown_devices where ${isOld} ${limitTo(1)}`);
    if (old !== null) await database.transaction((tx) => tx.run(sql`delete from unknown_devices where ${isOld}`));
  });
}

/** Forgets these IMEIs and tracker ids, whichever account's senders were refused with them. */
export function forgetUnknownTrackers(database: Database, names: readonly string[], pace: WalkPace): Promise<void> {
  const keys = names.map(trackerKey);
  return eachAccount(database, pace, async (accountId) => {
    const ofAccount = sql`account_id = ${accountId}`;
    // Those that 1.3 noted have no key.
    for (const isOf of [
      sql`${ofAccount} and imei in ${listOf(names)}`,
      sql`${ofAccount} and tracker_key in ${listOf(keys)}`,
    ]) {
      const seen = await database.all(sql`select imei from unknown_devices where ${isOf}`);
      if (seen.length > 0) await database.transaction((tx) => tx.run(sql`delete from unknown_devices where ${isOf}`));
    }
  });
}
