import { compareFrames, type FramePlace } from "../../domain/frame.ts";
import { verdictOf } from "../../domain/verdict.ts";
import { FrameBlock } from "../blocks/frame-block.ts";
import { allLines, type FrameLine, linesIn } from "../blocks/frame-line.ts";
import { sharedLinesOf } from "../blocks/shared-lines.ts";
import type { Reader } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { limitTo, nothing, plainSql, type Sql, sql } from "../sql.ts";
import { type FoundRun, FrameInBlock, FrameRun, framesIn } from "./found-frames.ts";
import { framesPerBlock } from "./frame-blocks.ts";
import { sharedText, withShared } from "./shared-rows.ts";

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

export interface FoundRuns {
  /** In order. */
  readonly runs: readonly FoundRun[];
  /** How many frames they have. */
  readonly count: number;
  /** The time at which the others begin; null if there are none. */
  readonly nextMs: number | null;
}

interface FrameRows {
  readonly body: Uint8Array | null;
  readonly lines: string | null;
  /** With those of neighbours. */
  readonly shared: string | null;
}

/** The first frames of a device in a range. One statement reads all tables, so that no frame that is moved is missed. */
export async function readFrames(reader: Reader, range: FrameRange): Promise<FoundRuns> {
  const { toMs, count, which } = range;
  // A page mostly begins in the middle of a block.
  const maxBlocks = Math.ceil(count / framesPerBlock) + 1;
  const inBlocks = range.isPage ? await pageInBlocks(reader, range, maxBlocks) : null;
  if (inBlocks) return inBlocks;
  const untimely = which === "all" ? untimelyIn(range) : nothing;
  const rows = await reader.all<FrameRows>(sql`
    select * from (${blocksIn(range, maxBlocks, noLines)}) blocks union all ${recentIn(range, maxBlocks)} ${untimely}`);
  const found = new RunsInBlocks(range);
  const nextMs = found.take(rows, maxBlocks) ?? toMs;
  const later: FrameLine[] = [];
  for (const { lines, shared } of rows) {
    const near = sharedLinesOf(range.device, shared).filter((line) => isInWindow(line, range));
    // A line begins with its time: most pages end before all of them.
    const own = lines === null || Number.parseInt(lines, 10) >= nextMs ? [] : linesIn(lines);
    for (const line of withShared(own, near)) {
      if (line.recordedAt < nextMs && isWanted(line, range)) later.push(line);
    }
  }
  if (later.length === 0) return found.until(nextMs);
  const runs = which === "all" ? [...framesIn(found.runs), ...later].sort(compareFrames) : [...found.runs, ...later];
  return { ...found.until(nextMs), runs, count: found.count + later.length };
}

const noLines = plainSql("null as lines, null as shared");
const noneUntimely = plainSql("false as untimely");

/**
 * A page that lies in blocks, as most do; null for any other. Blocks alone are read in half the time of all tables. Frames in rows
 * are later than blocks, except those whose time is not believed: if there are any, all tables must be read.
 */
async function pageInBlocks(reader: Reader, range: FrameRange, maxBlocks: number): Promise<FoundRuns | null> {
  const untimely =
    range.which === "all" ? sql`exists (select 1 from untimely_frames where ${isIn(range)}) as untimely` : noneUntimely;
  const rows = await reader.all<{ body: Uint8Array; untimely: number | boolean }>(blocksIn(range, maxBlocks, untimely));
  if (rows[0]?.untimely) return null;
  const found = new RunsInBlocks(range);
  const nextMs = found.take(rows, maxBlocks);
  return nextMs === null ? null : found.until(nextMs);
}

/** The wanted frames of blocks. */
class RunsInBlocks {
  readonly runs: FrameRun[] = [];
  count = 0;
  readonly #range: FrameRange;

  constructor(range: FrameRange) {
    this.#range = range;
  }

  until(nextMs: number): FoundRuns {
    const { runs, count } = this;
    return { runs, count, nextMs: nextMs >= this.#range.toMs ? null : nextMs };
  }

  /** Returns the time at which the others begin; null if these do not fill the page. */
  take(rows: readonly Pick<FrameRows, "body">[], maxBlocks: number): number | null {
    const { count, toMs } = this.#range;
    let blockCount = 0;
    for (const { body } of rows) {
      if (body === null) continue;
      const nextMs = this.#takeBlock(new FrameBlock(body));
      if (this.count >= count || ++blockCount === maxBlocks) return Math.min(nextMs, toMs);
    }
    return null;
  }

  /** Returns the time at which the others begin. */
  #takeBlock(block: FrameBlock): number {
    const { toMs, which, count, isPage } = this.#range;
    const { recordedAt } = block;
    const isEach = which !== "valid" || block.areAllAccepted;
    const enough = isPage ? count : Number.POSITIVE_INFINITY;
    let last = Number.NEGATIVE_INFINITY;
    let start = firstIn(block, this.#range);
    let index = start;
    for (; index < block.count; index++) {
      const at = recordedAt[index] as number;
      // Frames of one time stay together.
      if (at >= toMs || (this.count + index - start >= enough && at > last)) break;
      last = at;
      if (isEach || verdictOf(block.verdict(index)).valid) continue;
      this.#add(block, start, index);
      start = index + 1;
    }
    this.#add(block, start, index);
    return recordedAt[index] ?? (recordedAt.at(-1) as number) + 1;
  }

  #add(block: FrameBlock, start: number, end: number): void {
    if (start === end) return;
    this.runs.push(new FrameRun(block, start, end));
    this.count += end - start;
  }
}

/** The place of the first frame that is in the range. */
function firstIn(block: FrameBlock, range: FrameRange): number {
  const { after } = range;
  let index = block.firstFrom(startOf(range));
  if (after === null) return index;
  while (index < block.count && compareFrames(new FrameInBlock(block, index), after) <= 0) index++;
  return index;
}

function isInWindow({ recordedAt }: FrameLine, range: FrameRange): boolean {
  return recordedAt >= startOf(range) && recordedAt < range.toMs;
}

function isWanted(line: FrameLine, { which, after }: FrameRange): boolean {
  const isAfter = after === null || compareFrames(line, after) > 0;
  return isAfter && (which !== "valid" || verdictOf(line.verdict).valid);
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
  const { accountId, device, toMs, condition = nothing } = range;
  return sql`
    select null as body, (select ${allLines} from recent_frames r where ${isIn(range)}) as lines,
      ${sharedText(accountId, device, sql`g.from_at < ${toMs} and g.until_at >= ${startOf(range)} ${condition}`)} as shared
    where not exists (
      select 1 from frame_blocks where account_id = ${accountId} and device = ${device} and from_at > ${startOf(range)}
      order by from_at limit 1 offset ${blockCount - 1} + 0)`;
}

/** These may be many, even of one time: not more than could be needed. */
function untimelyIn(range: FrameRange): Sql {
  const { after, count } = range;
  const isAfter = after === null ? nothing : sql`and (recorded_at, digest) > (${after.recordedAt}, ${after.digest})`;
  return sql`union all
    select null as body, ${allLines} as lines, null as shared from (
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
