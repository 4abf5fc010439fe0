import { rulesVersion } from "../domain/rules.ts";
import type { Reader, Transaction } from "./database.ts";
import { type DeviceKey, isTimely, isUntimely } from "./frames.ts";
import { allIn } from "./in-list.ts";
import { limitTo } from "./pages.ts";
import { nothing, sql } from "./sql.ts";

/** What retention needs to know of a device. Each value is one index lookup, however many frames there are. */
export interface RetainedDevice extends DeviceKey {
  readonly head: number;
  readonly isDirty: boolean;
  readonly droppedUntil: number | null;
  /** The last checkpoint before the moment. */
  readonly base: number | null;
  /** Whether frames remain that should have been dropped: an earlier pass was interrupted. */
  readonly hasRest: boolean;
}

interface RetainedRow {
  readonly account_id: number;
  readonly device: number;
  readonly head_recorded_at: number;
  readonly dirty_from: number | null;
  readonly dropped_until: number | null;
  readonly base: number | null;
  readonly has_rest: number | boolean;
}

/**
 * The next devices that ever sent a frame of a believable time, with what retention up to a moment needs. Those that wait to
 * be derived by newer rules are left out: their frames are still needed.
 */
export async function retainedDevices(
  reader: Reader,
  before: number,
  after: DeviceKey | null,
  count: number,
): Promise<RetainedDevice[]> {
  const start = after === null ? nothing : sql`and (account_id, device) > (${after.accountId}, ${after.device})`;
  const rows = await reader.all<RetainedRow>(sql`
    select f.account_id, f.device, f.head_recorded_at, f.dirty_from, f.dropped_until,
      (select max(c.recorded_at) from fold_checkpoints c
        where c.account_id = f.account_id and c.device = f.device and c.recorded_at < ${before}) as base,
      (f.dropped_until is not null and exists (select 1 from frames r
        where r.account_id = f.account_id and r.device = f.device and r.recorded_at <= f.dropped_until
          and ${isTimely})) as has_rest
    from (select account_id, device, head_recorded_at, dirty_from, dropped_until from device_folds
      where head_recorded_at is not null and rules >= ${rulesVersion} ${start}
      order by account_id, device ${limitTo(count)}) f
    order by f.account_id, f.device`);
  return rows.map((row) => ({
    accountId: row.account_id,
    device: row.device,
    head: row.head_recorded_at,
    isDirty: row.dirty_from !== null,
    droppedUntil: row.dropped_until,
    base: row.base,
    hasRest: Boolean(row.has_rest),
  }));
}

/** The time of the last checkpoint of a device before a moment. */
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

export interface Dropped {
  readonly count: number;
  readonly isDone: boolean;
}

/** Drops about `count` of a device's frames recorded up to a moment, the oldest first. */
export async function dropFramesUntil(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  until: number,
  count: number,
): Promise<Dropped> {
  // By a range of the key: for a list of keys the engine may read all frames of the device.
  const old = (end: number) =>
    sql`account_id = ${accountId} and device = ${device} and recorded_at <= ${end} and ${isTimely}`;
  const last = await tx.get<{ recorded_at: number }>(sql`
    select recorded_at from frames where ${old(until)} order by recorded_at, digest limit 1 offset ${count - 1}`);
  const dropped = await tx.run(sql`delete from frames where ${old(last?.recorded_at ?? until)}`);
  return { count: dropped, isDone: last === null };
}

/** Drops up to `count` frames of no believable time that were received before a moment. An index holds only such frames. */
export async function dropUntimelyFrames(tx: Transaction, before: number, count: number): Promise<Dropped> {
  const isOld = sql`received_at < ${before} and ${isUntimely}`;
  const rows = await tx.all<{ account_id: number; device: number; recorded_at: number }>(sql`
    select account_id, device, recorded_at from frames where ${isOld} order by received_at ${limitTo(count)}`);
  const byDevice = Map.groupBy(rows, ({ account_id, device }) => `${account_id} ${device}`);
  let dropped = 0;
  for (const [first, ...others] of byDevice.values()) {
    if (first === undefined) continue;
    // It deletes what it reads. If the time has become believable meanwhile, the frame stays.
    const gone = await allIn(
      tx,
      [first, ...others].map(({ recorded_at }) => recorded_at),
      (list) => sql`
        delete from frames where account_id = ${first.account_id} and device = ${first.device}
          and recorded_at in ${list} and ${isOld} returning recorded_at`,
    );
    dropped += gone.length;
  }
  return { count: dropped, isDone: rows.length < count };
}
