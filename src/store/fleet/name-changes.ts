import type { Reader, Transaction } from "../database.ts";
import { limitTo, sql } from "../sql.ts";

/** What the trackers of all devices call themselves, and what is new of it: a node that trackers call has all of it in memory. */

/** How far a node has read. */
export interface NamesPlace {
  /** All names up to this one, of those that were there in the beginning; null: all. */
  readonly key: string | null;
  /** All changes up to this number. */
  readonly change: number;
}

export interface NamesPage {
  /** As `trackerKey` has them. */
  readonly keys: readonly string[];
  readonly place: NamesPlace;
  /** Whether there were no more. */
  readonly isLast: boolean;
}

/**
 * Names after a place (null: from the beginning), in any order: first all, then those that devices have got since. Some may come
 * twice. A name that a device no longer has is not taken back.
 */
export async function namesPage(reader: Reader, after: NamesPlace | null, limit: number): Promise<NamesPage> {
  // Read before the names: what is changed meanwhile comes once more.
  const { key, change } = after ?? { key: "", change: await lastNameChange(reader) };
  const rows = await reader.all<{ tracker_key: string; name_change: number }>(
    key === null
      ? sql`
        select tracker_key, name_change from tracker_names
        where name_change > ${change} order by name_change ${limitTo(limit)}`
      : sql`
        select tracker_key, name_change from tracker_names
        where tracker_key > ${key} order by tracker_key ${limitTo(limit)}`,
  );
  const isEnd = rows.length < limit;
  const last = rows.at(-1);
  return {
    keys: rows.map(({ tracker_key }) => tracker_key),
    place:
      key === null
        ? { key, change: last?.name_change ?? change }
        : { key: isEnd ? null : (last?.tracker_key ?? key), change },
    // After all names comes what has changed meanwhile.
    isLast: key === null && isEnd,
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
