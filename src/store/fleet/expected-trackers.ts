import { trackerKey } from "../../domain/text/identifiers.ts";
import { dayMs } from "../../domain/time/time.ts";
import type { TrackerProtocol } from "../../domain/tracker-protocols.ts";
import { bigint, integer, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Database, Reader, Transaction } from "../database.ts";
import { limitTo, listOf, sql } from "../sql.ts";
import { listed, omit, table } from "../table.ts";
import { isAccountThere } from "./unknown-devices.ts";

/**
 * Trackers that the owner of an account has announced: a tracker that calls by itself has no token that says whose it is, so this
 * is how its owner learns that it called. Not spread by account, since a call is looked up by what the tracker calls itself.
 */

/** More than a person connects in a month by hand. A larger fleet is loaded as a file. */
export const maxExpectedTrackers = 100;

/** What has not called by then was mistyped, or lies in a drawer. */
const expectedDays = 30;

const expectedTable = table("expected_trackers", ["account_id", "tracker_key"], {
  account_id: bigint,
  tracker_key: text,
  id: uuid,
  /** As it was entered: an IMEI or a tracker id. */
  tracker: text,
  entered_at: bigint,
  /** The last time; null: never. */
  called_at: orNull(bigint),
  last_protocol: orNull(oneOf<TrackerProtocol>()),
  count: integer,
});

const shown = omit(expectedTable.columns, "account_id");
const columns = listed(shown);

export type ExpectedTracker = RowOf<typeof shown>;

/** The newest first. */
export function expectedTrackers(reader: Reader, accountId: number, now: number): Promise<ExpectedTracker[]> {
  return reader.all(sql`
    select ${columns} from expected_trackers
    where account_id = ${accountId} and entered_at >= ${now - expectedDays * dayMs}
    order by entered_at desc, tracker_key`);
}

/**
 * Entered again, it is expected for longer. If the account knows already that it called, so does the entry. Null: there are too
 * many, or the account is gone.
 */
export async function expectTracker(
  tx: Transaction,
  accountId: number,
  tracker: string,
  now: number,
): Promise<ExpectedTracker | null> {
  // Those who enter some at once wait for each other, so that there are never too many.
  await tx.lock(`expected trackers of ${accountId}`);
  if (!(await isAccountThere(tx, accountId))) return null;
  await tx.run(
    sql`delete from expected_trackers where account_id = ${accountId} and entered_at < ${now - expectedDays * dayMs}`,
  );
  const others = await tx.all(sql`
    select id from expected_trackers where account_id = ${accountId} and tracker_key <> ${trackerKey(tracker)}
    ${limitTo(maxExpectedTrackers)}`);
  if (others.length >= maxExpectedTrackers) return null;
  const key = trackerKey(tracker);
  const call = await tx.get<Pick<ExpectedTracker, "called_at" | "last_protocol" | "count">>(sql`
    select last_seen_at as called_at, protocol as last_protocol, count from unknown_devices
    where account_id = ${accountId} and tracker_key = ${key} and protocol is not null
    order by last_seen_at desc ${limitTo(1)}`);
  const { called_at, last_protocol, count } = call ?? { called_at: null, last_protocol: null, count: 0 };
  return tx.get(sql`
    insert into expected_trackers (account_id, tracker_key, id, tracker, entered_at, called_at, last_protocol, count)
    values (${accountId}, ${key}, ${crypto.randomUUID()}, ${tracker}, ${now}, ${called_at}, ${last_protocol}, ${count})
    on conflict (account_id, tracker_key) do update set
      tracker = excluded.tracker,
      entered_at = excluded.entered_at,
      called_at = coalesce(expected_trackers.called_at, excluded.called_at),
      last_protocol = coalesce(expected_trackers.last_protocol, excluded.last_protocol)
    returning ${columns}`);
}

/** Whether the account expected it. */
export async function forgetExpectedTracker(tx: Transaction, accountId: number, id: string): Promise<boolean> {
  return (await tx.run(sql`delete from expected_trackers where account_id = ${accountId} and id = ${id}`)) > 0;
}

/** Which accounts expect which of these keys. */
export function accountsExpecting(
  reader: Reader,
  keys: Iterable<string>,
  now: number,
): Promise<Pick<RowOf<typeof expectedTable.columns>, "account_id" | "tracker_key">[]> {
  return reader.all(sql`
    select account_id, tracker_key from expected_trackers
    where tracker_key in ${listOf(keys)} and entered_at >= ${now - expectedDays * dayMs}`);
}

/** What a tracker has done since it was last written down. */
export interface TrackerCall {
  readonly key: string;
  readonly lastSeenAt: number;
  readonly protocol: TrackerProtocol;
  readonly count: number;
}

/** Of those that the account still expects. Several nodes may write about one, in any order. */
export async function saveExpectedCalls(
  tx: Transaction,
  accountId: number,
  calls: readonly TrackerCall[],
): Promise<void> {
  // In one order on every node, so that none waits for the other in a circle.
  for (const { key, lastSeenAt, protocol, count } of calls.toSorted((one, other) => (one.key < other.key ? -1 : 1))) {
    const isLater = sql`coalesce(called_at, 0) <= ${lastSeenAt}`;
    await tx.writeAny(sql`
      update expected_trackers set
        last_protocol = case when ${isLater} then ${protocol} else last_protocol end,
        called_at = case when ${isLater} then ${lastSeenAt} else called_at end,
        count = case when count > 1000000000 then count else count + ${count} end
      where account_id = ${accountId} and tracker_key = ${key}`);
  }
}

export async function forgetExpectedTrackers(database: Database, now: number): Promise<void> {
  const isOld = sql`entered_at < ${now - expectedDays * dayMs}`;
  const old = await database.get(sql`select 1 as there from expected_trackers where ${isOld} ${limitTo(1)}`);
  if (old !== null) await database.transaction((tx) => tx.run(sql`delete from expected_trackers where ${isOld}`));
}
