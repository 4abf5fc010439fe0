import type { FramePlace } from "../../domain/frame.ts";
import { bigint, bytes, orNull, type RowOf, text } from "../columns.ts";
import type { BulkUpdate, Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { limitTo } from "../pages.ts";
import { nothing, type Sql, sql } from "../sql.ts";
import { bulkUpdate, pick, table, upsert } from "../table.ts";
import { notThinned } from "./old-checkpoints.ts";
import { packState, unpackState } from "./packed-state.ts";

/** The totals of a device's state after all frames up to and including this place. */
export interface CheckpointTotals extends FramePlace {
  /** Null in a checkpoint of 1.0.0, whose state includes the totals. */
  readonly totalsJson: string | null;
}

/** The totals with the whole state. */
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

/** Changes the totals of stored checkpoints. */
export async function saveTotals(tx: Transaction, rows: readonly (CheckpointTotals & DeviceKey)[]): Promise<void> {
  await tx.updateMany(
    onlyTotals,
    rows.map((row) => ({ ...keyOf(row), totals_json: row.totalsJson })),
  );
}

export function checkpointRow(checkpoint: Checkpoint & DeviceKey): RowOf<typeof checkpointTable.columns> {
  return { ...keyOf(checkpoint), state: packState(checkpoint.stateJson), totals_json: checkpoint.totalsJson };
}

function keyOf({ accountId, device, recordedAt, digest }: FramePlace & DeviceKey) {
  return { account_id: accountId, device, recorded_at: recordedAt, digest };
}

const light = sql`recorded_at as "recordedAt", digest, totals_json as "totalsJson"`;

async function firstOf(reader: Reader, rest: Sql): Promise<Checkpoint | null> {
  const row = await reader.get<CheckpointTotals & { readonly state: Uint8Array }>(sql`
    select ${light}, state from fold_checkpoints ${rest}`);
  if (row === null) return null;
  const { state, ...totals } = row;
  return { ...totals, stateJson: unpackState(state) };
}

function ofDevice({ accountId, device }: DeviceKey): Sql {
  return sql`where account_id = ${accountId} and device = ${device}`;
}

/** The last checkpoint before a moment, or the last of all. */
export function checkpointBefore(reader: Reader, key: DeviceKey, moment: number | null): Promise<Checkpoint | null> {
  const before = moment === null ? nothing : sql`and recorded_at < ${moment}`;
  return firstOf(reader, sql`${ofDevice(key)} ${before} order by recorded_at desc, digest desc limit 1`);
}

/** The first checkpoint after a moment. */
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

/** Removes a device's checkpoints from one moment on and before another. */
export async function dropCheckpoints(
  tx: Transaction,
  key: DeviceKey,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<void> {
  await tx.run(sql`
    delete from fold_checkpoints ${ofDevice(key)} and recorded_at >= ${from} and recorded_at < ${until}`);
}
