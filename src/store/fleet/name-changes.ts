import type { Reader, Transaction } from "../database.ts";
import { limitTo, sql } from "../sql.ts";

/** IMEIs and tracker ids of all devices, and those that are new: a node that trackers call has all of them in memory. */

/** How far somebody has read. */
export interface NamesPlace {
  /** All devices up to this one, of those that were there in the beginning; null: all. */
  readonly device: number | null;
  /** All changes up to this number. */
  readonly change: number;
}

export interface NamesPage {
  readonly names: readonly string[];
  readonly place: NamesPlace;
  /** Whether there were no more. */
  readonly isLast: boolean;
}

interface NamesRow {
  readonly at: number;
  readonly imei: string;
  readonly tracker_key: string | null;
}

/**
 * Names after a place (null: from the beginning), in any order: first of all devices, then those that devices have got since. Some
 * may come twice. A name that a device no longer has is not taken back.
 */
export async function namesPage(reader: Reader, after: NamesPlace | null, limit: number): Promise<NamesPage> {
  // Read before the devices: what is changed meanwhile comes once more.
  const { device, change } = after ?? { device: 0, change: await lastNameChange(reader) };
  const isFollowing = device === null;
  const rows = await (isFollowing
    ? reader.all<NamesRow>(sql`
        select name_change as at, imei, tracker_key from device_directory
        where name_change > ${change} order by name_change ${limitTo(limit)}`)
    : reader.all<NamesRow>(sql`
        select device as at, imei, tracker_key from device_directory
        where device > ${device} order by device ${limitTo(limit)}`));
  const isEnd = rows.length < limit;
  const at = rows.at(-1)?.at;
  return {
    names: rows.flatMap(({ imei, tracker_key }) => (tracker_key === null ? [imei] : [imei, tracker_key])),
    place: isFollowing ? { device, change: at ?? change } : { device: isEnd ? null : (at ?? device), change },
    // After all devices comes what has changed meanwhile.
    isLast: isFollowing && isEnd,
  };
}

async function lastNameChange(reader: Reader): Promise<number> {
  const row = await reader.get<{ last_change: number }>(sql`select last_change from tracker_name_changes where id = 1`);
  return row?.last_change ?? 0;
}

/** So many numbers in a row; returns the first. Nobody else gets a number until this transaction ends. */
export async function takeNameChanges(tx: Transaction, count: number): Promise<number> {
  await tx.write(sql`update tracker_name_changes set last_change = last_change + ${count} where id = 1`);
  return (await lastNameChange(tx)) - count + 1;
}
