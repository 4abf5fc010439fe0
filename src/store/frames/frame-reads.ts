import { compareFrames, type FramePlace, type SensorReport } from "../../domain/frame.ts";
import { verdictOf } from "../../domain/verdict.ts";
import { FrameBlock } from "../blocks/frame-block.ts";
import { allLines, type FrameLine, linesIn } from "../blocks/frame-line.ts";
import type { ReportedPlace, StoredFrame } from "../blocks/stored-frame.ts";
import type { Reader } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { limitTo, nothing, type Sql, sql } from "../sql.ts";
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
  const rows = await reader.all<FrameRows>(sql`
    ${blocksIn(range, maxBlocks)} union all ${recentIn(range)} ${which === "all" ? untimelyIn(range) : nothing}`);
  const frames: FoundFrame[] = [];
  let nextMs: number | null = null;
  let blockCount = 0;
  for (const { body } of rows) {
    if (body === null) continue;
    blockCount++;
    const next = takeFrames(frames, new FrameBlock(body), range);
    if (frames.length < count && blockCount < maxBlocks) continue;
    nextMs = next >= toMs ? null : next;
    break;
  }
  const until = nextMs ?? toMs;
  const countInBlocks = frames.length;
  for (const { lines } of rows) {
    // A line begins with its time: most pages end before all of them.
    if (lines === null || Number.parseInt(lines, 10) >= until) continue;
    for (const line of linesIn(lines)) if (line.recordedAt < until && isWanted(line, which)) frames.push(line);
  }
  if (which === "all" && frames.length > countInBlocks) frames.sort(compareFrames);
  return { frames: after === null ? frames : laterThan(frames, after), nextMs };
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
function blocksIn(range: FrameRange, count: number): Sql {
  const { accountId, device, toMs, condition = nothing } = range;
  const from = startOf(range);
  const isOwn = sql`account_id = ${accountId} and device = ${device}`;
  return sql`
    select body, lines from (
      select body, null as lines from frame_blocks
      where ${isOwn} ${condition} and from_at < ${toMs} and until_at >= ${from}
        and from_at >= coalesce((select max(from_at) from frame_blocks where ${isOwn} and from_at <= ${from}), ${from})
      order by from_at ${limitTo(count)}) blocks`;
}

function recentIn(range: FrameRange): Sql {
  return sql`select null as body, ${allLines} as lines from recent_frames r where ${isIn(range)}`;
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
