import { rulesVersion } from "../../domain/rules.ts";
import { FrameBlock } from "../blocks/frame-block.ts";
import type { StoredFrame } from "../blocks/stored-frame.ts";
import type { Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { holdFolds } from "../facts/folds.ts";
import { trimBlock } from "../frames/frame-blocks.ts";
import { keepReadings } from "../frames/reading-writes.ts";
import { hasSensors, storedLines } from "../frames/recent-frames.ts";
import { hasFrameOf } from "../frames/shared-rows.ts";
import { setDeviceApart } from "../frames/waiting-frames.ts";
import { limitTo, type Sql, sql } from "../sql.ts";

/** What retention needs to know of a device. Each value is one index lookup, however many frames there are. */
export interface RetainedDevice extends DeviceKey {
  readonly head: number;
  readonly isDirty: number | boolean;
  readonly droppedUntil: number | null;
  readonly base: number | null;
  /** Whether frames remain that should have been dropped: an earlier pass was interrupted. */
  readonly hasRest: number | boolean;
}

/** An account's next devices, with what retention needs. Those that wait for newer rules are left out: frames are needed. */
export async function retainedDevices(
  reader: Reader,
  accountId: number,
  before: number,
  after: number,
  count: number,
): Promise<RetainedDevice[]> {
  const rows = await reader.all<Omit<RetainedDevice, "accountId">>(sql`
    select f.device, f.head_recorded_at as head, f.dirty_from is not null as "isDirty", f.dropped_until as "droppedUntil",
      (select max(c.recorded_at) from fold_checkpoints c
        where c.account_id = ${accountId} and c.device = f.device and c.recorded_at < ${before}) as base,
      (f.dropped_until is not null and (
        exists (select 1 from frame_blocks b
          where b.account_id = ${accountId} and b.device = f.device and b.from_at <= f.dropped_until)
        or exists (select 1 from recent_frames r
          where r.account_id = ${accountId} and r.device = f.device and r.recorded_at <= f.dropped_until)
        or exists (select 1 from shared_frames g
          where g.account_id = ${accountId} and g.neighbours = f.neighbours and g.from_at <= f.dropped_until))) as "hasRest"
    from (select device, neighbours, head_recorded_at, dirty_from, dropped_until from device_folds
      where account_id = ${accountId} and device > ${after} and head_recorded_at is not null and rules >= ${rulesVersion}
      order by device ${limitTo(count)}) f
    order by f.device`);
  return rows.map((row) => ({ accountId, ...row }));
}

/** About how many frames of some devices a pass up to a moment would drop, and how many it would leave. */
export interface AtStake {
  readonly dropped: number;
  readonly left: number;
  /** The last device that was looked at; null: there are no more. */
  readonly last: number | null;
}

type StakeRow = Readonly<Record<"device" | "old_blocks" | "cut" | "blocks" | "old_recent" | "recent", number>>;

/** In blocks of about so many. Blocks are counted in their index, without being read. */
const framesPerBlock = 120;

/** Of the next devices of an account, as `retainedDevices` finds them. */
export async function framesAtStake(
  reader: Reader,
  accountId: number,
  before: number,
  after: number,
  count: number,
): Promise<AtStake> {
  const isOf = (alias: Sql) => sql`${alias}.account_id = ${accountId} and ${alias}.device = f.device`;
  const [blocks, recent] = [isOf(sql`b`), isOf(sql`r`)];
  const isShared = sql`exists (
    select 1 from shared_frames g where g.account_id = ${accountId} and g.neighbours = f.neighbours
      and ${hasFrameOf(reader.engine, sql`f.device`)})`;
  const rows = await reader.all<StakeRow>(sql`
    select f.device,
      (select count(*) from frame_blocks b where ${blocks} and b.from_at <= f.goes_until) as old_blocks,
      coalesce((select case when b.until_at > f.goes_until then 1 else 0 end from frame_blocks b
        where ${blocks} and b.from_at <= f.goes_until order by b.from_at desc limit 1), 0) as cut,
      (select count(*) from frame_blocks b where ${blocks}) as blocks,
      (select count(*) from recent_frames r where ${recent} and r.recorded_at <= f.goes_until)
        + case when f.head_recorded_at <= f.goes_until and ${isShared} then f.recent_frames else 0 end as old_recent,
      (select count(*) from recent_frames r where ${recent}) + case when ${isShared} then f.recent_frames else 0 end as recent
    from (select d.device, d.neighbours, d.head_recorded_at, d.recent_frames, case
        when d.head_recorded_at < ${before} and d.dirty_from is null then d.head_recorded_at
        else coalesce((select max(c.recorded_at) from fold_checkpoints c
          where c.account_id = ${accountId} and c.device = d.device and c.recorded_at < ${before}), 0) end as goes_until
      from device_folds d
      where d.account_id = ${accountId} and d.device > ${after} and d.head_recorded_at is not null
        and d.rules >= ${rulesVersion}
      order by d.device ${limitTo(count)}) f
    order by f.device`);
  let [dropped, left] = [0, 0];
  for (const { old_blocks, cut, blocks, old_recent, recent } of rows) {
    // The one that the limit is in is rewritten: it counts as left.
    dropped += (old_blocks - cut) * framesPerBlock + old_recent;
    left += (blocks - old_blocks + cut) * framesPerBlock + recent - old_recent;
  }
  return { dropped, left, last: rows.length < count ? null : (rows.at(-1)?.device ?? null) };
}

export async function checkpointTimeBefore(
  reader: Reader,
  { accountId, device }: DeviceKey,
  moment: number,
): Promise<number | null> {
  const row = await reader.get<{ base: number | null }>(sql`
    select max(recorded_at) as base from fold_checkpoints
    where account_id = ${accountId} and device = ${device} and recorded_at < ${moment}`);
  return row?.base ?? null;
}

export interface DroppedFrames {
  readonly count: number;
  readonly isDone: boolean;
}

/** Drops a device's frames recorded up to a moment, the oldest first, of at most so many blocks. */
export async function dropFramesUntil(
  tx: Transaction,
  key: DeviceKey,
  until: number,
  maxBlocks: number,
): Promise<DroppedFrames> {
  const isOwn = sql`account_id = ${key.accountId} and device = ${key.device}`;
  const old = await tx.all<OldBlock>(sql`
    select from_at, until_at, count, kinds from frame_blocks
    where ${isOwn} and from_at <= ${until} order by from_at ${limitTo(maxBlocks)}`);
  const blocks = withFewReadings(old);
  const whole = blocks.filter(({ until_at }) => until_at <= until);
  let count = whole.reduce((sum, block) => sum + block.count, 0);
  const last = whole.at(-1);
  const dropped: StoredFrame[] = [];
  if (last !== undefined) {
    const isWhole = sql`${isOwn} and from_at <= ${last.from_at}`;
    const bodies = await tx.all<{ body: Uint8Array }>(
      sql`select body from frame_blocks where ${isWhole} and kinds > 0 order by from_at`,
    );
    for (const { body } of bodies) dropped.push(...new FrameBlock(body).frames());
    await tx.run(sql`delete from frame_blocks where ${isWhole}`);
  }
  // Blocks do not overlap: only the last may contain later frames as well.
  if (whole.length < blocks.length) {
    const trimmed = await trimBlock(tx, key, until);
    count += trimmed.length;
    dropped.push(...trimmed);
  }
  const isDone = old.length < maxBlocks && blocks.length === old.length;
  if (isDone) {
    await setDeviceApart(tx, key, until);
    const isOld = sql`${isOwn} and recorded_at <= ${until}`;
    dropped.push(...(await storedLines(tx, "recent_frames", sql`${isOld} and ${hasSensors}`)));
    count += await tx.run(sql`delete from recent_frames where ${isOld}`);
  }
  await keepReadings(tx, key, dropped);
  return { count, isDone };
}

/** A block with readings is opened before it is dropped, and written again: about a millisecond, for each device. */
const maxWithReadings = 1;

function withFewReadings(blocks: readonly OldBlock[]): readonly OldBlock[] {
  const firsts = blocks.filter(({ kinds }) => kinds > 0).slice(0, maxWithReadings + 1);
  const end = firsts.length > maxWithReadings ? firsts.at(-1) : undefined;
  return end === undefined ? blocks : blocks.slice(0, blocks.indexOf(end));
}

interface OldBlock {
  readonly from_at: number;
  readonly until_at: number;
  readonly count: number;
  readonly kinds: number;
}

/** Whether an account has frames of no believable time that were received before a moment. */
export async function hasUntimelyFrames(reader: Reader, accountId: number, before: number): Promise<boolean> {
  const row = await reader.get(sql`
    select 1 as there from untimely_frames where account_id = ${accountId} and received_at < ${before} limit 1`);
  return row !== null;
}

/** Drops about `count` of the oldest frames without a believable time. Their readings stay. Each device is held meanwhile. */
export async function dropUntimelyFrames(
  tx: Transaction,
  accountId: number,
  before: number,
  count: number,
): Promise<DroppedFrames> {
  const last = await tx.get<{ received_at: number }>(sql`
    select received_at from untimely_frames where account_id = ${accountId} and received_at < ${before}
    order by received_at limit 1 offset ${count - 1}`);
  const isOld = sql`received_at < ${last === null ? before : last.received_at + 1}`;
  // Found by their receipt first: in the order of the devices, all that are stored would be read.
  const devices = await tx.all<{ device: number }>(sql`
    with old as materialized (select device from untimely_frames where account_id = ${accountId} and ${isOld})
    select distinct device from old order by device`);
  let dropped = 0;
  for (const { device } of devices) {
    await holdFolds(tx, accountId, [device]);
    const isOwn = sql`account_id = ${accountId} and device = ${device} and ${isOld}`;
    const frames = await storedLines(tx, "untimely_frames", sql`${isOwn} and ${hasSensors}`);
    await keepReadings(tx, { accountId, device }, frames);
    dropped += await tx.run(sql`delete from untimely_frames where ${isOwn}`);
  }
  return { count: dropped, isDone: last === null };
}
