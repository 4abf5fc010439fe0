import { compareFrames } from "../../domain/frame.ts";
import { verdictOf } from "../../domain/verdict.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { FrameBlock } from "../blocks/frame-block.ts";
import { allLines, FrameLine, isValidLine, linesIn, lineText } from "../blocks/frame-line.ts";
import { sharedLinesOf } from "../blocks/shared-lines.ts";
import type { Reader } from "../database.ts";
import type { DeviceOfRow } from "../fact-table.ts";
import type { IdPage } from "../pages.ts";
import { limitTo, nothing, sql } from "../sql.ts";
import { devicesInSight } from "../visible.ts";
import { type FoundFrame, FrameInBlock } from "./found-frames.ts";
import { hasFrameOf, isNear, sharedText, withShared } from "./shared-rows.ts";

/** Positions at or before a moment, and not before another. */
export interface PositionMoment {
  readonly atMs: number;
  readonly earliestMs: number;
}

export interface PositionsAtPage extends IdPage, PositionMoment {
  readonly device: number | null;
}

export interface FoundAt {
  /** The last valid frame of the moment; null: there is none in the blocks that were looked at. */
  readonly frame: FoundFrame | null;
  /** Without a frame: the beginning of the block before which there may be one; null: there is none. */
  readonly before: number | null;
}

export interface DeviceAt extends DeviceOfRow, FoundAt {
  readonly device: number;
}

const none: FoundAt = { frame: null, before: null };

interface DeviceRows extends DeviceOfRow {
  readonly device: number;
  /** The last valid frame that is in a row of its own. */
  readonly line: string | null;
  /** The last row with frames of neighbours that has one of the device: where it begins, and all that reach so far. */
  readonly shared_from: number | null;
  readonly shared: string | null;
  /** Others of the device since then are in rows of their own. */
  readonly is_mixed: number | boolean;
  readonly body: Uint8Array | null;
}

/**
 * The next devices in ascending public id, each with its last valid frame. Of a device one row and at most one block is read,
 * found by its index: whatever its history, and however long ago the moment. One statement reads both tables, so that no frame is
 * missed that is moved meanwhile.
 */
export async function devicesAt(reader: Reader, visibility: Visibility, page: PositionsAtPage): Promise<DeviceAt[]> {
  const { accountId } = visibility;
  const { atMs, earliestMs, after } = page;
  const { tables, condition, id } = devicesInSight(visibility, page.device);
  const start = after === null ? nothing : sql`and ${id} > ${after}`;
  const isThen = sql`${isNear(accountId, sql`d.device`)} and g.from_at <= ${atMs} and g.until_at >= ${earliestMs}
    and ${hasFrameOf(reader.engine, sql`d.device`)}`;
  const rows = await reader.all<DeviceRows>(sql`
    with recent as materialized (
      select ${id} as id, d.device, d.imei, (
        select ${lineText} from recent_frames r
        where r.account_id = ${accountId} and r.device = d.device and r.recorded_at <= ${atMs}
          and r.recorded_at >= ${earliestMs} and ${isValidLine}
        order by r.recorded_at desc, r.digest desc limit 1) as line, (
        select g.from_at from shared_frames g where ${isThen} order by g.from_at desc limit 1) as shared_from
      from ${tables} where ${condition} ${start}
      order by ${id} ${limitTo(page.count)})
    select d.id as device_id, d.device, d.imei, d.line, d.shared_from, exists (
      select 1 from recent_frames r
      where r.account_id = ${accountId} and r.device = d.device and r.recorded_at >= d.shared_from) as is_mixed, case when d.shared_from is not null then (
      select string_agg(g.lines, '') from shared_frames g where ${isThen} and g.until_at >= d.shared_from) end as shared,
      case when d.line is null then (
      select case when b.until_at >= ${earliestMs} then b.body end from frame_blocks b
      where b.account_id = ${accountId} and b.device = d.device and b.from_at <= ${atMs}
      order by b.from_at desc limit 1) end as body
    from recent d order by d.id`);
  const found: DeviceAt[] = [];
  for (const { line, shared, shared_from, is_mixed, body, ...own } of rows) {
    if (shared_from === null) {
      found.push({ ...own, ...foundIn(line === null ? null : new FrameLine(line), body, page) });
      continue;
    }
    const near = is_mixed ? null : lastValid(sharedLinesOf(own.device, shared), page);
    const isLast = near !== null && near.recordedAt >= shared_from;
    found.push({
      ...own,
      ...(isLast ? { frame: near, before: null } : await lastOf(reader, accountId, own.device, page)),
    });
  }
  return found;
}

