import type { Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { sql } from "../sql.ts";
import { type DeviceMoment, keysOf, maxMoments } from "../timed-rows.ts";

/** The end of a range that has none. */
export const forEver = Number.MAX_SAFE_INTEGER;

export async function dropCheckpoints(
  tx: Transaction,
  key: DeviceKey,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<void> {
  await tx.run(sql`
    delete from fold_checkpoints
    where account_id = ${key.accountId} and device = ${key.device} and recorded_at >= ${from} and recorded_at < ${until}`);
}

/** The same of many devices, of each from a moment on. */
export async function dropCheckpointsFrom(
  tx: Transaction,
  accountId: number,
  moments: readonly DeviceMoment[],
): Promise<void> {
  if (tx.engine === "sqlite") {
    for (const { device, at } of moments)
      await dropCheckpoints(tx, { accountId, device }, { from: at, until: forEver });
    return;
  }
  for (let start = 0; start < moments.length; start += maxMoments) {
    await tx.run(sql`
      delete from fold_checkpoints c using (values ${keysOf(moments.slice(start, start + maxMoments))}) wanted
      where c.account_id = ${accountId} and c.device = wanted.column1 and c.recorded_at >= wanted.column2`);
  }
}
