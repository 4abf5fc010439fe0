import { compareFrames, placeKey } from "../../src/domain/frame.ts";
import type { Reported } from "../../src/domain/reported.ts";
import { rulesVersion } from "../../src/domain/rules.ts";
import { isTimeReason } from "../../src/domain/verdict.ts";
import { encodeFrames, FrameBlock } from "../../src/store/blocks/frame-block.ts";
import { allLines, linesIn } from "../../src/store/blocks/frame-line.ts";
import { sharedLinesByDevice } from "../../src/store/blocks/shared-lines.ts";
import { mergedFrames, type StoredFrame } from "../../src/store/blocks/stored-frame.ts";
import type { Reader, Row, Transaction } from "../../src/store/database.ts";
import type { DeviceKey } from "../../src/store/device-key.ts";
import { blockTable, framesPerBlock, kindBits } from "../../src/store/frames/frame-blocks.ts";
import { lineRow, saveLines } from "../../src/store/frames/recent-frames.ts";
import { setDeviceApart } from "../../src/store/frames/waiting-frames.ts";
import { nothing, plainSql, type Sql, sql } from "../../src/store/sql.ts";
import { randomNumbers } from "./random-drive.ts";

/** Where the store may have a frame. */
export const frameTables = ["frame_blocks", "shared_frames", "recent_frames", "untimely_frames"] as const;

/** A stored frame of any device, wherever it is, with nothing in it that says where. */
export interface StoredFrameRow extends Reported {
  readonly account_id: number;
  readonly device: number;
  readonly recorded_at: number;
  readonly digest: number;
  readonly received_at: number;
  readonly timely_at: number | null;
  readonly fix: boolean | null;
  readonly source: string | null;
  readonly sensors: readonly object[];
  readonly valid: boolean;
  readonly reject_reason: string | null;
  readonly discontinuity: boolean;
}

export type KeyedFrame = StoredFrame & DeviceKey;

/** All stored frames, or those of one device, by account, device, time and digest. */
export async function storedFrames(reader: Reader, key?: DeviceKey): Promise<StoredFrameRow[]> {
  return (await everyFrame(reader, key)).map(rowOf);
}

export async function countFrames(reader: Reader): Promise<number> {
  const row = await reader.get<{ count: number }>(sql`
    select (select coalesce(sum(count), 0) from frame_blocks) + (select count(*) from untimely_frames) as count`);
  return Number(row?.count) + (await framesInRows(reader, nothing)).length;
}

export async function everyFrame(reader: Reader, key?: DeviceKey): Promise<KeyedFrame[]> {
  const condition = key === undefined ? nothing : sql`where account_id = ${key.accountId} and device = ${key.device}`;
  const untimely = await reader.all<LinesRow>(sql`
    select account_id, device, ${allLines} as lines from untimely_frames r ${condition} group by account_id, device`);
  const isMeant = ({ device }: KeyedFrame) => key === undefined || key.device === device;
  const ofAccount = key === undefined ? nothing : sql`where account_id = ${key.accountId}`;
  const frames = [...untimely.flatMap(keyedFrames), ...(await framesInRows(reader, ofAccount)).filter(isMeant)];
  // Blocks last: a frame that is moved into one meanwhile is found twice rather than not at all.
  const blocks = await reader.all<BlockRow>(sql`select account_id, device, body from frame_blocks ${condition}`);
  for (const { account_id: accountId, device, body } of blocks) {
    for (const stored of new FrameBlock(body).frames()) frames.push({ ...stored, accountId, device });
  }
  const sorted = frames.sort(compareKeyed);
  return sorted.filter((one, index) => index === 0 || compareKeyed(sorted[index - 1] as KeyedFrame, one) !== 0);
}

/** Those that wait for their block: in rows of their own, and with those of neighbours. */
async function framesInRows(reader: Reader, condition: Sql): Promise<KeyedFrame[]> {
  const rows = await reader.all<LinesRow & { readonly is_shared: number }>(sql`
    select account_id, device, ${allLines} as lines, 0 as is_shared from recent_frames r ${condition}
    group by account_id, device
    union all select account_id, null, string_agg(lines, ''), 1 from shared_frames ${condition} group by account_id`);
  const own = rows.filter(({ is_shared }) => is_shared === 0).flatMap(keyedFrames);
  const places = new Set(own.map(placeOf));
  const near = rows.flatMap(({ account_id: accountId, lines, is_shared }) =>
    is_shared === 0
      ? []
      : Array.from(sharedLinesByDevice(lines), ([device, found]) =>
          found.map((line) => ({ ...line.stored(), accountId, device })),
        ).flat(),
  );
  return [...own, ...near.filter((frame) => !places.has(placeOf(frame)))];
}

function keyedFrames({ account_id: accountId, device, lines }: LinesRow): KeyedFrame[] {
  return linesIn(lines).map((line) => ({ ...line.stored(), accountId, device }));
}

function placeOf({ accountId, device, frame }: KeyedFrame): string {
  return `${accountId} ${device} ${placeKey(frame)}`;
}

function compareKeyed(one: KeyedFrame, other: KeyedFrame): number {
  return one.accountId - other.accountId || one.device - other.device || compareFrames(one.frame, other.frame);
}

interface BlockRow {
  readonly account_id: number;
  readonly device: number;
  readonly body: Uint8Array;
}

