import { areInOrder } from "../domain/frame-text.ts";
import { dayMs } from "../domain/time.ts";
import type { Visibility } from "../domain/visibility.ts";
import { isEmbedded, type Reader } from "./database.ts";
import type { DeviceIdentity } from "./devices.ts";
import type { DeviceOfRow } from "./fact-table.ts";
import { type IdPage, limitTo, type TimePage } from "./pages.ts";
import { type DeviceMoment, rowsAt } from "./rows-at.ts";
import { nothing, type Sql, sql } from "./sql.ts";
import type { TimedTable } from "./timed-rows.ts";
import { devicesInSight } from "./visible.ts";

export interface LatestPositionRow {
  /** The device's public id. */
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
}

/** The key of a frame within its device. */
export interface FrameKey {
  readonly at: number;
  readonly digest: number;
}

/** In ascending public id of the device, without devices that have no valid position yet. */
export function latestPositions(
  reader: Reader,
  visibility: Visibility,
  page: IdPage & { readonly device: number | null },
): Promise<LatestPositionRow[]> {
  const { tables, condition, id } = devicesInSight(visibility, page.device);
  const start = page.after === null ? nothing : sql`and ${id} > ${page.after}`;
  return reader.all(sql`
    select d.id as device_id, d.imei, d.name, d.plate, r.recorded_at, r.received_at, r.fields_json, r.discontinuity,
      r.ignition_since, r.trip_id, r.geofence_ids_json
    from ${tables} cross join latest_positions r
    where ${condition} ${start} and r.account_id = ${visibility.accountId} and r.device = d.device
      and r.recorded_at is not null
    order by ${id} ${limitTo(page.count)}`);
}

export type HistoryPage = Omit<TimePage<FrameKey>, "device"> & {
  readonly device: DeviceIdentity;
  readonly validOnly: boolean;
};

/** The stored frames of one device, in the order they were recorded: concatenated, as `formatFrame` makes them. */
export async function history(reader: Reader, visibility: Visibility, page: HistoryPage): Promise<string> {
  const frames = framesOf(visibility, page);
  const asRows = () => reader.all<{ packed: string }>(frames).then(joined);
  if (!isEmbedded(reader)) return asRows();
  // SQLite takes longer to return rows one by one than to find them. It concatenates them in the order in which it
  // reads them, but does not promise to. Asking for the order again would cost a third of the page; checking it costs a
  // few microseconds.
  const whole = sql`select string_agg(packed, '') as texts from (${frames})`;
  const texts = (await reader.get<{ texts: string | null }>(whole))?.texts ?? "";
  return areInOrder(texts) ? texts : asRows();
}

/** The frames that were recorded at exactly these moments. */
export function historyAt(
  reader: Reader,
  visibility: Visibility,
  moments: readonly DeviceMoment[],
): Promise<(DeviceOfRow & DeviceMoment & { readonly packed: string })[]> {
  return rowsAt(reader, frameList, visibility, moments);
}

const frameList: TimedTable = {
  name: sql`frames`,
  time: sql`r.recorded_at`,
  key: sql`r.recorded_at, r.digest`,
  columns: sql`r.packed`,
};

/** Frames searched at a time. */
const framesPerSearch = 5_000;

/**
 * Whether a page may need to search many frames: rejected ones are read as well. PostgreSQL does so in another process,
 * where it delays nobody.
 */
export function isSearched(reader: Reader, { validOnly, after, fromMs, toMs }: HistoryPage): boolean {
  return validOnly && toMs - (after?.at ?? fromMs) > dayMs && isEmbedded(reader);
}

/** The time of the last of the next frames to search, valid or not; null if few remain. */
export async function endOfFrames(
  reader: Reader,
  { accountId }: Visibility,
  { device, fromMs, toMs }: Pick<HistoryPage, "device" | "fromMs" | "toMs">,
): Promise<number | null> {
  const row = await reader.get<{ at: number }>(sql`
    select r.recorded_at as at from frames r
    where r.account_id = ${accountId} and r.device = ${device.device}
      and r.recorded_at >= ${fromMs} and r.recorded_at < ${toMs}
    order by r.recorded_at, r.digest limit 1 offset ${framesPerSearch - 1}`);
  return row?.at ?? null;
}

function joined(rows: readonly { readonly packed: string }[]): string {
  return rows.map(({ packed }) => packed).join("");
}

const isValid = sql`and r.valid`;

function framesOf({ accountId, userId, sees }: Visibility, page: HistoryPage): Sql {
  const { after, device, validOnly } = page;
  const start = after === null ? nothing : sql`and (r.recorded_at, r.digest) > (${after.at}, ${after.digest})`;
  const assigned =
    sees === "account"
      ? nothing
      : sql`and exists (
          select 1 from assignments a
          where a.account_id = ${accountId} and a.user_id = ${userId} and a.device = ${device.device})`;
  return sql`
    select r.packed from frames r
    where r.account_id = ${accountId} and r.device = ${device.device} ${assigned}
      and r.recorded_at >= ${Math.max(page.fromMs, after?.at ?? page.fromMs)} and r.recorded_at < ${page.toMs} ${start}
      ${validOnly ? isValid : nothing}
    order by r.recorded_at, r.digest ${limitTo(page.count)}`;
}