/** Looks at all frames of a device that wait. */
async function lastOf(reader: Reader, accountId: number, device: number, page: PositionMoment): Promise<FoundAt> {
  const { atMs, earliestMs } = page;
  const isOwn = sql`r.account_id = ${accountId} and r.device = ${device}`;
  const row = await reader.get<{ lines: string | null; shared: string | null; body: Uint8Array | null }>(sql`
    select
      (select ${allLines} from recent_frames r where ${isOwn} and r.recorded_at <= ${atMs}) as lines,
      ${sharedText(accountId, device, sql`g.from_at <= ${atMs}`)} as shared,
      (select case when r.until_at >= ${earliestMs} then r.body end from frame_blocks r
        where ${isOwn} and r.from_at <= ${atMs} order by r.from_at desc limit 1) as body`);
  const lines = withShared(linesIn(row?.lines ?? null), sharedLinesOf(device, row?.shared ?? null));
  return foundIn(lastValid(lines, page), row?.body ?? null, page);
}

function foundIn(last: FrameLine | null, body: Uint8Array | null, page: PositionMoment): FoundAt {
  return last !== null ? { frame: last, before: null } : body !== null ? inBlock(body, page) : none;
}

function lastValid(lines: readonly FrameLine[], { atMs, earliestMs }: PositionMoment): FrameLine | null {
  let last: FrameLine | null = null;
  for (const line of lines) {
    if (line.recordedAt > atMs || line.recordedAt < earliestMs || !verdictOf(line.verdict).valid) continue;
    if (last === null || compareFrames(line, last) > 0) last = line;
  }
  return last;
}

/** The last valid frame in the `count` blocks before one: of a device whose newest frames of that time were all rejected. */
export async function frameBefore(
  reader: Reader,
  { accountId }: Visibility,
  { device, before }: { readonly device: number; readonly before: number },
  moment: PositionMoment,
  count: number,
): Promise<FoundAt> {
  const { earliestMs } = moment;
  const isOwn = sql`account_id = ${accountId} and device = ${device}`;
  const rows = await reader.all<{ body: Uint8Array }>(sql`
    select body from frame_blocks
    where ${isOwn} and from_at < ${before} and until_at >= ${earliestMs} and from_at >= coalesce(
      (select max(from_at) from frame_blocks where ${isOwn} and from_at <= ${earliestMs}), ${earliestMs})
    order by from_at desc ${limitTo(count)}`);
  let found = none;
  for (const { body } of rows) {
    found = inBlock(body, moment);
    if (found.before === null) return found;
  }
  return rows.length < count ? none : found;
}

function inBlock(body: Uint8Array, { atMs, earliestMs }: PositionMoment): FoundAt {
  const block = new FrameBlock(body);
  const { recordedAt, areAllAccepted } = block;
  for (let index = block.count - 1; index >= 0; index--) {
    const at = recordedAt[index] as number;
    if (at < earliestMs) return none;
    if (at > atMs || !(areAllAccepted || verdictOf(block.verdict(index)).valid)) continue;
    return { frame: new FrameInBlock(block, index), before: null };
  }
  return { frame: null, before: recordedAt[0] as number };
}
