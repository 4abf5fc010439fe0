import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../database.ts";
import { withDriverNames } from "../fleet/drivers.ts";
import type { TimeKey, TimePage } from "../pages.ts";
import { limitTo, nothing, sql } from "../sql.ts";
import { listed } from "../table.ts";
import { isVisible } from "../visible.ts";
import { type StoredTrip, type TripRow, tripTable } from "./trips.ts";

/**
 * The trips with a driver's tag that overlap the window, in ascending start. They are found in the index of drivers, which has all
 * of one driver's together; who looks sees some of them.
 */
export async function tripsDrivenBy(
  reader: Reader,
  visibility: Visibility,
  { device, fromMs, toMs, after, count }: TimePage<TimeKey>,
  driverId: string,
): Promise<TripRow[]> {
  const { accountId } = visibility;
  const ofDriver = sql`r.account_id = ${accountId} and r.driver_id = ${driverId}
    ${device === null ? nothing : sql`and r.device = ${device}`}`;
  const later = after === null ? nothing : sql`and (r.started_at, r.id) > (${after.at}, ${after.id})`;
  // Of each vehicle only the last trip before the window can reach into it.
  const rows = await reader.all<StoredTrip>(sql`
    select ${listed(tripTable.own, "r")}, d.id as device_id, d.imei
    from (
      select r.device, r.started_at from trips r
      where ${ofDriver} and r.started_at >= ${fromMs} and r.started_at < ${toMs}
      union all
      select r.device, max(r.started_at) from trips r
      where ${ofDriver} and r.started_at < ${fromMs} group by r.device) k
    cross join trips r cross join devices d
    where r.account_id = ${accountId} and r.device = k.device and r.started_at = k.started_at
      and (r.started_at >= ${fromMs} or r.ended_at is null or r.ended_at > ${fromMs})
      and d.device = k.device and ${isVisible(visibility)} ${later}
    order by r.started_at, r.id ${limitTo(count)}`);
  return withDriverNames(reader, accountId, rows);
}
