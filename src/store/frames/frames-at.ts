import { placeKey } from "../../domain/frame.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { FrameBlock } from "../blocks/frame-block.ts";
import { allLines, linesIn, lineText } from "../blocks/frame-line.ts";
import { sharedLinesOf } from "../blocks/shared-lines.ts";
import type { Reader } from "../database.ts";
import type { DeviceOfRow } from "../fact-table.ts";
import { nothing, type Sql, sql } from "../sql.ts";
import { type DeviceMoment, maxMoments, momentRows } from "../timed-rows.ts";
import { isVisible } from "../visible.ts";
import { type FoundFrame, FrameInBlock } from "./found-frames.ts";
import { type BlockTable, blockTables } from "./frame-blocks.ts";
import { type LineTable, lineTables } from "./recent-frames.ts";
import { isNear } from "./shared-rows.ts";

/** A device as its readings show it. */
export interface ReadingDevice extends DeviceOfRow {
  readonly device: number;
  /** As it is now: a tank has no history. */
  readonly tank_capacity_l: number | null;
}

export interface FrameAt extends ReadingDevice, DeviceMoment {
  readonly frame: FoundFrame;
}

interface FrameRows extends ReadingDevice {
  readonly body: Uint8Array | null;
  readonly lines: string | null;
  /** With those of neighbours. */
  readonly shared: string | null;
  readonly is_dropped: number;
}

/** The frames of exactly these moments that the viewer sees, in any order; if wanted, also what is left of dropped ones. */
export async function framesAtMoments(
  reader: Reader,
  visibility: Visibility,
  moments: readonly DeviceMoment[],
  { withDropped = false }: { readonly withDropped?: boolean } = {},
): Promise<FrameAt[]> {
  const found: FrameAt[] = [];
  for (let start = 0; start < moments.length; start += maxMoments) {
    const chunk = moments.slice(start, start + maxMoments);
    const timesOf = Map.groupBy(chunk, ({ device }) => device);
    const isOneEach = timesOf.size === chunk.length;
    const rows = await reader.all<FrameRows>(statement(visibility, chunk, isOneEach, withDropped));
    const framesAt = (row: FrameRows) => framesOf(row, new Set((timesOf.get(row.device) ?? []).map(({ at }) => at)));
    const own = rows.filter(({ shared, is_dropped }) => shared === null && is_dropped === 0).flatMap(framesAt);
    const near = rows.filter(({ shared }) => shared !== null).flatMap(framesAt);
    const stored = near.length === 0 ? own : [...own, ...withoutThoseIn(own, near)];
    const dropped = rows.filter(({ is_dropped }) => is_dropped === 1).flatMap(framesAt);
    found.push(...stored, ...withoutThoseIn(stored, dropped));
  }
  return found;
}

function framesOf({ body, lines, shared, is_dropped: _, ...device }: FrameRows, times: ReadonlySet<number>): FrameAt[] {
  const inRows = () => (shared === null ? linesIn(lines) : sharedLinesOf(device.device, shared));
  const frames: FoundFrame[] = body === null ? inRows() : framesIn(new FrameBlock(body), times);
  return frames
    .filter(({ recordedAt }) => times.has(recordedAt))
    .map((frame) => ({ ...device, at: frame.recordedAt, frame }));
}

function framesIn(block: FrameBlock, times: ReadonlySet<number>): FoundFrame[] {
  const frames: FoundFrame[] = [];
  for (let index = 0; index < block.count; index++) {
    if (times.has(block.recordedAt[index] as number)) frames.push(new FrameInBlock(block, index));
  }
  return frames;
}

/** A frame without a believable time may be sent and stored again after it was dropped. */
function withoutThoseIn(stored: readonly FrameAt[], dropped: readonly FrameAt[]): readonly FrameAt[] {
  if (dropped.length === 0) return dropped;
  const keyOf = ({ device, frame }: FrameAt) => `${device} ${placeKey(frame)}`;
  const known = new Set(stored.map(keyOf));
  return dropped.filter((frame) => !known.has(keyOf(frame)));
}

/**
 * One for all tables, so that no frame is missed that is moved meanwhile. Each block is returned once. `isOneEach`: no device is in
 * the list twice, so that nothing must be compared for that.
 */
function statement(
  visibility: Visibility,
  moments: readonly DeviceMoment[],
  isOneEach: boolean,
  withDropped: boolean,
): Sql {
  const { accountId } = visibility;
  const device = sql`w.device, w.device_id, w.imei, w.tank_capacity_l`;
  const linesOf = (table: LineTable) => sql`
    select ${device}, 0 as is_dropped, null as body, ${isOneEach ? lineText : allLines} as lines, null as shared
    from wanted w cross join ${lineTables[table]} r
    where r.account_id = ${accountId} and r.device = w.device and r.recorded_at = w.at
    ${isOneEach ? nothing : sql`group by ${device}`}`;
  const near = sql`
    select ${isOneEach ? nothing : sql`distinct`} ${device}, g.lines from wanted w cross join shared_frames g
    where ${isNear(accountId, sql`w.device`)} and g.from_at <= w.at and g.until_at >= w.at`;
  // Of a device with several moments, each row once.
  const sharedLines = sql`select ${device}, 0 as is_dropped, null as body, null as lines, w.lines as shared from (${near}) w`;
  const blocksOf = (table: BlockTable, isDropped: Sql) => {
    const blocksAt = (columns: Sql) => sql`
      select ${columns} from wanted w cross join ${blockTables[table]} b
      where b.account_id = ${accountId} and b.device = w.device and b.until_at >= w.at
        and b.from_at = (
          select max(l.from_at) from ${blockTables[table]} l
          where l.account_id = ${accountId} and l.device = w.device and l.from_at <= w.at)`;
    const shown = sql`${device}, ${isDropped} as is_dropped, b.body, null as lines, null as shared`;
    if (isOneEach) return blocksAt(shown);
    return sql`
      select ${shown} from (${blocksAt(sql`distinct ${device}, b.from_at`)}) w cross join ${blockTables[table]} b
      where b.account_id = ${accountId} and b.device = w.device and b.from_at = w.from_at`;
  };
  return sql`
    with wanted as materialized (
      select d.device, d.id as device_id, d.imei, d.fuel_tank_capacity_l as tank_capacity_l, v.column2 as at
      from ${momentRows(moments)} v cross join devices d
      where d.device = v.column1 and ${isVisible(visibility)})
    ${blocksOf("frame_blocks", sql`0`)}
    union all ${linesOf("recent_frames")}
    union all ${sharedLines}
    union all ${linesOf("untimely_frames")}
    ${withDropped ? sql`union all ${blocksOf("reading_blocks", sql`1`)}` : nothing}`;
}
