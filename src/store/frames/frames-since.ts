import { FrameBlock } from "../blocks/frame-block.ts";
import type { StoredFrame } from "../blocks/stored-frame.ts";
import type { Reader } from "../database.ts";
import { nothing, sql } from "../sql.ts";
import { type DeviceMoment, keysOf, maxMoments } from "../timed-rows.ts";
import { ofEachDevice } from "../visible.ts";
import { recentFrom } from "./recent-frames.ts";

/** A device, and the moment from which on its frames are wanted. */
export interface FramesWanted extends DeviceMoment {
  /** Whether blocks have some of them. */
  readonly areInBlocks: boolean;
}

const frameBlocks = sql`frame_blocks`;

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
  for (let start = 0; start < moments.length; start += maxMoments) {
    const ofDevice = sql`account_id = ${accountId} and device = wanted.column1`;
    const first = sql`select max(from_at) from frame_blocks where ${ofDevice} and from_at <= wanted.column2`;
    const isThere = sql`r.account_id = ${accountId} and r.device = wanted.column1
      and r.from_at >= coalesce((${first}), wanted.column2)`;
    const rows = await reader.all<DeviceMoment & { readonly body: Uint8Array }>(sql`
      select r.device, r.body, wanted.column2 as at from (values ${keysOf(moments.slice(start, start + maxMoments))}) wanted
      ${ofEachDevice(reader.engine, frameBlocks, isThere, nothing)}
      order by r.device, r.from_at`);
    for (const { device, body, at } of rows) {
      frames.set(device, [...(frames.get(device) ?? []), ...new FrameBlock(body).framesFrom(at)]);
    }
  }
  return frames;
}
