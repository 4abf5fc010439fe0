import { FrameBlock } from "../../src/store/blocks/frame-block.ts";
import type { StoredFrame } from "../../src/store/blocks/stored-frame.ts";
import type { Reader } from "../../src/store/database.ts";
import type { DeviceKey } from "../../src/store/device-key.ts";
import { waitingLines } from "../../src/store/frames/waiting-frames.ts";
import { sql } from "../../src/store/sql.ts";
import { blockRow } from "./stored-frames.ts";

interface StoredBlock {
  readonly from_at: number;
  readonly until_at: number;
  readonly count: number;
  readonly received_until: number;
  readonly kinds: number;
  readonly body: Uint8Array;
}

export interface BlocksOfDevice {
  /** How many frames each has, in order. */
  readonly counts: readonly number[];
  /** What is wrong, in words. */
  readonly faults: readonly string[];
}

/** Holds what is stored of a device against all that must be so of blocks and rows, whatever was sent. */
export async function blocksOf(reader: Reader, key: DeviceKey): Promise<BlocksOfDevice> {
  const isOwn = sql`account_id = ${key.accountId} and device = ${key.device}`;
  const blocks = await reader.all<StoredBlock>(sql`
    select from_at, until_at, count, received_until, kinds, body from frame_blocks where ${isOwn} order by from_at`);
  const folds = await reader.get<{ sealed_until: number | null; recent_frames: number }>(
    sql`select sealed_until, recent_frames from device_folds where ${isOwn}`,
  );
  const waiting = await waitingLines(reader, key);
  const faults: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const frames = new FrameBlock(block.body).frames();
    faults.push(...faultsOf(block, frames, key));
    const before = blocks[index - 1];
    if (before && before.until_at >= block.from_at) faults.push(`${before.until_at} is not before ${block.from_at}`);
  }
  const [last, sealed] = [blocks.at(-1)?.until_at ?? null, folds?.sealed_until ?? null];
  if (last !== null && (sealed === null || sealed < last)) faults.push(`sealed until ${sealed}, blocks until ${last}`);
  const first = waiting[0]?.recordedAt;
  if (first !== undefined && sealed !== null && sealed >= first)
    faults.push(`sealed until ${sealed}, rows from ${first}`);
  if ((folds?.recent_frames ?? 0) < waiting.length) faults.push(`more rows than ${folds?.recent_frames}`);
  return { counts: blocks.map(({ count }) => count), faults };
}

function faultsOf(block: StoredBlock, frames: readonly StoredFrame[], key: DeviceKey): string[] {
  const faults: string[] = [];
  if (frames.length === 0) return [`no frame from ${block.from_at} on`];
  const { body: _, account_id: __, device: ___, ...expected } = blockRow(key, frames);
  for (const [name, value] of Object.entries(expected)) {
    const stored = block[name as keyof StoredBlock];
    if (stored !== value) faults.push(`${name} of ${block.from_at}: ${stored} instead of ${value}`);
  }
  for (const [index, { frame }] of frames.entries()) {
    const before = frames[index - 1]?.frame;
    if (before === undefined || before.recordedAt < frame.recordedAt) continue;
    if (before.recordedAt > frame.recordedAt || before.digest >= frame.digest) {
      faults.push(`${frame.recordedAt} ${frame.digest} comes after ${before.recordedAt} ${before.digest}`);
    }
  }
  return faults;
}
