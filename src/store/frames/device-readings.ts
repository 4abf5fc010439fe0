import { compareFrames, type FramePlace, placeKey } from "../../domain/frame.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { FrameBlock } from "../blocks/frame-block.ts";
import { allLines, linesIn } from "../blocks/frame-line.ts";
import { sharedLinesOf } from "../blocks/shared-lines.ts";
import type { Engine, Reader } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import type { KnownDevices } from "../pages.ts";
import { hasWithin, limitTo, nothing, type Sql, sql } from "../sql.ts";
import { devicesInSight } from "../visible.ts";
import { type FoundFrame, FrameInBlock } from "./found-frames.ts";
import { type BlockTable, blockTables, kindBits } from "./frame-blocks.ts";
import type { ReadingDevice } from "./frames-at.ts";
import type { SensorKind } from "./readings.ts";
import { type LineTable, lineTables } from "./recent-frames.ts";
import { isNear, sharedText } from "./shared-rows.ts";

interface ReadingWindow {
  readonly kind: SensorKind;
  readonly among?: KnownDevices | undefined;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A device with readings, and a moment before which it has none in the window. */
export interface DeviceWithReadings extends ReadingDevice {
  readonly firstAt: number;
}

const devicesPerRead = 500;

interface FirstRow extends ReadingDevice {
  readonly in_block: number | null;
  readonly in_kept_block: number | null;
  readonly in_row: number | null;
  /** With frames of neighbours: the readings may be theirs. */
  readonly in_shared_row: number | null;
  readonly in_untimely_row: number | null;
}

/** The viewer's devices that may have readings in a window: some hundreds, in the order of their ids; `next` is the last. */
export async function devicesWithReadings(
  reader: Reader,
  visibility: Visibility,
  device: number | null,
  window: ReadingWindow,
  after: string | null,
): Promise<{ readonly devices: readonly DeviceWithReadings[]; readonly next: string | null }> {
  const { tables, condition, id } = devicesInSight(visibility, device, window.among?.table);
  const { kind, fromMs, toMs } = window;
  const isOwn = sql`account_id = ${visibility.accountId} and device = d.device`;
  const firstBlock = (table: BlockTable) =>
    sql`(select from_at from ${blockTables[table]} where ${blocksWithin(table, isOwn, window)} order by from_at limit 1)`;
  const firstLine = (
    table: LineTable,
  ) => sql`(select recorded_at from ${lineTables[table]} where ${isOwn} and recorded_at >= ${fromMs}
    and recorded_at < ${toMs} and ${hasKind(reader.engine, kind)} order by recorded_at limit 1)`;
  const firstShared = sql`(
    select min(g.from_at) from shared_frames g
    where ${isNear(visibility.accountId, sql`d.device`)} and g.from_at < ${toMs} and g.until_at >= ${fromMs}
      and ${hasWithin(reader.engine, sql`g.lines`, kindText(kind))})`;
  const rows = await reader.all<FirstRow>(sql`
    select d.device, d.id as device_id, d.imei, d.fuel_tank_capacity_l as tank_capacity_l,
      ${firstBlock("frame_blocks")} as in_block, ${firstBlock("reading_blocks")} as in_kept_block,
      ${firstLine("recent_frames")} as in_row, ${firstShared} as in_shared_row, ${firstLine("untimely_frames")} as in_untimely_row
    from ${tables} where ${condition} ${after === null ? nothing : sql`and ${id} > ${after}`}
    order by ${id} ${limitTo(devicesPerRead)}`);
  const devices = rows.flatMap(({ in_block, in_kept_block, in_row, in_shared_row, in_untimely_row, ...own }) => {
    const times = [in_block, in_kept_block, in_row, in_shared_row, in_untimely_row].filter((at) => at !== null);
    return times.length === 0 ? [] : [{ ...own, firstAt: Math.max(fromMs, Math.min(...times)) }];
  });
  return { devices, next: rows.length < devicesPerRead ? null : (rows.at(-1)?.device_id ?? null) };
}

export interface ReadingRange extends DeviceKey, ReadingWindow {
  /** Frames before it, at the time the window begins, are not needed. */
  readonly start: FramePlace | null;
  /** How many readings are needed at most. */
  readonly count: number;
  /** How many blocks to read at most: two or more, since the first may end before the window begins. */
  readonly maxBlocks: number;
}

interface FrameRows {
  readonly from_at: number | null;
  readonly until_at: number | null;
  readonly body: Uint8Array | null;
  readonly lines: string | null;
  readonly shared: string | null;
  readonly is_dropped: number;
}

interface FoundFrames {
  /** In order. */
  readonly frames: readonly FoundFrame[];
  /** The time at which the others begin; null if there are none. */
  readonly nextMs: number | null;
}

/** The first frames of a device with readings of a kind, and what is left of dropped ones. One statement reads all tables. */
export async function framesWithReadings(reader: Reader, range: ReadingRange): Promise<FoundFrames> {
  const { toMs, maxBlocks } = range;
  const rows = await reader.all<FrameRows>(sql`
    ${blocksIn("frame_blocks", sql`0`, range)} union all ${blocksIn("reading_blocks", sql`1`, range)}
    union all ${recentIn(reader.engine, range)} union all ${untimelyIn(reader.engine, range)}`);
  const blocksOf = (isDropped: number) =>
    rows.filter(({ body, is_dropped }) => body !== null && is_dropped === isDropped);
  // Nothing is known of what comes after the last of as many blocks as were asked for.
  const ends = [blocksOf(0), blocksOf(1)].map((blocks) =>
    blocks.length < maxBlocks ? toMs : (blocks.at(-1)?.until_at ?? toMs) + 1,
  );
  const end = Math.min(toMs, ...ends);
  const own = rows.filter(({ is_dropped }) => is_dropped === 0).flatMap((row) => framesOf(row, range, end));
  const near = rows.flatMap(({ shared }) => wantedOf(sharedLinesOf(range.device, shared), range, end));
  const stored = withoutThoseOf(own, near);
  const dropped = blocksOf(1).flatMap((row) => framesOf(row, range, end));
  return { frames: withoutThoseOf(stored, dropped).sort(compareFrames), nextMs: end < toMs ? end : null };
}

/** Both; of a frame in both, the first. */
function withoutThoseOf(first: readonly FoundFrame[], others: readonly FoundFrame[]): FoundFrame[] {
  const known = new Set(others.length === 0 ? [] : first.map(placeKey));
  return [...first, ...others.filter((frame) => !known.has(placeKey(frame)))];
}

function framesOf({ from_at, body, lines }: FrameRows, range: ReadingRange, end: number): FoundFrame[] {
  if (from_at !== null && from_at >= end) return [];
  return wantedOf(body === null ? linesIn(lines) : framesIn(new FrameBlock(body)), range, end);
}

function wantedOf(frames: readonly FoundFrame[], { kind, fromMs }: ReadingRange, end: number): FoundFrame[] {
  return frames.filter(
    ({ recordedAt, sensors }) =>
      recordedAt >= fromMs && recordedAt < end && sensors.some((report) => report.kind === kind),
  );
}

function framesIn(block: FrameBlock): FoundFrame[] {
  return Array.from({ length: block.count }, (_, index) => new FrameInBlock(block, index));
}

function blocksIn(table: BlockTable, isDropped: Sql, range: ReadingRange): Sql {
  const { accountId, device, maxBlocks } = range;
  return sql`
    select from_at, until_at, body, null as lines, null as shared, ${isDropped} as is_dropped from (
      select b.from_at, b.until_at, b.body from (
        select from_at from ${blockTables[table]} where ${blocksWithin(table, ownOf(range), range)}
        order by from_at ${limitTo(maxBlocks)}) w cross join ${blockTables[table]} b
      where b.account_id = ${accountId} and b.device = ${device} and b.from_at = w.from_at order by b.from_at) blocks`;
}

/** From the block on that the beginning is in, even if it ends before. An index of blocks with readings has all of it. */
function blocksWithin(table: BlockTable, isOwn: Sql, { kind, fromMs, toMs }: ReadingWindow): Sql {
  return sql`${isOwn} and kinds > 0 and kinds & ${kindBits[kind]} <> 0 and from_at < ${toMs}
    and from_at >= coalesce(
      (select max(from_at) from ${blockTables[table]} where ${isOwn} and from_at <= ${fromMs}), ${fromMs})`;
}

function recentIn(engine: Engine, range: ReadingRange): Sql {
  const { accountId, device, fromMs, toMs, kind } = range;
  const shared = sql`g.from_at < ${toMs} and g.until_at >= ${fromMs} and ${hasWithin(engine, sql`g.lines`, kindText(kind))}`;
  return sql`
    select null as from_at, null as until_at, null as body, ${allLines} as lines,
      ${sharedText(accountId, device, shared)} as shared, 0 as is_dropped from recent_frames r
    where ${ownOf(range)} and recorded_at >= ${range.fromMs} and recorded_at < ${range.toMs} and ${hasKind(engine, range.kind)}`;
}

/** These may be many, even of one time: not more than could be needed. Of the first, all readings may be on the page before. */
function untimelyIn(engine: Engine, range: ReadingRange): Sql {
  const { start, fromMs, toMs, kind, count } = range;
  const isAfter = start === null ? nothing : sql`and (recorded_at, digest) >= (${start.recordedAt}, ${start.digest})`;
  return sql`
    select null as from_at, null as until_at, null as body, ${allLines} as lines, null as shared, 0 as is_dropped from (
      select * from untimely_frames
      where ${ownOf(range)} and recorded_at >= ${fromMs} and recorded_at < ${toMs} ${isAfter} and ${hasKind(engine, kind)}
      order by recorded_at, digest ${limitTo(count + 1)}) r`;
}

function ownOf({ accountId, device }: DeviceKey): Sql {
  return sql`account_id = ${accountId} and device = ${device}`;
}

/** Of a frame in a row. In other texts a quotation mark is written with a backslash. */
function hasKind(engine: Engine, kind: SensorKind): Sql {
  return hasWithin(engine, content, kindText(kind));
}

function kindText(kind: SensorKind): string {
  return `"kind":"${kind}"`;
}

const content = sql`content`;
