import type { Reader } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { hasSensors } from "../frames/recent-frames.ts";
import { waitingLines } from "../frames/waiting-frames.ts";
import { listOf, nothing, type Sql, sql } from "../sql.ts";

export interface FactCounts {
  readonly trips: number;
  readonly crossings: number;
  readonly alerts: number;
}

/** The facts of these devices that are not over by a moment; null: of all devices of the account. */
export async function countFacts(
  reader: Reader,
  accountId: number,
  devices: Iterable<number> | null,
  from: number,
): Promise<FactCounts> {
  const ofDevices = devices === null ? nothing : sql`and device in ${listOf(devices)}`;
  return sum(await reader.all<FactCounts>(countsOf(accountId, from, ofDevices)));
}

function countsOf(accountId: number, from: number, ofDevices: Sql): Sql {
  return sql`select
    (select count(*) from trips
      where account_id = ${accountId} ${ofDevices} and (ended_at is null or ended_at >= ${from})) as trips,
    (select count(*) from geofence_events
      where account_id = ${accountId} ${ofDevices} and occurred_at >= ${from}) as crossings,
    (select count(*) from alerts
      where account_id = ${accountId} ${ofDevices} and occurred_at >= ${from}) as alerts`;
}

function sum(parts: readonly FactCounts[]): FactCounts {
  return parts.reduce(
    (all, part) => ({
      trips: all.trips + part.trips,
      crossings: all.crossings + part.crossings,
      alerts: all.alerts + part.alerts,
    }),
    { trips: 0, crossings: 0, alerts: 0 },
  );
}

/** How much is stored of a device: what is lost if it is erased. */
export interface StoredOfDevice {
  readonly frames: number;
  readonly trips: number;
  readonly alerts: number;
  /** Frames with readings of sensors, about: a block of frames is counted as a whole. */
  readonly readings: number;
  /** When the first and the last frame was recorded; null: there is none. */
  readonly first_at: number | null;
  readonly last_at: number | null;
}

/** Blocks are counted, not opened. */
export async function storedOfDevice(reader: Reader, { accountId, device }: DeviceKey): Promise<StoredOfDevice> {
  const isOwn = sql`account_id = ${accountId} and device = ${device}`;
  const waiting = await waitingLines(reader, { accountId, device });
  const readings = waiting.filter(({ sensors }) => sensors.length > 0).length;
  const rows = sql`
    select sum(count) as frames, sum(case when kinds > 0 then count else 0 end) as readings,
      min(from_at) as first_at, max(until_at) as last_at from frame_blocks where ${isOwn}
    union all
    select 0, sum(count), min(from_at), max(until_at) from reading_blocks where ${isOwn}
    union all
    select cast(${waiting.length} as bigint), cast(${readings} as bigint),
      cast(${waiting[0]?.recordedAt ?? null} as bigint), cast(${waiting.at(-1)?.recordedAt ?? null} as bigint)
    union all
    select count(*), sum(case when ${hasSensors} then 1 else 0 end), null, null from untimely_frames where ${isOwn}`;
  const stored = await reader.get<StoredOfDevice>(sql`
    select cast(coalesce(sum(frames), 0) as bigint) as frames, cast(coalesce(sum(readings), 0) as bigint) as readings,
      min(first_at) as first_at, max(last_at) as last_at,
      (select count(*) from trips where ${isOwn}) as trips,
      (select count(*) from alerts where ${isOwn} and not withdrawn) as alerts
    from (${rows}) parts`);
  if (stored === null) throw new Error("a sum has no row");
  return stored;
}
