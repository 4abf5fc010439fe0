import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../database.ts";
import type { TimeKey, TimePage } from "../pages.ts";
import { limitTo, nothing, type Sql, sql } from "../sql.ts";
import { listed } from "../table.ts";
import { hasDriver } from "../trip-drivers.ts";
import { isVisible } from "../visible.ts";
import { type StoredTrip, type TripRow, tripTable, withDriversNamed } from "./trips.ts";

/**
 * The trips with a driver's tag that overlap the window, in ascending start. They are found in the index of first drivers, which has
 * all of one driver's together, and among the few trips with a handover; who looks sees some of them.
 */
export async function tripsDrivenBy(
  reader: Reader,
  visibility: Visibility,
  { device, fromMs, toMs, after, count }: TimePage<TimeKey>,
  driverId: string,
): Promise<TripRow[]> {
  const { accountId } = visibility;
  const ofDevice = device === null ? nothing : sql`and r.device = ${device}`;
  const isFirst = sql`r.driver_id = ${driverId}`;
  const isLater = sql`r.drivers_json is not null and r.driver_id <> ${driverId} and ${hasDriver(reader.engine, driverId)}`;
  // Of each vehicle only the last trip before the window can reach into it.
  const overlapping = (isDriven: Sql) => sql`
    select r.device, r.started_at from trips r
    where r.account_id = ${accountId} and ${isDriven} ${ofDevice} and r.started_at >= ${fromMs} and r.started_at < ${toMs}
    union all
    select r.device, max(r.started_at) from trips r
    where r.account_id = ${accountId} and ${isDriven} ${ofDevice} and r.started_at < ${fromMs} group by r.device`;
  const later = after === null ? nothing : sql`and (r.started_at, r.id) > (${after.at}, ${after.id})`;
  const rows = await reader.all<StoredTrip>(sql`
    select ${listed(tripTable.own, "r")}, d.id as device_id, d.imei
    from (${overlapping(isFirst)} union all ${overlapping(isLater)}) k
    cross join trips r cross join devices d
    where r.account_id = ${accountId} and r.device = k.device and r.started_at = k.started_at
      and (r.started_at >= ${fromMs} or r.ended_at is null or r.ended_at > ${fromMs})
      and d.device = k.device and ${isVisible(visibility)} ${later}
    order by r.started_at, r.id ${limitTo(count)}`);
  return withDriversNamed(reader, accountId, rows);
}
