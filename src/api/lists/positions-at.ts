import type { Visibility } from "../../domain/visibility.ts";
import { isEmbedded, type Reader } from "../../store/database.ts";
import type { FoundFrame } from "../../store/frames/found-frames.ts";
import { type DeviceAt, devicesAt, frameBefore, type PositionsAtPage } from "../../store/frames/positions-at.ts";
import type { Nearby } from "../input/near.ts";
import type { PositionAtRow } from "../records/position-at.ts";
import { nextTurn } from "../turns.ts";
import { nearestRows } from "./nearest.ts";
import { firstRows, type RowsPart } from "./parts.ts";

/** Blocks that are opened in one turn, which takes some milliseconds. */
const blocksPerTurn = 100;
/** PostgreSQL finds them elsewhere; only opening them takes our time. */
const blocksPerStatement = 500;

/** A page of devices, each at its last valid position. Devices without one are skipped, in turn with other requests. */
export function positionsAt(reader: Reader, visibility: Visibility, page: PositionsAtPage): Promise<PositionAtRow[]> {
  return firstRows(page.count, partReader(reader, visibility, page, page.count));
}

/** The devices nearest to a place. */
export function positionsNear(
  reader: Reader,
  visibility: Visibility,
  page: PositionsAtPage,
  nearby: Nearby,
): Promise<PositionAtRow[]> {
  const read = partReader(reader, visibility, page, Number.POSITIVE_INFINITY);
  return nearestRows(nearby, page.count, read, ({ frame }) => frame.place);
}

function partReader(reader: Reader, visibility: Visibility, page: PositionsAtPage, wanted: number) {
  const maxCount = isEmbedded(reader) ? blocksPerTurn : blocksPerStatement;
  let left = wanted;
  return async (after: string | null): Promise<RowsPart<readonly PositionAtRow[], string>> => {
    const count = Math.min(left, maxCount);
    const devices = await devicesAt(reader, visibility, { ...page, after: after ?? page.after, count });
    const rows: PositionAtRow[] = [];
    for (const device of devices) {
      const frame = device.frame ?? (await earlierFrame(reader, visibility, device, page));
      const { device_id, imei } = device;
      if (frame !== null) rows.push({ device_id, imei, frame, age_ms: page.atMs - frame.recordedAt, distance_m: null });
    }
    left -= rows.length;
    return { rows, next: devices.length < count ? null : (devices.at(-1)?.device_id ?? null) };
  };
}

/** Goes back block by block, faster and faster, while all frames were rejected: at most as far as a position may be old. */
async function earlierFrame(
  reader: Reader,
  visibility: Visibility,
  { device, before }: DeviceAt,
  page: PositionsAtPage,
): Promise<FoundFrame | null> {
  let place = before;
  for (let count = 1; place !== null; count = Math.min(2 * count, blocksPerTurn)) {
    await nextTurn();
    const earlier = await frameBefore(reader, visibility, { device, before: place }, page, count);
    if (earlier.frame !== null) return earlier.frame;
    place = earlier.before;
  }
  return null;
}
