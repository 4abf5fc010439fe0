import { dayMs, dayOf } from "../../domain/time.ts";
import type { Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { limitTo } from "../pages.ts";
import { sql } from "../sql.ts";

/**
 * Of each day that is long past, a device has one checkpoint: the last. A late frame of that day costs the folding of a day,
 * which is rare; the others would in time outweigh the frames. Up to `thinned_until` of `device_folds` this is done.
 */

/** Within so many days late frames are usual. */
export const exactDays = 7;

/** An account's next devices, after one of them, that have checkpoints before a moment and were not thinned up to it. */
export async function devicesToThin(
  reader: Reader,
  accountId: number,
  before: number,
  after: number,
  count: number,
): Promise<DeviceKey[]> {
  const rows = await reader.all<{ device: number }>(sql`
    select device from device_folds
    where account_id = ${accountId} and device > ${after} and head_recorded_at is not null
      and thinned_until < ${before} and thinned_until <= head_recorded_at
    order by device ${limitTo(count)}`);
  return rows.map(({ device }) => ({ accountId, device }));
}

/**
 * Removes all but the last checkpoint of each day from a device, before the start of a day and after a moment. It reads up to
 * `count` of them. Returns whether nothing is left to do. The device must be held.
 */
export async function thinCheckpoints(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  { after, before, count }: { readonly after: number; readonly before: number; readonly count: number },
): Promise<boolean> {
  const ofDevice = sql`account_id = ${accountId} and device = ${device}`;
  const progress = await tx.get<{ thinned_until: number }>(sql`
    select thinned_until from device_folds where ${ofDevice}`);
  const from = Math.max(progress?.thinned_until ?? 0, after + 1);
  const rows = await tx.all<{ recorded_at: number }>(sql`
    select recorded_at from fold_checkpoints
    where ${ofDevice} and recorded_at >= ${from} and recorded_at < ${before}
    order by recorded_at ${limitTo(count)}`);
  const times = rows.map(({ recorded_at }) => recorded_at);
  for (const day of Map.groupBy(times, dayOf).values()) {
    const [first, last] = [day[0] as number, day.at(-1) as number];
    if (first === last) continue;
    await tx.run(sql`
      delete from fold_checkpoints where ${ofDevice} and recorded_at >= ${first} and recorded_at < ${last}`);
  }
  const last = times.at(-1);
  const isDone = last === undefined || times.length < count;
  // There may be more of the last day.
  const until = isDone ? before : dayOf(last) * dayMs;
  await tx.write(sql`update device_folds set thinned_until = ${until} where ${ofDevice}`);
  return isDone;
}

/** Call it when checkpoints are stored: those of long ago must be thinned again. */
export async function notThinned(
  tx: Transaction,
  rows: readonly (DeviceKey & { recordedAt: number })[],
): Promise<void> {
  // A day less: the clocks of two nodes may differ.
  const old = Date.now() - (exactDays - 1) * dayMs;
  for (const [device, own] of Map.groupBy(
    rows.filter(({ recordedAt }) => recordedAt < old),
    ({ device }) => device,
  )) {
    const { accountId, recordedAt } = own.reduce((one, other) => (other.recordedAt < one.recordedAt ? other : one));
    const from = dayOf(recordedAt) * dayMs;
    await tx.writeAny(sql`
      update device_folds set thinned_until = ${from}
      where account_id = ${accountId} and device = ${device} and thinned_until > ${from}`);
  }
}
