import type { MileageFact } from "../../domain/facts.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { RowOf } from "../columns.ts";
import type { Reader } from "../database.ts";
import { type DayOwner, type DeviceOfRow, factTable, scaled } from "../fact-table.ts";
import type { KnownDevices } from "../pages.ts";
import { limitTo, nothing, type Sql, sql } from "../sql.ts";
import { listed } from "../table.ts";
import { type DeviceMoment, rowsAt, type TimedTable } from "../timed-rows.ts";
import { devicesInSight, ofEachDevice } from "../visible.ts";

export const mileageTable = factTable<MileageFact, DayOwner>()("mileage_days", ["day"], {
  /** Counted from 1970-01-01. */
  day: ["integer", (mileage) => mileage.day],
  time_zone: ["text", (_, { timeZone }) => timeZone],
  distance_mm: ["bigint", (mileage) => mileage.distanceMm],
  distance_source: ["text", (mileage) => mileage.distanceSource],
  start_odometer_m: ["bigint", (mileage) => scaled(mileage.startOdometerKm, 1000)],
  end_odometer_m: ["bigint", (mileage) => scaled(mileage.endOdometerKm, 1000)],
  trip_count: ["integer", (mileage) => mileage.tripCount],
  driving_ms: ["bigint", (mileage) => mileage.drivingMs],
  idle_ms: ["bigint", (mileage) => mileage.idleMs],
  max_speed_m_per_h: ["integer", (mileage) => scaled(mileage.maxSpeedKmh, 1000)],
  gap_distance_mm: ["bigint", (mileage) => mileage.gapDistanceMm],
  carried_mm: ["bigint", (mileage): number | null => mileage.carriedMm],
  updated_at: ["bigint", (mileage) => mileage.updatedAt],
});

export interface MileageRow extends DeviceOfRow, RowOf<typeof mileageTable.own> {
  readonly name: string;
  readonly plate: string | null;
}

const columns = sql`d.id as device_id, d.imei, d.name, d.plate, ${listed(mileageTable.own, "r")}`;

/** Days of one time zone. They are half-open, `fromDay <= day < untilDay`. */
export interface ZoneDayRange {
  readonly timeZone: string;
  readonly fromDay: number;
  readonly untilDay: number;
}

export interface MileageRange {
  readonly device: number | null;
  /** All devices in sight that have the tag, if they are few. It only saves looking at others. */
  readonly among?: KnownDevices | undefined;
  /** The days in each zone that they may be counted by: the present one, then zones that the account had before. */
  readonly days: readonly [ZoneDayRange, ...ZoneDayRange[]];
}

/** In ascending public id of the device, then by day: up to `count` rows after the one named. */
export function mileageDays(
  reader: Reader,
  visibility: Visibility,
  range: MileageRange,
  page: { readonly after: Pick<MileageRow, "device_id" | "day"> | null; readonly count: number },
): Promise<MileageRow[]> {
  const { tables, condition, id } = devicesInSight(visibility, range.device, range.among?.table);
  const { after } = page;
  // This bound uses an index. The device's own days on the page before are excluded below.
  const start = after === null ? nothing : sql`and ${id} >= ${after.device_id}`;
  const later = after === null ? nothing : sql`and (${id} > ${after.device_id} or r.day > ${after.day})`;
  const inRange = sql`r.account_id = ${visibility.accountId} and r.device = d.device and ${isDayIn(range.days)} ${later}`;
  const days = ofEachDevice(reader.engine, sql`mileage_days`, inRange, sql`order by r.day ${limitTo(page.count)}`);
  return reader.all(sql`
    select ${columns} from ${tables} ${days}
    where ${condition} ${start}
    order by ${id}, r.day ${limitTo(page.count)}`);
}

export function mileageAt(
  reader: Reader,
  visibility: Visibility,
  days: readonly DeviceMoment[],
): Promise<(MileageRow & DeviceMoment)[]> {
  return rowsAt(reader, byDay, visibility, days);
}

const byDay: TimedTable = {
  name: sql`mileage_days`,
  time: sql`r.day`,
  key: sql`r.day`,
  columns: sql`${listed(mileageTable.own, "r")}, d.name, d.plate`,
};

/** Whether row `r` is of one of these days. An account that never had another zone, as most, has rows of one zone only. */
export function isDayIn(ranges: MileageRange["days"]): Sql {
  const [only, ...others] = ranges;
  if (others.length === 0) return sql`r.day >= ${only.fromDay} and r.day < ${only.untilDay}`;
  // These bounds use the index; the zones differ by a day or two.
  const fromDay = Math.min(...ranges.map((range) => range.fromDay));
  const untilDay = Math.max(...ranges.map((range) => range.untilDay));
  const ofZone = ranges
    .map((range) => sql`r.time_zone = ${range.timeZone} and r.day >= ${range.fromDay} and r.day < ${range.untilDay}`)
    .reduce((all, one) => sql`${all} or ${one}`);
  return sql`r.day >= ${fromDay} and r.day < ${untilDay} and (${ofZone})`;
}
