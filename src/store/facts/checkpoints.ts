import type { FramePlace } from "../../domain/frame.ts";
import { dayMs, dayOf } from "../../domain/time/time.ts";
import { bigint, bytes, orNull, type RowOf, text } from "../columns.ts";
import type { BulkUpdate, Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { limitTo, listOf, nothing, type Sql, sql } from "../sql.ts";
import { bulkUpdate, pick, table, upsert } from "../table.ts";
import { deviceRows } from "../timed-rows.ts";
import { deviceKeys } from "./folds.ts";
import { packState, unpackState } from "./packed-state.ts";

/** The totals of a device's state after all frames up to and including this place. */
export interface CheckpointTotals extends FramePlace {
  readonly totalsJson: string;
}

export interface Checkpoint extends CheckpointTotals {
  readonly stateJson: string;
}

export const checkpointTable = table("fold_checkpoints", ["account_id", "device", "recorded_at", "digest"], {
  account_id: bigint,
  device: bigint,
  recorded_at: bigint,
  digest: bigint,
  state: bytes,
  totals_json: orNull(text),
});
const whole = upsert(checkpointTable);
/** A checkpoint may have been thinned since it was read. The device's progress, of the same shard, is required. */
const onlyTotals: BulkUpdate = {
  ...bulkUpdate(checkpointTable, pick(checkpointTable.columns, "totals_json")),
  rowsMayBeGone: true,
};

export async function saveCheckpoints(
  tx: Transaction,
  checkpoints: readonly (Checkpoint & DeviceKey)[],
): Promise<void> {
  await tx.insertMany(whole, checkpoints.map(checkpointRow));
  await notThinned(tx, checkpoints);
}

export async function saveTotals(tx: Transaction, rows: readonly (CheckpointTotals & DeviceKey)[]): Promise<void> {
  await tx.updateMany(
    onlyTotals,
    rows.map((row) => ({ ...keyOf(row), totals_json: row.totalsJson })),
  );
}

function checkpointRow(checkpoint: Checkpoint & DeviceKey): RowOf<typeof checkpointTable.columns> {
  return { ...keyOf(checkpoint), state: packState(checkpoint.stateJson), totals_json: checkpoint.totalsJson };
}

function keyOf({ accountId, device, recordedAt, digest }: FramePlace & DeviceKey) {
  return { account_id: accountId, device, recorded_at: recordedAt, digest };
}

interface CheckpointRow extends CheckpointTotals {
  readonly state: Uint8Array;
}

const light = sql`recorded_at as "recordedAt", digest, totals_json as "totalsJson"`;

async function firstOf(reader: Reader, rest: Sql): Promise<Checkpoint | null> {
  const row = await reader.get<CheckpointRow>(sql`select ${light}, state from fold_checkpoints ${rest}`);
  return row && checkpointIn(row);
}

function checkpointIn({ state, ...totals }: CheckpointRow): Checkpoint {
  return { ...totals, stateJson: unpackState(state) };
}

function ofDevice({ accountId, device }: DeviceKey): Sql {
  return sql`where account_id = ${accountId} and device = ${device}`;
}

export function checkpointBefore(reader: Reader, key: DeviceKey, moment: number | null): Promise<Checkpoint | null> {
  const before = moment === null ? nothing : sql`and recorded_at < ${moment}`;
  return firstOf(reader, sql`${ofDevice(key)} ${before} order by recorded_at desc, digest desc limit 1`);
}

export function checkpointAfter(reader: Reader, key: DeviceKey, moment: number): Promise<Checkpoint | null> {
  return firstOf(reader, sql`${ofDevice(key)} and recorded_at > ${moment} order by recorded_at, digest limit 1`);
}

export function checkpointAt(reader: Reader, key: DeviceKey, place: FramePlace): Promise<Checkpoint | null> {
  const { recordedAt, digest } = place;
  return firstOf(reader, sql`${ofDevice(key)} and recorded_at = ${recordedAt} and digest = ${digest}`);
}

/** The next checkpoints after a moment, in order, without their states. */
export function totalsAfter(
  reader: Reader,
  key: DeviceKey,
  moment: number,
  count: number,
): Promise<CheckpointTotals[]> {
  return reader.all(sql`
    select ${light} from fold_checkpoints
    ${ofDevice(key)} and recorded_at > ${moment} order by recorded_at, digest ${limitTo(count)}`);
}

/** The last of each device, by device: one statement for all. */
export async function lastCheckpoints(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<ReadonlyMap<number, Checkpoint>> {
  const rows = await reader.all<CheckpointRow & { readonly device: number }>(sql`
    select c.device, c.recorded_at as "recordedAt", c.digest, c.totals_json as "totalsJson", c.state
    from device_folds f cross join fold_checkpoints c
    where f.account_id = ${accountId} and f.device in ${listOf(devices)}
      and c.account_id = ${accountId} and c.device = f.device
      and c.recorded_at = (
        select max(l.recorded_at) from fold_checkpoints l where l.account_id = ${accountId} and l.device = f.device)
    order by c.digest`);
  return new Map(rows.map(({ device, ...row }) => [device, checkpointIn(row)]));
}

/** Times from one on and before another: before the greatest number if there is no end. */
export interface CheckpointRange {
  readonly from: number;
  readonly until: number;
}

/** Drops the checkpoints of these devices in these ranges: their states no longer hold. */
export async function dropCheckpoints(
  tx: Transaction,
  accountId: number,
  ranges: readonly (CheckpointRange & Pick<DeviceKey, "device">)[],
): Promise<void> {
  if (tx.engine === "postgres") {
    const rows = ranges.map(({ device, from, until }) => [device, from, until]);
    await tx.run(sql`
      delete from fold_checkpoints c using ${deviceRows(3, rows)} wanted
      where c.account_id = ${accountId} and c.device = wanted.column1 and c.recorded_at >= wanted.column2
        and c.recorded_at < wanted.column3`);
    return;
  }
  for (const { device, from, until } of ranges) {
    await tx.run(sql`
      delete from fold_checkpoints ${ofDevice({ accountId, device })} and recorded_at >= ${from} and recorded_at < ${until}`);
  }
}

/**
 * Of each day that is long past, a device has one checkpoint: the last. A late frame of that day costs the folding of a day,
 * which is rare; the others would in time outweigh the frames. Up to `thinned_until` of `device_folds` this is done.
 */

/** Within so many days late frames are usual. */
export const exactDays = 7;

/** An account's next devices, after one of them, that have checkpoints before a moment and were not thinned up to it. */
export function devicesToThin(
  reader: Reader,
  accountId: number,
  before: number,
  after: number,
  count: number,
): Promise<DeviceKey[]> {
  const isToThin = sql`device > ${after} and head_recorded_at is not null
    and thinned_until < ${before} and thinned_until <= head_recorded_at`;
  return deviceKeys(reader, accountId, isToThin, count);
}

/** Leaves the last checkpoint of each day, reading up to `count`. Returns whether nothing is left to do. The device is held. */
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
    await dropCheckpoints(tx, accountId, [{ device, from: first, until: last }]);
  }
  const last = times.at(-1);
  const isDone = last === undefined || times.length < count;
  // There may be more of the last day.
  const until = isDone ? before : dayOf(last) * dayMs;
  await tx.write(sql`update device_folds set thinned_until = ${until} where ${ofDevice}`);
  return isDone;
}

/** Call it when checkpoints are stored: those of long ago must be thinned again. */
async function notThinned(tx: Transaction, rows: readonly (DeviceKey & { recordedAt: number })[]): Promise<void> {
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
