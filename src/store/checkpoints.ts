import type { FramePlace } from "../domain/frame.ts";
import type { BulkTable, Reader, Transaction } from "./database.ts";
import type { DeviceKey } from "./frames.ts";
import { limitTo } from "./pages.ts";
import { nothing, type Sql, sql } from "./sql.ts";

/** The totals of a device's state after all frames up to and including this place. */
export interface CheckpointTotals extends FramePlace {
  /** Null in a checkpoint of 1.0.0, whose state includes the totals. */
  readonly totalsJson: string | null;
}

/** The totals with the whole state. */
export interface Checkpoint extends CheckpointTotals {
  readonly stateJson: string;
}

const key = { account_id: "bigint", device: "bigint", recorded_at: "bigint", digest: "bigint" } as const;
const onConflict = "on conflict (account_id, device, recorded_at, digest) do update set";

const states: BulkTable = {
  name: "fold_checkpoints",
  columns: { ...key, state_json: "text" },
  onConflict: `${onConflict} state_json = excluded.state_json`,
};

/** In a table of their own: they are small, and change more often than the states. */
const totals: BulkTable = {
  name: "checkpoint_totals",
  columns: { ...key, totals_json: "text" },
  onConflict: `${onConflict} totals_json = excluded.totals_json`,
};

export async function saveCheckpoints(
  tx: Transaction,
  checkpoints: readonly (Checkpoint & DeviceKey)[],
): Promise<void> {
  await tx.insertMany(
    states,
    checkpoints.map((checkpoint) => ({ ...keyOf(checkpoint), state_json: checkpoint.stateJson })),
  );
  await saveTotals(tx, checkpoints);
}

export async function saveTotals(tx: Transaction, rows: readonly (CheckpointTotals & DeviceKey)[]): Promise<void> {
  await tx.insertMany(
    totals,
    rows.map((row) => ({ ...keyOf(row), totals_json: row.totalsJson })),
  );
}

function keyOf({ accountId, device, recordedAt, digest }: FramePlace & DeviceKey) {
  return { account_id: accountId, device, recorded_at: recordedAt, digest };
}

const light = sql`select c.recorded_at as "recordedAt", c.digest, t.totals_json as "totalsJson"`;
const both = sql`from fold_checkpoints c left join checkpoint_totals t
  on t.account_id = c.account_id and t.device = c.device and t.recorded_at = c.recorded_at and t.digest = c.digest`;
const whole = sql`${light}, c.state_json as "stateJson" ${both}`;

function ofDevice({ accountId, device }: DeviceKey): Sql {
  return sql`where c.account_id = ${accountId} and c.device = ${device}`;
}

/** The last checkpoint before a moment, or the last of all. */
export function checkpointBefore(reader: Reader, key: DeviceKey, moment: number | null): Promise<Checkpoint | null> {
  const before = moment === null ? nothing : sql`and c.recorded_at < ${moment}`;
  return reader.get(sql`${whole} ${ofDevice(key)} ${before} order by c.recorded_at desc, c.digest desc limit 1`);
}

/** The first checkpoint after a moment. */
export function checkpointAfter(reader: Reader, key: DeviceKey, moment: number): Promise<Checkpoint | null> {
  return reader.get(
    sql`${whole} ${ofDevice(key)} and c.recorded_at > ${moment} order by c.recorded_at, c.digest limit 1`,
  );
}

export function checkpointAt(reader: Reader, key: DeviceKey, place: FramePlace): Promise<Checkpoint | null> {
  const { recordedAt, digest } = place;
  return reader.get(sql`${whole} ${ofDevice(key)} and c.recorded_at = ${recordedAt} and c.digest = ${digest}`);
}

/** The next checkpoints after a moment, in order, without their states. */
export function totalsAfter(
  reader: Reader,
  key: DeviceKey,
  moment: number,
  count: number,
): Promise<CheckpointTotals[]> {
  return reader.all(sql`
    ${light} ${both} ${ofDevice(key)} and c.recorded_at > ${moment} order by c.recorded_at, c.digest ${limitTo(count)}`);
}

/** Removes a device's checkpoints from one moment on and before another. */
export async function dropCheckpoints(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<void> {
  const those = sql`account_id = ${accountId} and device = ${device} and recorded_at >= ${from} and recorded_at < ${until}`;
  await tx.run(sql`delete from fold_checkpoints where ${those}`);
  await tx.run(sql`delete from checkpoint_totals where ${those}`);
}
