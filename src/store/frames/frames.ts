import type { FramePlace } from "../../domain/frame.ts";
import type { ReceivedTimes } from "../../domain/quality/clock.ts";
import { FrameBlock } from "../blocks/frame-block.ts";
import { allLines, linesIn } from "../blocks/frame-line.ts";
import { mergedFrames, type StoredFrame } from "../blocks/stored-frame.ts";
import type { Reader } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { limitTo, nothing, sql } from "../sql.ts";
import { type DeviceMoment, momentRows } from "../timed-rows.ts";
import { ofEachDevice } from "../visible.ts";
import { framesIn } from "./found-frames.ts";
import { blockFramesAt, blockTables } from "./frame-blocks.ts";
import { readFrames } from "./frame-reads.ts";
import { linesAt, recentAt, recentFrom } from "./waiting-frames.ts";

/**
 * The next frames of a device in their order, from the beginning or after a place, up to the moment of another if given: at
 * least `count`, if there are as many. Frames without a believable time are left out.
 */
export async function framesAfter(
  reader: Reader,
  { accountId, device }: DeviceKey,
  after: FramePlace | null,
  count: number,
  last: FramePlace | null = null,
): Promise<StoredFrame[]> {
  const found: StoredFrame[] = [];
  const toMs = last === null ? Number.MAX_SAFE_INTEGER : last.recordedAt + 1;
  let range = { accountId, device, fromMs: Number.MIN_SAFE_INTEGER, toMs, after, count, which: "timely" as const };
  for (;;) {
    const { runs, nextMs } = await readFrames(reader, range);
    for (const frame of framesIn(runs)) found.push(frame.stored());
    if (nextMs === null || found.length >= count) return found;
    range = { ...range, fromMs: nextMs, after: null, count: count - found.length };
  }
}

/** A device's frames between two times, both included, that were from the future at every receipt. */
export async function framesAhead(
  reader: Reader,
  { accountId, device }: DeviceKey,
  { from, until }: { readonly from: number; readonly until: number },
  count: number,
): Promise<StoredFrame[]> {
  const row = await reader.get<{ lines: string | null }>(sql`
    select ${allLines} as lines from (
      select * from untimely_frames
      where account_id = ${accountId} and device = ${device} and recorded_at >= ${from} and recorded_at <= ${until}
        and content like 'future\\_time%' escape '\\'
      order by recorded_at, digest ${limitTo(count)}) r`);
  return linesIn(row?.lines ?? null).map((line) => line.stored());
}

export async function framesAt(reader: Reader, key: DeviceKey, recordedAt: Iterable<number>): Promise<StoredFrame[]> {
  const times = new Set(recordedAt);
  // Blocks last: a frame that is moved into one meanwhile is found twice rather than not at all.
  const recent = (await linesAt(reader, "recent_frames", key, times)).map((line) => line.stored());
  const untimely = (await linesAt(reader, "untimely_frames", key, times)).map((line) => line.stored());
  const inBlocks = await blockFramesAt(reader, key, times);
  return [...mergedFrames([inBlocks, recent]), ...untimely];
}

/** When a stored frame was received, and whether that makes its time believable. */
export interface StoredTimes extends FramePlace, ReceivedTimes {
  readonly isTimely: boolean;
}

/** A device, and the times of frames that it may have. */
export interface TimesWanted {
  readonly device: number;
  readonly times: ReadonlySet<number>;
  /** As in its `FoldProgress`: blocks have no later ones, nor are there later ones outside the order. */
  readonly sealedUntil: number | null;
  readonly untimelyUntil: number | null;
}

/** Of the frames of these times, those that are stored, by device. The devices must be held. The newest are one statement for all. */
export async function storedTimesAt(
  reader: Reader,
  accountId: number,
  wanted: readonly TimesWanted[],
): Promise<ReadonlyMap<number, readonly StoredTimes[]>> {
  const moments = wanted.flatMap(({ device, times }) => Array.from(times, (at) => ({ device, at })));
  const recent = await recentAt(reader, accountId, moments);
  const found = new Map<number, StoredTimes[]>();
  for (const { device, times, sealedUntil, untimelyUntil } of wanted) {
    const key = { accountId, device };
    const first = Math.min(...times);
    const isIn = (until: number | null) => until !== null && first <= until;
    const inBlocks = isIn(sealedUntil) ? await blockFramesAt(reader, key, times) : [];
    const untimely = isIn(untimelyUntil) ? await linesAt(reader, "untimely_frames", key, times) : [];
    found.set(device, [
      ...mergedFrames([inBlocks, recent.get(device) ?? []]).map((stored) => timesOf(stored, true)),
      ...untimely.map((line) => timesOf(line.stored(), false)),
    ]);
  }
  return found;
}

function timesOf({ frame, timelyAt = null }: StoredFrame, isTimely: boolean): StoredTimes {
  const { recordedAt, digest, receivedAt } = frame;
  return { recordedAt, digest, firstAt: receivedAt, timelyAt, isTimely };
}

/** A device, and the moment from which on its frames are wanted. */
export interface FramesWanted extends DeviceMoment {
  /** Whether blocks have some of them. */
  readonly areInBlocks: boolean;
}

/**
 * Of each device, its frames from a moment on, in order: two statements for all. The devices must be held, or a
 * frame could be moved into a block in between.
 */
export async function framesSince(
  reader: Reader,
  accountId: number,
  wanted: readonly FramesWanted[],
): Promise<ReadonlyMap<number, readonly StoredFrame[]>> {
  const frames = await recentFrom(reader, accountId, wanted);
  const inBlocks = wanted.filter(({ areInBlocks }) => areInBlocks);
  for (const [device, earlier] of await blockFramesSince(reader, accountId, inBlocks)) {
    frames.set(device, [...earlier, ...(frames.get(device) ?? [])]);
  }
  return frames;
}

async function blockFramesSince(
  reader: Reader,
  accountId: number,
  moments: readonly DeviceMoment[],
): Promise<ReadonlyMap<number, readonly StoredFrame[]>> {
  const frames = new Map<number, StoredFrame[]>();
  const ofDevice = sql`account_id = ${accountId} and device = wanted.column1`;
  const first = sql`select max(from_at) from frame_blocks where ${ofDevice} and from_at <= wanted.column2`;
  const isThere = sql`r.account_id = ${accountId} and r.device = wanted.column1
    and r.from_at >= coalesce((${first}), wanted.column2)`;
  const rows = await reader.all<DeviceMoment & { readonly body: Uint8Array }>(sql`
    select r.device, r.body, wanted.column2 as at from ${momentRows(moments)} wanted
    ${ofEachDevice(reader.engine, blockTables.frame_blocks, isThere, nothing)}
    order by r.device, r.from_at`);
  for (const { device, body, at } of rows) {
    frames.set(device, [...(frames.get(device) ?? []), ...new FrameBlock(body).frames(at)]);
  }
  return frames;
}
