import { compareFrames, type FramePlace, type SensorReport } from "../../domain/frame.ts";
import { verdictOf } from "../../domain/verdict.ts";
import { FrameBlock } from "../blocks/frame-block.ts";
import { allLines, type FrameLine, linesIn } from "../blocks/frame-line.ts";
import type { ReportedPlace, StoredFrame } from "../blocks/stored-frame.ts";
import { isEmbedded, type Reader } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { limitTo, nothing, plainSql, type Sql, sql } from "../sql.ts";
import { framesPerBlock } from "./frame-blocks.ts";

export type FoundFrame = FrameInBlock | FrameLine;

export class FrameInBlock {
  readonly recordedAt: number;

  constructor(
    readonly block: FrameBlock,
    readonly index: number,
  ) {
    this.recordedAt = block.recordedAt[index] as number;
  }

  get digest(): number {
    return this.block.frame(this.index).frame.digest;
  }

  get receivedAt(): number {
    return this.block.receivedAt(this.index);
  }

  get verdict(): string | null {
    return this.block.verdict(this.index);
  }

  get sensors(): readonly SensorReport[] {
    return this.block.sensors(this.index);
  }

  get driverId(): string | undefined {
    return this.block.driverId(this.index);
  }

  get place(): ReportedPlace {
    return this.block.place(this.index);
  }

  stored(): StoredFrame {
    return this.block.frame(this.index);
  }
}

export interface FrameRange extends DeviceKey {
  /** From this time on, and before the other. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Only frames after this one; it is not before `fromMs`. */
  readonly after: FramePlace | null;
  /** About how many frames; more if they are in the same block, fewer if blocks are small or most are not wanted. */
  readonly count: number;
  /** For a page of a list: frames after it are left in their block. */
  readonly isPage?: boolean;
  /** `timely`: all but those whose time is not believed. */
  readonly which: "valid" | "timely" | "all";
  /** Further conditions, for all tables: `and …`. */
  readonly condition?: Sql;
}

export interface FoundFrames {
  /** In order. */
  readonly frames: readonly FoundFrame[];
  /** The time at which the others begin; null if there are none. */
  readonly nextMs: number | null;
}

interface FrameRows {
  readonly body: Uint8Array | null;
  readonly lines: string | null;
}

/** The first frames of a device in a range. One statement reads all tables, so that no frame that is moved is missed. */
export async function readFrames(reader: Reader, range: FrameRange): Promise<FoundFrames> {
  const { toMs, after, count, which } = range;
  // A page mostly begins in the middle of a block.
  const maxBlocks = Math.ceil(count / framesPerBlock) + 1;
  const inBlocks = range.isPage && !isEmbedded(reader) ? await pageInBlocks(reader, range, maxBlocks) : null;
  if (inBlocks) return inBlocks;
  const untimely = which === "all" ? untimelyIn(range) : nothing;
  const rows = await reader.all<FrameRows>(sql`
    select * from (${blocksIn(range, maxBlocks, noLines)}) blocks union all ${recentIn(range, maxBlocks)} ${untimely}`);
  const frames: FoundFrame[] = [];
  const nextMs = takeBlocks(frames, rows, range, maxBlocks) ?? toMs;
  const countInBlocks = frames.length;
  for (const { lines } of rows) {
    // A line begins with its time: most pages end before all of them.
    if (lines === null || Number.parseInt(lines, 10) >= nextMs) continue;
    for (const line of linesIn(lines)) if (line.recordedAt < nextMs && isWanted(line, which)) frames.push(line);
  }
  if (which === "all" && frames.length > countInBlocks) frames.sort(compareFrames);
  return foundFrames(frames, after, nextMs, toMs);
}

const noLines = plainSql("null as lines");
const noneUntimely = plainSql("false as untimely");

/**
 * A page that lies in blocks, as most do; null for any other. PostgreSQL reads blocks alone in half the time of all tables. Frames in
 * rows are later than blocks, except those whose time is not believed: if there are any, all tables must be read.
 */
async function pageInBlocks(reader: Reader, range: FrameRange, maxBlocks: number): Promise<FoundFrames | null> {
  const untimely =
    range.which === "all" ? sql`exists (select 1 from untimely_frames where ${isIn(range)}) as untimely` : noneUntimely;
  const rows = await reader.all<{ body: Uint8Array; untimely: boolean }>(blocksIn(range, maxBlocks, untimely));
  if (rows[0]?.untimely) return null;
  const frames: FoundFrame[] = [];
  const nextMs = takeBlocks(frames, rows, range, maxBlocks);
  return nextMs === null ? null : foundFrames(frames, range.after, nextMs, range.toMs);
}

