import type { Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { type Checkpoint, checkpointRow, checkpointTable } from "../facts/checkpoints.ts";
import { sql } from "../sql.ts";
import { conversionOf, placeOf, savePlace } from "./conversion.ts";

const what = "checkpoints";

/** Checkpoints whose states are stored as text, from before migration 0017. */
export const oldCheckpoints = conversionOf({
  what,
  rowsPerStep: 500,
  convertSome,
  isEmptied: true,
  dropToo: ["old_checkpoint_totals"],
});

async function convertSome(tx: Transaction, most: number): Promise<number> {
  let count = 0;
  while (count < most) {
    const first = await tx.get<DeviceKey>(sql`
      select account_id as "accountId", device from old_checkpoints order by account_id, device limit 1`);
    if (first === null) break;
    count += await convertOfDevice(tx, first, most - count);
  }
  const place = await placeOf(tx, what);
  if (count > 0) await savePlace(tx, what, { ...place, done: place.done + count });
  return count;
}

async function convertOfDevice(tx: Transaction, key: DeviceKey, count: number): Promise<number> {
  const { accountId, device } = key;
  const ofDevice = sql`account_id = ${accountId} and device = ${device}`;
  const last = await tx.get<{ recorded_at: number }>(sql`
    select recorded_at from old_checkpoints where ${ofDevice} order by recorded_at limit 1 offset ${count - 1}`);
  const some = last === null ? ofDevice : sql`${ofDevice} and recorded_at <= ${last.recorded_at}`;
  const rows = await tx.all<Checkpoint>(sql`
    select c.recorded_at as "recordedAt", c.digest, c.state_json as "stateJson", t.totals_json as "totalsJson"
    from (select account_id, device, recorded_at, digest, state_json from old_checkpoints where ${some}) c
    left join old_checkpoint_totals t
      on t.account_id = c.account_id and t.device = c.device and t.recorded_at = c.recorded_at and t.digest = c.digest`);
  await tx.insertMany(
    { ...checkpointTable, onConflict: "on conflict do nothing" },
    rows.map((row) => checkpointRow({ ...row, accountId, device })),
  );
  await tx.run(sql`delete from old_checkpoints where ${some}`);
  await tx.run(sql`delete from old_checkpoint_totals where ${some}`);
  return rows.length;
}
