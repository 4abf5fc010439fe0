import type { Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { checkpointRow, checkpointTable } from "../facts/checkpoints.ts";
import { plainSql, sql } from "../sql.ts";
import { type Conversion, countRows, forgetPlace, hasTable, placeOf, savePlace } from "./conversion.ts";

const what = "checkpoints";

/** Checkpoints whose states are stored as text, from before migration 0017. */
export const oldCheckpoints: Conversion = {
  what,
  async total(reader) {
    const left = await countRows(reader, "old_checkpoints");
    return left === null ? null : left + (await placeOf(reader, what)).done;
  },
  step: (database, count = rowsPerStep) => database.transaction((tx) => convertSome(tx, count)),
};

/** A tenth of a second. */
const rowsPerStep = 500;

async function convertSome(tx: Transaction, most: number): Promise<number> {
  // Another node may be starting, too.
  await tx.lock("carry over checkpoints");
  if (!(await hasTable(tx, "old_checkpoints"))) return 0;
  let count = 0;
  while (count < most) {
    const first = await tx.get<{ account_id: number; device: number }>(
      plainSql(`
      select account_id, device from old_checkpoints order by account_id, device limit 1`),
    );
    if (first === null) break;
    count += await convertOfDevice(tx, { accountId: first.account_id, device: first.device }, most - count);
  }
  if (count > 0) {
    const place = await placeOf(tx, what);
    await savePlace(tx, what, { ...place, done: place.done + count });
    return count;
  }
  await tx.run(plainSql("drop table old_checkpoints"));
  await tx.run(plainSql("drop table old_checkpoint_totals"));
  await forgetPlace(tx, what);
  return 0;
}

interface OldRow {
  readonly recordedAt: number;
  readonly digest: number;
  readonly stateJson: string;
  readonly totalsJson: string | null;
}

async function convertOfDevice(tx: Transaction, key: DeviceKey, count: number): Promise<number> {
  const { accountId, device } = key;
  const ofDevice = sql`account_id = ${accountId} and device = ${device}`;
  const last = await tx.get<{ recorded_at: number }>(sql`
    select recorded_at from old_checkpoints where ${ofDevice} order by recorded_at limit 1 offset ${count - 1}`);
  const some = last === null ? ofDevice : sql`${ofDevice} and recorded_at <= ${last.recorded_at}`;
  const rows = await tx.all<OldRow>(sql`
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
