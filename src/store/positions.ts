import type { Visibility } from "../domain/visibility.ts";
import type { Reader } from "./database.ts";
import type { DeviceIdentity } from "./devices.ts";
import { type IdPage, limitTo, type TimePage } from "./pages.ts";
import { nothing, sql } from "./sql.ts";
import { devicesInSight } from "./visible.ts";

/** What history and the live positions both show of a frame. */
export interface PositionRow {
  /** The device's public id. */
  readonly device_id: string;
  readonly imei: string;
  readonly recorded_at: number;
  readonly received_at: number;
  /** What the tracker reported, as `packReported` keeps it. */
  readonly fields_json: string;
  readonly discontinuity: number | boolean;
}

export interface FrameRow extends PositionRow {
  readonly digest: number;
  readonly valid: number | boolean;
  readonly reject_reason: string | null;
}

export interface LatestPositionRow extends PositionRow {
  readonly name: string;
  readonly plate: string | null;
  readonly ignition_since: number | null;
  readonly trip_id: string | null;
  readonly geofence_ids_json: string | null;
}

/** The key of a frame among those of its device. */
export interface FrameKey {
  readonly at: number;
  readonly digest: number;
}

const columns = sql`r.recorded_at, r.received_at, r.fields_json, r.discontinuity`;

/** In ascending public id of the device. A device that has no valid position yet is not among them. */
export function latestPositions(
  reader: Reader,
  visibility: Visibility,
  page: IdPage & { readonly device: number | null },
): Promise<LatestPositionRow[]> {
  const { tables, condition, id } = devicesInSight(visibility, page.device);
  const start = page.after === null ? nothing : sql`and ${id} > ${page.after}`;
  return reader.all(sql`
    select d.id as device_id, d.imei, d.name, d.plate, ${columns}, r.ignition_since, r.trip_id, r.geofence_ids_json
    from ${tables} cross join latest_positions r
    where ${condition} ${start} and r.account_id = ${visibility.accountId} and r.device = d.device
      and r.recorded_at is not null
    order by ${id} ${limitTo(page.count)}`);
}

/**
 * The stored frames of one device in the order they were recorded. What is the same in all of them is not read from each:
 * two texts a row would cost as much as all its numbers.
 */
export async function history(
  reader: Reader,
  visibility: Visibility,
  page: Omit<TimePage<FrameKey>, "device"> & { readonly device: DeviceIdentity; readonly validOnly: boolean },
): Promise<FrameRow[]> {
  const { after, device, validOnly } = page;
  const { accountId, userId } = visibility;
  const verdict = validOnly ? nothing : sql`, r.valid, r.reject_reason`;
  const start = after === null ? nothing : sql`and (r.recorded_at, r.digest) > (${after.at}, ${after.digest})`;
  const assigned =
    visibility.sees === "account"
      ? nothing
      : sql`and exists (
          select 1 from assignments a
          where a.account_id = ${accountId} and a.user_id = ${userId} and a.device = ${device.device})`;
  const rows = await reader.all<Mutable<FrameRow>>(sql`
    select ${columns}, r.digest ${verdict} from frames r
    where r.account_id = ${accountId} and r.device = ${device.device} ${assigned}
      and r.recorded_at >= ${Math.max(page.fromMs, after?.at ?? page.fromMs)} and r.recorded_at < ${page.toMs} ${start}
      ${validOnly ? sql`and r.valid` : nothing}
    order by r.recorded_at, r.digest ${limitTo(page.count)}`);
  for (const row of rows) {
    row.device_id = device.id;
    row.imei = device.imei;
    if (validOnly) {
      row.valid = true;
      row.reject_reason = null;
    }
  }
  return rows;
}

type Mutable<Row> = { -readonly [Name in keyof Row]: Row[Name] };
