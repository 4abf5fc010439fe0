import type { Visibility } from "../../domain/visibility.ts";
import type { Engine, Reader } from "../database.ts";
import type { DeviceIdentity } from "../fleet/devices.ts";
import type { IdPage } from "../pages.ts";
import { limitTo, nothing, numberRows, type Sql, sql } from "../sql.ts";
import { devicesInSight, ofEachDevice } from "../visible.ts";
import { inSight } from "./fleet-days.ts";
import { isDayIn, type MileageRange } from "./mileage.ts";

export const mileagePeriods = ["day", "week", "month", "total"] as const;
export type MileagePeriod = (typeof mileagePeriods)[number];

export const mileageGroups = ["device", "tag", "fleet"] as const;
export type MileageGroup = (typeof mileageGroups)[number];

/** What sums may be of. Those by driver are of trips (driven-days.ts). */
export const sumGroups = ["device", "tag", "driver", "fleet"] as const;
export type SumGroup = (typeof sumGroups)[number];

export interface MileageSums {
  readonly device_count: number;
  readonly distance_mm: number;
  readonly trip_count: number;
  readonly driving_ms: number;
  readonly idle_ms: number;
  readonly max_speed_m_per_h: number | null;
  readonly gap_distance_mm: number;
  /** Null if it is not known of a day. */
  readonly carried_mm: number | null;
}

export interface MileageSumRow extends MileageSums {
  /** By device: its number. By tag: the tags of devices, as JSON. By driver: the id of the tag or card; null: nobody was named. */
  readonly member: number | string | null;
  /** A day of the period. */
  readonly day: number;
}

export interface SummedDevice extends DeviceIdentity {
  readonly name: string;
  readonly plate: string | null;
  readonly tags_json: string;
}

/** The next devices in ascending public id. `from`: that one, too. */
export function devicesToSum(
  reader: Reader,
  visibility: Visibility,
  { device, after, from = null, count }: IdPage & { readonly device: number | null; readonly from?: string | null },
): Promise<SummedDevice[]> {
  const { tables, condition, id } = devicesInSight(visibility, device);
  const begin = from === null ? nothing : sql`and ${id} >= ${from}`;
  const start = after === null ? begin : sql`and ${id} > ${after}`;
  return reader.all(sql`
    select d.device, ${id} as id, d.imei, d.name, d.plate, d.tags_json from ${tables}
    where ${condition} ${start} order by ${id} ${limitTo(count)}`);
}

/** What these devices drove in each period, in any order. A period in which none of them has a row has none here. */
export function mileageSums(
  reader: Reader,
  visibility: Visibility,
  devices: Iterable<number>,
  {
    days,
    period,
    group,
  }: Pick<MileageRange, "days"> & { readonly period: MileagePeriod; readonly group: MileageGroup },
): Promise<MileageSumRow[]> {
  const onDays = sql`r.account_id = ${visibility.accountId} and r.device = d.device and ${isDayIn(days)}`;
  const mileage = ofEachDevice(reader.engine, sql`mileage_days`, onDays, sql`order by r.day`);
  const day = dayWithin(days);
  return reader.all(sql`
    select ${members[group]} as member, min(${day}) as day, count(distinct r.device) as device_count,
      cast(sum(r.distance_mm) as bigint) as distance_mm, cast(sum(r.trip_count) as bigint) as trip_count,
      cast(sum(r.driving_ms) as bigint) as driving_ms, cast(sum(r.idle_ms) as bigint) as idle_ms,
      max(r.max_speed_m_per_h) as max_speed_m_per_h, cast(sum(r.gap_distance_mm) as bigint) as gap_distance_mm,
      case when count(r.carried_mm) = count(*) then cast(sum(r.carried_mm) as bigint) end as carried_mm
    from ${inSight(reader, visibility, numberRows(devices))} ${mileage}
    group by ${groupings[group]} ${periodOf(reader.engine, period, day)}`);
}

const members: Readonly<Record<MileageGroup, Sql>> = { device: sql`d.device`, tag: sql`d.tags_json`, fleet: sql`0` };
const groupings: Readonly<Record<MileageGroup, Sql>> = {
  device: sql`d.device,`,
  tag: sql`d.tags_json,`,
  fleet: nothing,
};

/** Days of a zone that the account had before may begin a day earlier or later: they count as the window's first or last. */
function dayWithin([present, ...earlier]: MileageRange["days"]): Sql {
  if (earlier.length === 0) return sql`r.day`;
  const { fromDay, untilDay } = present;
  const cut = sql`case when r.day < ${fromDay} then ${fromDay} when r.day >= ${untilDay} then ${untilDay - 1} else r.day end`;
  return sql`cast(${cut} as integer)`;
}

/** What all days of a period have in common. 1970-01-01, which is day 0, was a Thursday; weeks begin on Monday. */
function periodOf(engine: Engine, period: MileagePeriod, day: Sql): Sql {
  switch (period) {
    case "day":
      return day;
    case "week":
      return sql`(${day} + 3) / 7`;
    case "month":
      return engine === "sqlite"
        ? sql`strftime('%Y-%m', ${day} * 86400, 'unixepoch')`
        : sql`date_trunc('month', date '1970-01-01' + ${day})`;
    case "total":
      return sql`r.account_id`;
  }
}
