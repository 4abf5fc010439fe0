import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import {
  type DeviceWithReadings,
  devicesWithReadings,
  framesWithReadings,
} from "../../store/frames/device-readings.ts";
import {
  endOfMoments,
  inOrder,
  isLater,
  type ReadingKey,
  type ReadingRow,
  readingMoments,
  readingsAt,
  readingsOf,
  type SensorKind,
} from "../../store/frames/readings.ts";
import type { TimePage } from "../../store/pages.ts";
import type { DeviceMoment } from "../../store/timed-rows.ts";
import { seesAll } from "../../store/visible.ts";
import { nextTurn } from "../turns.ts";
import { firstRows, inParts, rowsInSight, type SearchedList } from "./parts.ts";

type ReadingPage = TimePage<ReadingKey> & { readonly kind: SensorKind };

/** Blocks that are opened in one turn, which takes some milliseconds: enough for most pages. */
const blocksPerTurn = 120;
const devicesAtOnce = 8;

/**
 * Readings of one kind. Those of all devices are found by their moments. Those of one device, and of devices that have few of the
 * account's readings, are found in the frames of each.
 */
export function sensorReadings(reader: Reader, visibility: Visibility, page: ReadingPage): Promise<ReadingRow[]> {
  return rowsInSight(reader, visibility, page, list);
}

const list: SearchedList<ReadingPage, readonly ReadingRow[]> = {
  endOfPart: (reader, visibility, rest) => endOfMoments(reader, visibility, { ...rest, start: startOf(rest) }),
  read: (reader, visibility, page) =>
    page.device === null && (page.walksAccount || seesAll(visibility))
      ? readingsByMoment(reader, visibility, page)
      : readingsByDevice(reader, visibility, page),
  // The time in which a block is opened.
  rowsPerDevice: async () => 100,
};

/** Moments whose frames are to be read, and where to look for others. */
interface Moments {
  readonly found: readonly DeviceMoment[];
  /** Null: there are no others. */
  readonly start: DeviceMoment | null;
}

function readingsByMoment(reader: Reader, visibility: Visibility, page: ReadingPage): Promise<ReadingRow[]> {
  const { after, kind } = page;
  let left = page.count;
  return firstRows<ReadingRow, Moments>(page.count, async (place) => {
    let { found, start }: Moments = place ?? { found: [], start: startOf(page) };
    if (found.length === 0 && start !== null) {
      // All readings of the first moment may be on the page before.
      const count = left + 1;
      found = await readingMoments(reader, visibility, { ...page, start, count });
      const last = found.at(-1);
      start = last === undefined || found.length < count ? null : { at: last.at, device: last.device + 1 };
    }
    const rows = laterThan(after, await readingsAt(reader, visibility, found.slice(0, blocksPerTurn), kind));
    left -= rows.length;
    const rest = { found: found.slice(blocksPerTurn), start };
    return { rows, next: rest.found.length === 0 && rest.start === null ? null : rest };
  });
}

function startOf({ after, fromMs }: ReadingPage): DeviceMoment {
  return after === null || after.at < fromMs ? { at: fromMs, device: 0 } : after;
}

/** Goes through the devices in the order of their first readings, as far as they may be on the page. */
async function readingsByDevice(reader: Reader, visibility: Visibility, page: ReadingPage): Promise<ReadingRow[]> {
  const { fromMs, after, count } = page;
  const window = { ...page, fromMs: Math.max(fromMs, after?.at ?? fromMs) };
  const devices: DeviceWithReadings[] = [];
  const parts = inParts<readonly DeviceWithReadings[], string>(async (place) => {
    const part = await devicesWithReadings(reader, visibility, page.device, window, place);
    return { rows: part.devices, next: part.next };
  });
  for await (const { rows } of parts) devices.push(...rows);
  devices.sort((one, other) => one.firstAt - other.firstAt);
  let found: ReadingRow[] = [];
  let { toMs } = page;
  // The first ones alone: they show how far the page may reach at all.
  for (let start = 0, size = 1; start < devices.length; start += size, size = Math.min(2 * size, devicesAtOnce)) {
    const near = devices.slice(start, start + size).filter(({ firstAt }) => firstAt < toMs);
    if (near.length === 0) break;
    if (start > 0) await nextTurn();
    const rows = await Promise.all(near.map((device) => readingsOfOne(reader, visibility, device, { ...page, toMs })));
    found = inOrder([...found, ...rows.flat()]).slice(0, count);
    if (found.length === count) toMs = (found.at(-1)?.recorded_at ?? toMs) + 1;
  }
  return found;
}

function readingsOfOne(
  reader: Reader,
  { accountId }: Visibility,
  owner: DeviceWithReadings,
  { kind, toMs, after, count }: ReadingPage,
): Promise<ReadingRow[]> {
  const { device, firstAt } = owner;
  const isFirst = after !== null && after.device === device && after.at === firstAt;
  let left = count;
  // As if all their frames had readings; if not, more of them are needed.
  let maxBlocks = 2;
  return firstRows<ReadingRow, number>(count, async (place) => {
    const start = isFirst && place === null ? { recordedAt: after.at, digest: after.digest } : null;
    const range = { accountId, device, kind, fromMs: place ?? firstAt, toMs, start, count: left, maxBlocks };
    const { frames, nextMs } = await framesWithReadings(reader, range);
    const rows = laterThan(
      after,
      frames.flatMap((frame) => readingsOf(owner, frame, kind)),
    );
    left -= rows.length;
    maxBlocks = Math.min(2 * maxBlocks, blocksPerTurn);
    return { rows, next: nextMs };
  });
}

/** In order, without those of pages before. */
function laterThan(after: ReadingKey | null, rows: readonly ReadingRow[]): ReadingRow[] {
  return inOrder(after === null ? rows : rows.filter((row) => isLater(row, after)));
}
