import { checkpointRow, checkpointTable } from "../checkpoints.ts";
import type { Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../frames.ts";
import { plainSql, sql } from "../sql.ts";
import type { Conversion } from "./conversion.ts";
import { hasTable } from "./tables.ts";

/** Checkpoints whose states are stored as text, from before migration 0017. */
export const oldCheckpoints: Conversion = {
  what: "checkpoints",
  total: totalOf,
  step: (database) => database.transaction(convertSome),
};

async function totalOf(reader: Reader): Promise<number | null> {
  if (!(await hasTable(reader, "old_checkpoints"))) return null;
  try {
    return await countOld(reader);
  } catch (error) {
    if (await hasTable(reader, "old_checkpoints")) throw error;
    // Another process has just finished it.
    return null;
  }
}

/** A tenth of a second. */
const rowsPerStep = 500;

async function convertSome(tx: Transaction): Promise<number> {
  // Another node may be starting, too.
  await tx.lock("carry over checkpoints");
  if (!(await hasTable(tx, "old_checkpoints"))) return 0;
  let count = 0;
  while (count < rowsPerStep) {
    const first = await tx.get<{ account_id: number; device: number }>(
      plainSql(`
      select account_id, device from old_checkpoints order by account_id, device limit 1`),
    );
    if (first === null) break;
    count += await convertOfDevice(tx, { accountId: first.account_id, device: first.device }, rowsPerStep - count);
  }
  if (count > 0) return count;
  await tx.run(plainSql("drop table old_checkpoints"));
  await tx.run(plainSql("drop table old_checkpoint_totals"));
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

/** PostgreSQL would read the whole table to count its rows, which may take longer than a statement may. */
async function countOld(reader: Reader): Promise<number> {
  const row = await reader.get<{ count: number }>(
    reader.engine === "sqlite"
      ? sql`select count(*) as count from old_checkpoints`
      : sql`select greatest(reltuples, 0)::bigint as count from pg_class where oid = to_regclass('old_checkpoints')`,
  );
  return row?.count ?? 0;
}
