import type { FramePlace } from "../../domain/frame.ts";
import type { ReceivedTimes } from "../../domain/quality/clock.ts";
import { allLines, linesIn } from "../blocks/frame-line.ts";
import { merged, type StoredFrame } from "../blocks/stored-frame.ts";
import type { Reader } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { limitTo, sql } from "../sql.ts";
import { blockFramesAt } from "./frame-blocks.ts";
import { readFrames } from "./frame-reads.ts";
import { linesAt } from "./recent-frames.ts";

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
    const { frames, nextMs } = await readFrames(reader, range);
    for (const frame of frames) found.push(frame.stored());
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
  const { timely, untimely } = await storedAt(reader, key, recordedAt);
  return [...timely, ...untimely];
}

/** When a stored frame was received, and whether that makes its time believable. */
export interface StoredTimes extends FramePlace, ReceivedTimes {
  readonly isTimely: boolean;
}

/** Of the frames of these times, those that are stored. */
export async function storedTimesAt(
  reader: Reader,
  key: DeviceKey,
  recordedAt: Iterable<number>,
): Promise<StoredTimes[]> {
  const { timely, untimely } = await storedAt(reader, key, recordedAt);
  return [...timely.map((stored) => timesOf(stored, true)), ...untimely.map((stored) => timesOf(stored, false))];
}

function timesOf({ frame, timelyAt = null }: StoredFrame, isTimely: boolean): StoredTimes {
  const { recordedAt, digest, receivedAt } = frame;
  return { recordedAt, digest, firstAt: receivedAt, timelyAt, isTimely };
}

async function storedAt(
  reader: Reader,
  key: DeviceKey,
  recordedAt: Iterable<number>,
): Promise<{ readonly timely: readonly StoredFrame[]; readonly untimely: readonly StoredFrame[] }> {
  const times = new Set(recordedAt);
  // Blocks last: a frame that is moved into one meanwhile is found twice rather than not at all.
  const recent = (await linesAt(reader, "recent_frames", key, times)).map((line) => line.stored());
  const untimely = (await linesAt(reader, "untimely_frames", key, times)).map((line) => line.stored());
  const inBlocks = await blockFramesAt(reader, key, times);
  return { timely: merged([inBlocks, recent]), untimely };
}
