import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import { countAssignments } from "../../store/fleet/assignments.ts";
import {
  type DeviceWithReadings,
  devicesWithReadings,
  framesWithReadings,
} from "../../store/frames/device-readings.ts";
import {
  compareReadings,
  endOfMoments,
  inOrder,
  type ReadingKey,
  type ReadingRow,
  readingKey,
  readingMoments,
  readingsAt,
  readingsOf,
  type SensorKind,
} from "../../store/frames/readings.ts";
import type { TimePage } from "../../store/pages.ts";
import type { DeviceMoment } from "../../store/timed-rows.ts";
import { nextTurn } from "../turns.ts";
import { firstRows, inParts } from "./parts.ts";

type ReadingPage = TimePage<ReadingKey> & { readonly kind: SensorKind };

/** Blocks that are opened in one turn, which takes some milliseconds: enough for most pages. */
const blocksPerTurn = 120;
/** Rows of others that are skipped in one turn. */
const rowsPerTurn = 10_000;
/** So many rows are skipped in the time in which a block is opened. */
const rowsPerBlock = 100;
const devicesAtOnce = 8;

/**
 * Readings of one kind. Those of an account are found by their moments. So are a sub-account's, as long as it sees enough of
 * the account. Else, and if one device or a tag is requested, they are found in the frames of each device.
 */
export function sensorReadings(reader: Reader, visibility: Visibility, page: ReadingPage): Promise<ReadingRow[]> {
  if (page.device !== null || visibility.tag !== undefined) return readingsByDevice(reader, visibility, page);
  return visibility.sees === "account"
    ? readingsByMoment(reader, visibility, page)
    : readingsOfAssigned(reader, visibility, page);
}

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

/** Skips others' rows for about as long as it takes to open a block of each device. */
async function readingsOfAssigned(reader: Reader, visibility: Visibility, page: ReadingPage): Promise<ReadingRow[]> {
  const found: ReadingRow[] = [];
  let rest = page;
  let budget = rowsPerBlock * (await countAssignments(reader, visibility));
  for (; budget > 0; await nextTurn()) {
    const count = Math.min(budget, rowsPerTurn);
    const end = await endOfMoments(reader, visibility, { ...rest, start: startOf(rest), count });
    const toMs = end === null ? page.toMs : end + 1;
    found.push(...(await readingsByMoment(reader, visibility, { ...rest, toMs })));
    if (end === null || found.length >= page.count) return found;
    rest = { ...rest, fromMs: toMs, after: null, count: page.count - found.length };
    budget -= count;
  }
  return [...found, ...(await readingsByDevice(reader, visibility, rest))];
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
  return inOrder(after === null ? rows : rows.filter((row) => compareReadings(readingKey(row), after) > 0));
}