interface LinesRow {
  readonly account_id: number;
  readonly device: number;
  readonly lines: string;
}

export function rowOf({ accountId, device, frame, verdict, timelyAt = null }: KeyedFrame): StoredFrameRow {
  const { recordedAt, receivedAt, digest, fix, source, sensors, ...reported } = frame;
  return {
    account_id: accountId,
    device,
    recorded_at: recordedAt,
    digest,
    received_at: receivedAt,
    timely_at: timelyAt,
    ...reported,
    fix,
    source,
    sensors: [...sensors],
    valid: verdict.valid,
    reject_reason: verdict.rejectReason,
    discontinuity: verdict.discontinuity,
  };
}

/**
 * Stores frames directly, beside those that are there: of each device some in blocks of any size and the rest in rows, as the
 * seed chooses. What is derived from them is not stored.
 */
export async function putFrames(tx: Transaction, frames: readonly KeyedFrame[], seed = 1): Promise<void> {
  const random = randomNumbers(seed);
  for (const own of byDevice(frames).values()) {
    const [key] = own as [KeyedFrame];
    await replaceFrames(tx, key, mergedFrames([await everyFrame(tx, key), own]), random);
  }
}

/** Changes the stored frames of all devices, each by itself; null: it is removed. They stay where they are spread anew. */
export async function changeFrames(
  tx: Transaction,
  change: (stored: StoredFrame) => StoredFrame | null,
  seed = 1,
): Promise<void> {
  const random = randomNumbers(seed);
  for (const own of byDevice(await everyFrame(tx)).values()) {
    const [key] = own as [KeyedFrame];
    const changed = own.map(change).filter((stored) => stored !== null);
    await replaceFrames(tx, key, mergedFrames([changed]), random);
  }
}

function byDevice(frames: readonly KeyedFrame[]): Map<string, KeyedFrame[]> {
  return Map.groupBy(frames, ({ accountId, device }) => `${accountId} ${device}`);
}

const maxInRows = 40;

/** The frames of a device, in order, in the place of those that it has. */
async function replaceFrames(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  frames: readonly StoredFrame[],
  random: () => number,
): Promise<void> {
  const row = (stored: StoredFrame) => lineRow({ accountId, device }, stored);
  await setDeviceApart(tx, { accountId, device });
  for (const table of ["frame_blocks", "recent_frames", "untimely_frames"]) {
    await tx.run(sql`delete from ${plainSql(table)} where account_id = ${accountId} and device = ${device}`);
  }
  const isUntimely = ({ verdict }: StoredFrame) => isTimeReason(verdict.rejectReason);
  const untimely = frames.filter(isUntimely);
  const timely = frames.filter((stored) => !isUntimely(stored));
  // No device has many frames in rows.
  const inRows = Math.floor(random() * (Math.min(timely.length, maxInRows) + 1));
  const cut = endOfTime(timely, timely.length - inRows);
  const rows: Row[] = [];
  for (let start = 0; start < cut; ) {
    const end = Math.min(cut, endOfTime(timely, start + 1 + Math.floor(random() * framesPerBlock)));
    rows.push(blockRow({ accountId, device }, timely.slice(start, end)));
    start = end;
  }
  await tx.insertMany(blockTable, rows);
  await saveLines(tx, "recent_frames", timely.slice(cut).map(row));
  await saveLines(tx, "untimely_frames", untimely.map(row));
  const sealedUntil = timely[cut - 1]?.frame.recordedAt ?? null;
  await tx.run(saveSealing({ accountId, device }, sealedUntil, timely.length - cut, untimely));
}

function saveSealing(
  { accountId, device }: DeviceKey,
  sealedUntil: number | null,
  recent: number,
  untimely: readonly StoredFrame[],
): Sql {
  const untimelyUntil = untimely.at(-1)?.frame.recordedAt ?? null;
  return sql`
    insert into device_folds (account_id, device, revision, rules, sealed_until, recent_frames, untimely_until)
    values (${accountId}, ${device}, 0, ${rulesVersion}, ${sealedUntil}, ${recent}, ${untimelyUntil})
    on conflict (account_id, device) do update set revision = device_folds.revision + 1,
      sealed_until = excluded.sealed_until, recent_frames = excluded.recent_frames,
      untimely_until = excluded.untimely_until`;
}

/** Frames of one time are never in two places: the first index from here on at which another time begins. */
function endOfTime(frames: readonly StoredFrame[], index: number): number {
  let end = Math.min(index, frames.length);
  while (end > 0 && end < frames.length && frames[end]?.frame.recordedAt === frames[end - 1]?.frame.recordedAt) end++;
  return end;
}

/** Worked out here once more: what the store says of its own blocks is tested against this. */
export function blockRow({ accountId, device }: DeviceKey, frames: readonly StoredFrame[]): Row {
  const times = frames.map(({ frame }) => frame.recordedAt);
  const kinds = frames.flatMap(({ frame }) => frame.sensors.map(({ kind }) => kindBits[kind]));
  return {
    account_id: accountId,
    device,
    from_at: Math.min(...times),
    until_at: Math.max(...times),
    count: frames.length,
    received_until: Math.max(...frames.map(({ frame }) => frame.receivedAt)),
    kinds: kinds.reduce((all, one) => all | one, 0),
    body: encodeFrames(frames),
  };
}
