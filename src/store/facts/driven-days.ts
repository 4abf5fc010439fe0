import type { SharedDay, SharedTrip } from "../../domain/mileage/driver-shares.ts";
import { dayOf } from "../../domain/time/time.ts";
import { storedZone } from "../../domain/time/time-zone.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../database.ts";
import { numberRows, type Sql, sql } from "../sql.ts";
import { driversOfTrip } from "../trip-drivers.ts";
import { ofEachDevice } from "../visible.ts";
import { inSight } from "./fleet-days.ts";
import type { MileageRange } from "./mileage.ts";

/** The days of devices and their trips, from which it follows who drove how much (src/domain/mileage/driver-shares.ts). */
export interface DrivenDays {
  readonly days: readonly DrivenDay[];
  readonly trips: readonly SharedTrip[];
}

export interface DrivenDay extends SharedDay {
  readonly day: number;
  /** Whether the report is about it: those around it are there for trips that reach into it. */
  readonly isIn: boolean;
}

/** Of these devices, by internal number. One without a day of mileage is not among them. */
export async function drivenDays(
  reader: Reader,
  visibility: Visibility,
  devices: readonly number[],
  { days }: Pick<MileageRange, "days">,
): Promise<ReadonlyMap<number, DrivenDays>> {
  const tripRows = await tripsTouching(reader, visibility, devices, days);
  const dayRows = await daysAround(reader, visibility, devices, days, tripRows);
  const trips = Map.groupBy(tripRows, ({ device }) => device);
  return new Map(
    Map.groupBy(dayRows, ({ device }) => device)
      .entries()
      .map(([device, rows]) => [
        device,
        { days: rows.map((row) => dayOfRow(row, days)), trips: (trips.get(device) ?? []).map(tripOfRow) },
      ]),
  );
}

interface TripRow {
  readonly device: number;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly distance_mm: number;
  readonly duration_ms: number;
  readonly idle_ms: number;
  readonly max_speed_m_per_h: number | null;
  readonly has_gap: number | boolean;
  readonly driver_id: string | null;
  readonly drivers_json: string | null;
}

interface DayRow {
  readonly device: number;
  readonly day: number;
  readonly time_zone: string;
  readonly distance_mm: number;
  readonly trip_count: number;
  readonly driving_ms: number;
  readonly idle_ms: number;
  readonly max_speed_m_per_h: number | null;
  readonly gap_distance_mm: number;
  readonly carried_mm: number | null;
}

/** The trips that started on the days, and the last one before, which may reach into them. */
function tripsTouching(
  reader: Reader,
  visibility: Visibility,
  devices: readonly number[],
  days: MileageRange["days"],
): Promise<TripRow[]> {
  const { accountId } = visibility;
  const fromMs = Math.min(...days.map(({ timeZone, fromDay }) => storedZone(timeZone).startOf(fromDay)));
  const untilMs = Math.max(...days.map(({ timeZone, untilDay }) => storedZone(timeZone).startOf(untilDay)));
  const before = sql`select max(b.started_at) from trips b
    where b.account_id = ${accountId} and b.device = d.device and b.started_at < ${fromMs}`;
  // A trip on which it was carried is no driver's.
  const inRange = sql`r.account_id = ${accountId} and r.device = d.device and coalesce(r.carried_mm, 0) = 0
    and r.started_at >= coalesce((${before}), ${fromMs}) and r.started_at < ${untilMs}`;
  return rowsOf(
    reader,
    visibility,
    devices,
    sql`r.device, r.started_at, r.ended_at, r.distance_mm, r.duration_ms, r.idle_ms, r.max_speed_m_per_h, r.has_gap,
      r.driver_id, r.drivers_json`,
    ofEachDevice(reader.engine, sql`trips`, inRange, sql`order by r.started_at`),
    sql`r.started_at`,
  );
}

/** With the days before and after on which a trip was under way, in any zone. */
function daysAround(
  reader: Reader,
  visibility: Visibility,
  devices: readonly number[],
  days: MileageRange["days"],
  trips: readonly TripRow[],
): Promise<DayRow[]> {
  const { accountId } = visibility;
  let fromDay = Math.min(...days.map((range) => range.fromDay));
  let untilDay = Math.max(...days.map((range) => range.untilDay));
  for (const trip of trips) {
    fromDay = Math.min(fromDay, dayOf(trip.started_at) - 1);
    untilDay = Math.max(untilDay, dayOf(trip.started_at + trip.duration_ms) + 2);
  }
  const inRange = sql`r.account_id = ${accountId} and r.device = d.device and r.day >= ${fromDay} and r.day < ${untilDay}`;
  return rowsOf(
    reader,
    visibility,
    devices,
    sql`r.device, r.day, r.time_zone, r.distance_mm, r.trip_count, r.driving_ms, r.idle_ms, r.max_speed_m_per_h,
      r.gap_distance_mm, r.carried_mm`,
    ofEachDevice(reader.engine, sql`mileage_days`, inRange, sql`order by r.day`),
    sql`r.day`,
  );
}

function rowsOf<Row>(
  reader: Reader,
  visibility: Visibility,
  devices: readonly number[],
  columns: Sql,
  rows: Sql,
  order: Sql,
): Promise<Row[]> {
  return reader.all(sql`
    select ${columns} from ${inSight(reader, visibility, numberRows(devices))} ${rows} order by r.device, ${order}`);
}

function dayOfRow(row: DayRow, ranges: MileageRange["days"]): DrivenDay {
  const { day, time_zone } = row;
  const zone = storedZone(time_zone);
  const [present] = ranges;
  const isOf = ({ timeZone, fromDay, untilDay }: (typeof ranges)[number]) =>
    (ranges.length === 1 || timeZone === time_zone) && day >= fromDay && day < untilDay;
  return {
    // Days of a zone that the account had before count as the window's first or last.
    day: Math.min(Math.max(day, present.fromDay), present.untilDay - 1),
    isIn: ranges.some(isOf),
    from: zone.startOf(day),
    until: zone.startOf(day + 1),
    distanceMm: row.distance_mm,
    drivingMs: row.driving_ms,
    idleMs: row.idle_ms,
    gapMm: row.gap_distance_mm,
    tripCount: row.trip_count,
    maxSpeedMPerH: row.max_speed_m_per_h,
    carriedMm: row.carried_mm,
  };
}

function tripOfRow(row: TripRow): SharedTrip {
  const { started_at: startedAt, duration_ms } = row;
  const endedAt = row.ended_at ?? startedAt + duration_ms;
  const drivers = driversOfTrip(row).map((driver) => ({ ...driver, until: driver.until ?? endedAt }));
  return {
    startedAt,
    endedAt,
    distanceMm: row.distance_mm,
    idleMs: row.idle_ms,
    maxSpeedMPerH: row.max_speed_m_per_h,
    hasGap: Boolean(row.has_gap),
    driven: drivers.length === 0 ? [{ driverId: null, from: startedAt, until: endedAt }] : drivers,
  };
}
