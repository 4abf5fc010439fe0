import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../database.ts";
import type { DeviceIdentity } from "../fleet/devices.ts";
import { withDriverNames } from "../fleet/drivers.ts";
import type { IdPage, TimePage } from "../pages.ts";
import { limitTo, nothing, type Sql, sql } from "../sql.ts";
import { devicesInSight, seesAll } from "../visible.ts";
import { type FoundRuns, readFrames } from "./frame-reads.ts";

export interface LatestPositionRow {
  readonly device_id: string;
  readonly imei: string;
  readonly recorded_at: number;
  readonly received_at: number;
  /** What the tracker reported, as `formatReported` writes it. */
  readonly fields_json: string;
  readonly discontinuity: number | boolean;
  readonly name: string;
  readonly plate: string | null;
  readonly ignition_since: number | null;
  readonly trip_id: string | null;
  readonly geofence_ids_json: string | null;
  readonly driver_id: string | null;
  /** As the driver is called now; null if nobody named the id. */
  readonly driver_name: string | null;
}

export interface FrameKey {
  readonly at: number;
  readonly digest: number;
}

/** In ascending public id of the device, without devices that have no valid position yet. */
export async function latestPositions(
  reader: Reader,
  visibility: Visibility,
  page: IdPage & { readonly device: number | null },
): Promise<LatestPositionRow[]> {
  const { tables, condition, id } = devicesInSight(visibility, page.device);
  const start = page.after === null ? nothing : sql`and ${id} > ${page.after}`;
  const rows = await reader.all<LatestPositionRow>(sql`
    select d.id as device_id, d.imei, d.name, d.plate, r.recorded_at, r.received_at, r.fields_json, r.discontinuity,
      r.ignition_since, r.trip_id, r.geofence_ids_json, r.driver_id, cast(null as text) as driver_name
    from ${tables} cross join latest_positions r
    where ${condition} ${start} and r.account_id = ${visibility.accountId} and r.device = d.device
      and r.recorded_at is not null
    order by ${id} ${limitTo(page.count)}`);
  // Most trackers say nothing of drivers, and this list is polled.
  const hasDrivers = rows.some(({ driver_id }) => driver_id !== null);
  return hasDrivers ? withDriverNames(reader, visibility.accountId, rows) : rows;
}

export type HistoryPage = Omit<TimePage<FrameKey>, "device"> & {
  readonly device: DeviceIdentity;
  readonly validOnly: boolean;
};

/** The next of a device's stored frames, in the order they were recorded. Others may be found from `nextMs` on. */
export function history(reader: Reader, visibility: Visibility, page: HistoryPage): Promise<FoundRuns> {
  const { accountId } = visibility;
  const { device } = page.device;
  const condition = seesAll(visibility) ? nothing : isInSight(visibility, device);
  const { fromMs, toMs, after, count, validOnly } = page;
  return readFrames(reader, {
    accountId,
    device,
    fromMs,
    toMs,
    after: after && { recordedAt: after.at, digest: after.digest },
    count,
    which: validOnly ? "valid" : "all",
    condition,
    isPage: true,
  });
}

function isInSight(visibility: Visibility, device: number): Sql {
  const { tables, condition } = devicesInSight(visibility, device);
  return sql`and exists (select 1 from ${tables} where ${condition})`;
}
