import type { Visibility } from "../../domain/visibility.ts";
import { bigint, integer, orNull } from "../columns.ts";
import type { Database, Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { listOf, sql } from "../sql.ts";
import { bulkUpdate, pick, table } from "../table.ts";
import { isVisible } from "../visible.ts";

/** A fault that lasts is saved as often as this, by the times of receipt. */
export const refreshFaultMs = 5 * 60_000;

/** If later frames came without it being saved again, it is over. */
const overAfterMs = 2 * refreshFaultMs;

/** Beside the live state, which goes with its device. They are no part of it: no reader of positions sees them. */
const faultTable = table("latest_positions", ["account_id", "device"], {
  account_id: bigint,
  device: bigint,
  clock_ahead_s: orNull(integer),
  clock_ahead_at: orNull(bigint),
  twin_at: orNull(bigint),
});

// The device may have been erased meanwhile.
const clocks = {
  ...bulkUpdate(faultTable, pick(faultTable.columns, "clock_ahead_s", "clock_ahead_at")),
  rowsMayBeGone: true,
};
const twins = { ...bulkUpdate(faultTable, pick(faultTable.columns, "twin_at")), rowsMayBeGone: true };

/** `clockAheadS`: what its clock shows too much; null: two trackers send with its IMEI. */
export interface TrackerFault extends DeviceKey {
  readonly clockAheadS: number | null;
  /** The receipt of the frame that shows it. */
  readonly seenAt: number;
}

export async function saveTrackerFaults(database: Database, faults: readonly TrackerFault[]): Promise<void> {
  const ordered = faults.toSorted((one, other) => one.device - other.device);
  for (const [account_id, own] of Map.groupBy(ordered, ({ accountId }) => accountId)) {
    const rows = own.map(({ device, clockAheadS, seenAt }) => {
      return { account_id, device, clock_ahead_s: clockAheadS, clock_ahead_at: seenAt, twin_at: seenAt };
    });
    await database.transaction(async (tx) => {
      await tx.updateMany(
        clocks,
        rows.filter(({ clock_ahead_s }) => clock_ahead_s !== null),
      );
      await tx.updateMany(
        twins,
        rows.filter(({ clock_ahead_s }) => clock_ahead_s === null),
      );
    });
  }
}

/** For devices whose tracker, or what is said of it, was changed: whether it helped shows with their next frames. */
export async function clearTrackerFaults(tx: Transaction, accountId: number, devices: Iterable<number>): Promise<void> {
  await tx.writeAny(sql`
    update latest_positions set clock_ahead_s = null, clock_ahead_at = null, twin_at = null
    where account_id = ${accountId} and device in ${listOf(devices)}
      and (clock_ahead_at is not null or twin_at is not null)`);
}

export interface FaultyTracker {
  /** The device's public id. */
  readonly id: string;
  readonly tracker_clock: string | null;
  /** Beyond `tracker_clock`; null: the clock is right. */
  readonly clockAheadS: number | null;
  readonly clockAheadAt: number;
  readonly isTwin: boolean;
}

/** Those that are not over. */
export async function visibleTrackerFaults(reader: Reader, visibility: Visibility): Promise<FaultyTracker[]> {
  const rows = await reader.all<{
    readonly id: string;
    readonly tracker_clock: string | null;
    readonly last_seen_at: number;
    readonly clock_ahead_s: number | null;
    readonly clock_ahead_at: number | null;
    readonly twin_at: number | null;
  }>(sql`
    select d.id, d.tracker_clock, p.last_seen_at, p.clock_ahead_s, p.clock_ahead_at, p.twin_at
    from latest_positions p cross join devices d
    where p.account_id = ${visibility.accountId} and (p.clock_ahead_at is not null or p.twin_at is not null)
      and d.device = p.device and ${isVisible(visibility)} order by p.device`);
  return rows.flatMap(({ id, tracker_clock, last_seen_at, clock_ahead_s, clock_ahead_at, twin_at }) => {
    const isNow = (at: number | null) => at !== null && at >= last_seen_at - overAfterMs;
    const clockAheadS = isNow(clock_ahead_at) ? clock_ahead_s : null;
    const isTwin = isNow(twin_at);
    if (clockAheadS === null && !isTwin) return [];
    return [{ id, tracker_clock, clockAheadS, clockAheadAt: clock_ahead_at ?? 0, isTwin }];
  });
}
