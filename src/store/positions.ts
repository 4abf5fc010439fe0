import { areInOrder } from "../domain/frame-text.ts";
import type { Visibility } from "../domain/visibility.ts";
import { dayMs } from "../domain/window.ts";
import { isEmbedded, type Reader } from "./database.ts";
import type { DeviceIdentity } from "./devices.ts";
import { type IdPage, limitTo, type TimePage } from "./pages.ts";
import { nothing, type Sql, sql } from "./sql.ts";
import { devicesInSight } from "./visible.ts";

export interface LatestPositionRow {
  /** The device's public id. */
  readonly device_id: string;
  readonly imei: string;
  readonly recorded_at: number;
  readonly received_at: number;
  /** What the tracker reported, as `packReported` keeps it. */
  readonly fields_json: string;
  readonly discontinuity: number | boolean;
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

/** In ascending public id of the device. A device that has no valid position yet is not among them. */
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

/** The stored frames of one device, in the order they were recorded: one after another, as `packFrame` makes them. */
export async function history(reader: Reader, visibility: Visibility, page: HistoryPage): Promise<string> {
  const frames = framesOf(visibility, page);
  const asRows = () => reader.all<{ packed: string }>(frames).then(joined);
  if (!reader.getAtOnce) return asRows();
  // What SQLite hands over row by row takes longer to hand over than to find. It joins them in the order in which they come,
  // but does not promise to; to ask for that order again would cost a third of the page, to look at it a few microseconds.
  const whole = sql`select string_agg(packed, '') as texts from (${frames})`;
  const texts = reader.getAtOnce<{ texts: string | null }>(whole)?.texts ?? "";
  return areInOrder(texts) ? texts : asRows();
}

/** Frames that are looked at in one go. */
const framesPerPart = 5_000;

/**
 * Whether many frames may have to be looked at for a page: those that were rejected are read as well. PostgreSQL does so in
 * another process, where it delays nobody.
 */
export function isSearched(reader: Reader, { validOnly, after, fromMs, toMs }: HistoryPage): boolean {
  return validOnly && toMs - (after?.at ?? fromMs) > dayMs && isEmbedded(reader);
}

/** The time of the last of the next frames to look at, valid or not; null where the rest are few. */
export async function endOfFrames(
  reader: Reader,
  { accountId }: Visibility,
  { device, fromMs, toMs }: Pick<HistoryPage, "device" | "fromMs" | "toMs">,
): Promise<number | null> {
  const row = await reader.get<{ at: number }>(sql`
    select r.recorded_at as at from frames r
    where r.account_id = ${accountId} and r.device = ${device.device}
      and r.recorded_at >= ${fromMs} and r.recorded_at < ${toMs}
    order by r.recorded_at, r.digest limit 1 offset ${framesPerPart - 1}`);
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
