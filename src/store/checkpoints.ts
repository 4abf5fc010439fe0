import type { FramePlace } from "../domain/frame.ts";
import type { BulkTable, BulkUpdate, Reader, Transaction } from "./database.ts";
import type { DeviceKey } from "./frames.ts";
import { limitTo } from "./pages.ts";
import { nothing, type Sql, sql } from "./sql.ts";

/** The totals of a device's state after all frames up to and including this place. */
export interface CheckpointTotals extends FramePlace {
  /** Null in a checkpoint of an earlier version, whose totals are within the state. */
  readonly totalsJson: string | null;
}

/** The whole of that state. */
export interface Checkpoint extends CheckpointTotals {
  readonly stateJson: string;
}

const key = { account_id: "bigint", device: "bigint", recorded_at: "bigint", digest: "bigint" } as const;

const table: BulkTable = {
  name: "fold_checkpoints",
  columns: { ...key, state_json: "text", totals_json: "text" },
  onConflict: `on conflict (account_id, device, recorded_at, digest) do update
    set state_json = excluded.state_json, totals_json = excluded.totals_json`,
};

const totals: BulkUpdate = { name: "fold_checkpoints", key, changed: { totals_json: "text" } };

export async function saveCheckpoints(
  tx: Transaction,
  checkpoints: readonly (Checkpoint & DeviceKey)[],
): Promise<void> {
  await tx.insertMany(
    table,
    checkpoints.map((checkpoint) => ({ ...totalsRow(checkpoint), state_json: checkpoint.stateJson })),
  );
}

/** Changes the totals of checkpoints that are stored. */
export async function saveTotals(tx: Transaction, rows: readonly (CheckpointTotals & DeviceKey)[]): Promise<void> {
  await tx.updateMany(totals, rows.map(totalsRow));
}

function totalsRow({ accountId, device, recordedAt, digest, totalsJson }: CheckpointTotals & DeviceKey) {
  return { account_id: accountId, device, recorded_at: recordedAt, digest, totals_json: totalsJson };
}

const light = sql`recorded_at as "recordedAt", digest, totals_json as "totalsJson"`;
const whole = sql`${light}, state_json as "stateJson"`;

function of({ accountId, device }: DeviceKey, condition: Sql): Sql {
  return sql`from fold_checkpoints where account_id = ${accountId} and device = ${device} ${condition}`;
}

/** The last one before a moment, or of all. */
export function checkpointBefore(reader: Reader, device: DeviceKey, moment: number | null): Promise<Checkpoint | null> {
  const before = moment === null ? nothing : sql`and recorded_at < ${moment}`;
  return reader.get(sql`select ${whole} ${of(device, before)} order by recorded_at desc, digest desc limit 1`);
}

/** The first one after a moment. */
export function checkpointAfter(reader: Reader, device: DeviceKey, moment: number): Promise<Checkpoint | null> {
  return reader.get(
    sql`select ${whole} ${of(device, sql`and recorded_at > ${moment}`)} order by recorded_at, digest limit 1`,
  );
}

export function checkpointAt(reader: Reader, device: DeviceKey, place: FramePlace): Promise<Checkpoint | null> {
  const { recordedAt, digest } = place;
  return reader.get(sql`select ${whole} ${of(device, sql`and recorded_at = ${recordedAt} and digest = ${digest}`)}`);
}

/** The next totals after a moment, in order. */
export function totalsAfter(
  reader: Reader,
  device: DeviceKey,
  moment: number,
  count: number,
): Promise<CheckpointTotals[]> {
  return reader.all(
    sql`select ${light} ${of(device, sql`and recorded_at > ${moment}`)} order by recorded_at, digest ${limitTo(count)}`,
  );
}

/** Removes those of a device from one moment on, and before another. */
export async function dropCheckpoints(
  tx: Transaction,
  device: DeviceKey,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<void> {
  await tx.run(sql`delete ${of(device, sql`and recorded_at >= ${from} and recorded_at < ${until}`)}`);
}