function foundFrames(
  frames: readonly FoundFrame[],
  after: FramePlace | null,
  nextMs: number,
  toMs: number,
): FoundFrames {
  return { frames: after === null ? frames : laterThan(frames, after), nextMs: nextMs >= toMs ? null : nextMs };
}

/** Adds the wanted frames of blocks. Returns the time at which the others begin; null if these do not fill the page. */
function takeBlocks(
  frames: FoundFrame[],
  rows: readonly Pick<FrameRows, "body">[],
  range: FrameRange,
  maxBlocks: number,
): number | null {
  let blockCount = 0;
  for (const { body } of rows) {
    if (body === null) continue;
    const nextMs = takeFrames(frames, new FrameBlock(body), range);
    if (frames.length >= range.count || ++blockCount === maxBlocks) return Math.min(nextMs, range.toMs);
  }
  return null;
}

/** Adds the wanted frames of a block. Returns the time at which the others begin. */
function takeFrames(frames: FoundFrame[], block: FrameBlock, range: FrameRange): number {
  const { toMs, which, count, after, isPage } = range;
  const { recordedAt } = block;
  const isEach = which !== "valid" || block.areAllAccepted;
  // The frame that the page comes after is among them, and is dropped in the end.
  const enough = !isPage ? Number.POSITIVE_INFINITY : after === null ? count : count + 1;
  let last = Number.NEGATIVE_INFINITY;
  for (let index = firstFrom(recordedAt, startOf(range)); index < block.count; index++) {
    const at = recordedAt[index] as number;
    // Frames of one time stay together.
    if (at >= toMs || (frames.length >= enough && at > last)) return at;
    if (isEach || verdictOf(block.verdict(index)).valid) frames.push(new FrameInBlock(block, index));
    last = at;
  }
  return (recordedAt.at(-1) as number) + 1;
}

/** The place of the first time that is not before this one. */
function firstFrom(times: Float64Array, from: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isWanted({ verdict }: FoundFrame, which: FrameRange["which"]): boolean {
  return which !== "valid" || verdict === null || verdictOf(verdict).valid;
}

/** The frames are in order: only those of the same time must be compared. */
function laterThan(frames: readonly FoundFrame[], after: FramePlace): readonly FoundFrame[] {
  const start = frames.findIndex((frame) => compareFrames(frame, after) > 0);
  return start < 0 ? [] : frames.slice(start);
}

/** From the block on that the beginning is in. */
function blocksIn(range: FrameRange, count: number, besides: Sql): Sql {
  const { accountId, device, toMs, condition = nothing } = range;
  const from = startOf(range);
  const isOwn = sql`account_id = ${accountId} and device = ${device}`;
  return sql`
    select body, ${besides} from frame_blocks
    where ${isOwn} ${condition} and from_at < ${toMs} and until_at >= ${from}
      and from_at >= coalesce((select max(from_at) from frame_blocks where ${isOwn} and from_at <= ${from}), ${from})
    order by from_at ${limitTo(count)}`;
}

/** They are later than all blocks: where others follow the blocks that are read, these are out of reach. */
function recentIn(range: FrameRange, blockCount: number): Sql {
  const { accountId, device } = range;
  return sql`
    select null as body, (select ${allLines} from recent_frames r where ${isIn(range)}) as lines
    where not exists (
      select 1 from frame_blocks where account_id = ${accountId} and device = ${device} and from_at > ${startOf(range)}
      order by from_at limit 1 offset ${blockCount - 1} + 0)`;
}

/** These may be many, even of one time: not more than could be needed. */
function untimelyIn(range: FrameRange): Sql {
  const { after, count } = range;
  const isAfter = after === null ? nothing : sql`and (recorded_at, digest) > (${after.recordedAt}, ${after.digest})`;
  return sql`union all
    select null as body, ${allLines} as lines from (
      select * from untimely_frames where ${isIn(range)} ${isAfter} order by recorded_at, digest ${limitTo(count)}) r`;
}

function isIn(range: FrameRange): Sql {
  const { accountId, device, toMs, condition = nothing } = range;
  return sql`account_id = ${accountId} and device = ${device} ${condition}
    and recorded_at >= ${startOf(range)} and recorded_at < ${toMs}`;
}

function startOf({ fromMs, after }: FrameRange): number {
  return after?.recordedAt ?? fromMs;
}
