import type { TripFact } from "../../domain/facts.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { RowOf } from "../columns.ts";
import type { Engine, Reader } from "../database.ts";
import { type DeviceOfRow, factTable, scaled, tripId } from "../fact-table.ts";
import type { TimeKey, TimePage } from "../pages.ts";
import { limitTo, nothing, type Sql, sql } from "../sql.ts";
import { listed } from "../table.ts";
import { type DeviceMoment, pageById, rowsAt, type TimedPage, type TimedTable, timedRows } from "../timed-rows.ts";
import { devicesInSight, seesAll } from "../visible.ts";

/** The domain computes each field of a trip (`TripFact`); a line here stores it. */
export const tripTable = factTable<TripFact>()("trips", ["started_at", "id"], {
  id: ["uuid", (trip, owner) => tripId(owner, trip.startedAt)],
  started_at: ["bigint", (trip) => trip.startedAt],
  ended_at: ["bigint", (trip) => trip.endedAt],
  end_reason: ["text", (trip) => trip.endReason],
  start_latitude_e7: ["integer", (trip) => scaled(trip.start.latitude, 1e7)],
  start_longitude_e7: ["integer", (trip) => scaled(trip.start.longitude, 1e7)],
  end_latitude_e7: ["integer", (trip) => trip.end && scaled(trip.end.latitude, 1e7)],
  end_longitude_e7: ["integer", (trip) => trip.end && scaled(trip.end.longitude, 1e7)],
  distance_mm: ["bigint", (trip) => trip.distanceMm],
  duration_ms: ["bigint", (trip) => trip.durationMs],
  idle_ms: ["bigint", (trip) => trip.idleMs],
  max_speed_m_per_h: ["integer", (trip) => scaled(trip.maxSpeedKmh, 1000)],
  start_odometer_m: ["bigint", (trip) => scaled(trip.startOdometerKm, 1000)],
  end_odometer_m: ["bigint", (trip) => scaled(trip.endOdometerKm, 1000)],
  position_count: ["integer", (trip) => trip.positionCount],
  has_gap: ["boolean", (trip) => trip.hasGap],
  /** Null of rows from before schema 14, until their device is derived again. */
  received_at: ["bigint", (trip): number | null => trip.receivedAt],
  updated_at: ["bigint", (trip) => trip.updatedAt],
});

export interface TripRow extends DeviceOfRow, RowOf<typeof tripTable.own> {}

const table: TimedTable = {
  name: sql`trips`,
  time: sql`r.started_at`,
  key: sql`r.started_at, r.id`,
  columns: listed(tripTable.own, "r"),
};

/** The trips that overlap the window, in ascending start. The first ones may have started before it. */
export function trips(reader: Reader, visibility: Visibility, page: TimePage<TimeKey>): Promise<TripRow[]> {
  const { after, device } = page;
  const timed = pageById(page);
  const startedWithin = timedRows(reader.engine, table, visibility, device, timed);
  if (after !== null && after.at >= page.fromMs) return reader.all(startedWithin);

  const startedBefore =
    device === null && seesAll(visibility)
      ? underWayInAccount(reader.engine, visibility, timed)
      : [underWayInSight(visibility, device, timed)];
  const all = [...startedBefore, startedWithin].map((part) => sql`select * from (${part}) part`);
  return reader.all(sql`${all.reduce(unionAll)} order by started_at, id ${limitTo(page.count)}`);
}

export function tripsStarted(reader: Reader, visibility: Visibility, page: TimePage<TimeKey>): Promise<TripRow[]> {
  return reader.all(timedRows(reader.engine, table, visibility, page.device, pageById(page)));
}

export function tripsAt(
  reader: Reader,
  visibility: Visibility,
  moments: readonly DeviceMoment[],
): Promise<(TripRow & DeviceMoment)[]> {
  return rowsAt(reader, table, visibility, moments);
}

function unionAll(left: Sql, right: Sql): Sql {
  return sql`${left} union all ${right}`;
}

const hourMs = 3_600_000;

/** Must be word for word the expression of the index `trips_by_length`, or the index is not used. */
const lengthClassOfTrip = sql`case
  when r.ended_at is null then 6
  when r.ended_at - r.started_at < 3600000 then 0
  when r.ended_at - r.started_at < 14400000 then 1
  when r.ended_at - r.started_at < 57600000 then 2
  when r.ended_at - r.started_at < 230400000 then 3
  when r.ended_at - r.started_at < 921600000 then 4
  else 5 end`;

const lengthClasses = [
  { lengthClass: 0, belowMs: hourMs },
  { lengthClass: 1, belowMs: 4 * hourMs },
  { lengthClass: 2, belowMs: 16 * hourMs },
  { lengthClass: 3, belowMs: 64 * hourMs },
  { lengthClass: 4, belowMs: 256 * hourMs },
  // Without a bound: the few that took longer, and those in progress, of which there is one a device.
  { lengthClass: 5, belowMs: Number.MAX_SAFE_INTEGER },
  { lengthClass: 6, belowMs: Number.MAX_SAFE_INTEGER },
] as const;

/** Trips under way when the window began. Each class of length is searched only as far back as its trips can reach. */
function underWayInAccount(engine: Engine, visibility: Visibility, page: TimedPage): Sql[] {
  const { fromMs } = page;
  return lengthClasses.map(({ lengthClass, belowMs }) =>
    timedRows(engine, table, visibility, null, {
      ...page,
      fromMs: fromMs - belowMs,
      toMs: fromMs,
      conditions: sql`and (${lengthClassOfTrip}) = ${lengthClass} and ${wasUnderWayAt(fromMs)}`,
    }),
  );
}

/** Only the last trip of each device before the window can reach into it: trips of one device never overlap. */
function underWayInSight(visibility: Visibility, device: number | null, page: TimedPage): Sql {
  const { tables, condition } = devicesInSight(visibility, device);
  const { accountId } = visibility;
  const { fromMs, afterKey } = page;
  return sql`
    with latest as materialized (
      select d.device, d.id, d.imei, (
        select max(r.started_at) from trips r
        where r.account_id = ${accountId} and r.device = d.device and r.started_at < ${fromMs}) as started_at
      from ${tables} where ${condition})
    select ${table.columns}, d.id as device_id, d.imei
    from latest d cross join trips r
    where r.account_id = ${accountId} and r.device = d.device and r.started_at = d.started_at
      and ${wasUnderWayAt(fromMs)} ${afterKey === null ? nothing : sql`and (${table.key}) > (${afterKey})`}
    order by ${table.key} ${limitTo(page.count)}`;
}

function wasUnderWayAt(moment: number): Sql {
  return sql`(r.ended_at is null or r.ended_at > ${moment})`;
}
