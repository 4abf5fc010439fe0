import type { Reader } from "../database.ts";
import { listOf, sql } from "../sql.ts";
import type { Checkpoint, CheckpointTotals } from "./checkpoints.ts";
import { unpackState } from "./packed-state.ts";

interface CheckpointRow extends CheckpointTotals {
  readonly device: number;
  readonly state: Uint8Array;
}

/** The last of each device, by device: one statement for all. */
export async function lastCheckpoints(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<ReadonlyMap<number, Checkpoint>> {
  const rows = await reader.all<CheckpointRow>(sql`
    select c.device, c.recorded_at as "recordedAt", c.digest, c.totals_json as "totalsJson", c.state
    from device_folds f cross join fold_checkpoints c
    where f.account_id = ${accountId} and f.device in ${listOf(devices)}
      and c.account_id = ${accountId} and c.device = f.device
      and c.recorded_at = (
        select max(l.recorded_at) from fold_checkpoints l where l.account_id = ${accountId} and l.device = f.device)
    order by c.digest`);
  return new Map(rows.map(({ device, state, ...totals }) => [device, { ...totals, stateJson: unpackState(state) }]));
}
