import type { Visibility } from "../domain/visibility.ts";
import type { Reader } from "./database.ts";
import { limitTo } from "./pages.ts";
import { nothing, sql } from "./sql.ts";
import { devicesInSight, ofEachDevice } from "./visible.ts";

export interface MileageRow {
  readonly device_id: string;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
  /** UTC day, counted from 1970-01-01. */
  readonly day: number;
  readonly distance_mm: number;
  readonly distance_source: "odometer" | "gps";
  readonly start_odometer_m: number | null;
  readonly end_odometer_m: number | null;
  readonly trip_count: number;
  readonly driving_ms: number;
  readonly idle_ms: number;
  readonly max_speed_m_per_h: number | null;
  readonly gap_distance_mm: number;
  readonly updated_at: number;
}

/** Days are half-open, `fromDay <= day < untilDay`. */
export interface MileageRange {
  readonly device: number | null;
  readonly fromDay: number;
  readonly untilDay: number;
}

/** In ascending public id of the device, then by day: up to `count` rows after the one named. */
export function mileage(
  reader: Reader,
  visibility: Visibility,
  range: MileageRange,
  page: { readonly after: Pick<MileageRow, "device_id" | "day"> | null; readonly count: number },
): Promise<MileageRow[]> {
  const { tables, condition, id } = devicesInSight(visibility, range.device);
  const { after } = page;
  // An index knows this bound. The days of the device itself that were on the page before are left out below.
  const start = after === null ? nothing : sql`and ${id} >= ${after.device_id}`;
  const later = after === null ? nothing : sql`and (${id} > ${after.device_id} or r.day > ${after.day})`;
  const inRange = sql`r.account_id = ${visibility.accountId} and r.device = d.device
    and r.day >= ${range.fromDay} and r.day < ${range.untilDay} ${later}`;
  const days = ofEachDevice(reader.engine, sql`mileage_days`, inRange, sql`order by r.day ${limitTo(page.count)}`);
  return reader.all(sql`
    select d.id as device_id, d.imei, d.name, d.plate, r.day, r.distance_mm, r.distance_source, r.start_odometer_m,
      r.end_odometer_m, r.trip_count, r.driving_ms, r.idle_ms, r.max_speed_m_per_h, r.gap_distance_mm, r.updated_at
    from ${tables} ${days}
    where ${condition} ${start}
    order by ${id}, r.day ${limitTo(page.count)}`);
}
