import type { Transaction } from "./database.ts";
import type { DeviceKey } from "./frames.ts";
import { sql } from "./sql.ts";

/** The alert that says a device is offline has ended: a frame came. */
export async function endOfflineAlert(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  since: number,
  endedAt: number,
): Promise<void> {
  await tx.run(sql`
    update alerts set ended_at = ${Math.max(since, endedAt)}
    where account_id = ${accountId} and device = ${device} and occurred_at = ${since}
      and alert_type = 'device_offline' and ended_at is null`);
}
