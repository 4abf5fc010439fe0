import type { FramePlace } from "../domain/frame.ts";
import type { BulkTable, Reader, Transaction } from "./database.ts";
import type { DeviceKey } from "./frames.ts";
import { allIn } from "./in-list.ts";
import { nothing, sql } from "./sql.ts";

/** The state of a fold after all frames up to and with this place. */
export interface Checkpoint extends FramePlace {
  readonly stateJson: string;
}

interface Row {
  readonly recorded_at: number;
  readonly digest: number;
  readonly state_json: string;
}

const table: BulkTable = {
  name: "fold_checkpoints",
  columns: { account_id: "bigint", device: "bigint", recorded_at: "bigint", digest: "bigint", state_json: "text" },
  onConflict: "on conflict (account_id, device, recorded_at, digest) do update set state_json = excluded.state_json",
};

export async function saveCheckpoints(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  checkpoints: readonly Checkpoint[],
): Promise<void> {
  await tx.insertMany(
    table,
    checkpoints.map(({ recordedAt, digest, stateJson }) => ({
      account_id: accountId,
      device,
      recorded_at: recordedAt,
      digest,
      state_json: stateJson,
    })),
  );
}

/** The last one before a moment, or of all. */
export async function checkpointBefore(
  reader: Reader,
  { accountId, device }: DeviceKey,
  moment: number | null,
): Promise<Checkpoint | null> {
  const row = await reader.get<Row>(sql`
    select recorded_at, digest, state_json from fold_checkpoints
    where account_id = ${accountId} and device = ${device}
      ${moment === null ? nothing : sql`and recorded_at < ${moment}`}
    order by recorded_at desc, digest desc limit 1`);
  return row && { recordedAt: row.recorded_at, digest: row.digest, stateJson: row.state_json };
}

/** Those after a moment, in order. */
export async function checkpointsAfter(
  reader: Reader,
  { accountId, device }: DeviceKey,
  moment: number,
): Promise<Checkpoint[]> {
  const rows = await reader.all<Row>(sql`
    select recorded_at, digest, state_json from fold_checkpoints
    where account_id = ${accountId} and device = ${device} and recorded_at > ${moment}
    order by recorded_at, digest`);
  return rows.map((row) => ({ recordedAt: row.recorded_at, digest: row.digest, stateJson: row.state_json }));
}

/** When they are, in ascending order. */
export async function checkpointTimes(reader: Reader, { accountId, device }: DeviceKey): Promise<number[]> {
  const rows = await reader.all<{ recorded_at: number }>(sql`
    select recorded_at from fold_checkpoints where account_id = ${accountId} and device = ${device}
    order by recorded_at`);
  return rows.map((row) => row.recorded_at);
}

/** Forgets those of a device from one moment on, and before another. */
export async function dropCheckpoints(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<void> {
  await tx.run(sql`
    delete from fold_checkpoints where account_id = ${accountId} and device = ${device}
      and recorded_at >= ${from} and recorded_at < ${until}`);
}

export async function dropCheckpointsAt(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  moments: readonly number[],
): Promise<void> {
  if (moments.length === 0) return;
  // `allIn` reads; what it reads here is what was deleted.
  await allIn(
    tx,
    moments,
    (list) => sql`
      delete from fold_checkpoints where account_id = ${accountId} and device = ${device} and recorded_at in ${list}
      returning recorded_at`,
  );
}
