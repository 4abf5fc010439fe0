import type { Reader, Row, Transaction } from "./database.ts";
import type { DatedFact, FactOwner } from "./fact-rows.ts";
import { factRow } from "./fact-rows.ts";
import { removeFacts, saveFacts } from "./facts.ts";
import type { DeviceKey } from "./frames.ts";
import { storedLatest } from "./latest.ts";
import { sql } from "./sql.ts";

/** A device of which no frame has come for some time. */
export interface SilentDevice {
  readonly account_id: number;
  readonly device: number;
  readonly id: string;
  readonly last_seen_at: number;
  readonly fields_json: string | null;
}

/** Devices in use that were not seen since a moment, or since another one if their settings say something of it. */
export function silentDevices(
  reader: Reader,
  notSeenSince: number,
  notSeenSinceWithSettings: number,
): Promise<SilentDevice[]> {
  return reader.all(sql`
    select d.account_id, d.device, d.id, p.last_seen_at, p.fields_json
    from device_folds f
    join devices d on d.account_id = f.account_id and d.device = f.device and d.status = 'active'
    join latest_positions p on p.account_id = f.account_id and p.device = f.device
    where f.offline_since is null and (p.last_seen_at <= ${notSeenSince} or (p.last_seen_at <= ${notSeenSinceWithSettings}
      and exists (select 1 from alert_settings_versions v
        where v.account_id = f.account_id and v.device = f.device and v.rules_json like '%device_offline%')))`);
}

/** Raises the alert that a device is offline. It is the clock's, so no frame completes it and deriving leaves it alone. */
export async function raiseOfflineAlert(
  tx: Transaction,
  owner: FactOwner,
  fact: DatedFact["fact"],
  since: number,
): Promise<void> {
  await saveFacts(tx, [{ kind: "alert", row: { ...factRow(owner, { fact, finalAt: null }), final_at: 0 } }]);
  await tx.run(sql`
    update device_folds set offline_since = ${since}
    where account_id = ${owner.accountId} and device = ${owner.device}`);
}

/**
 * Frames came, the last of them received at a moment. If that is news, the alert that says the device is offline has ended;
 * or, if it was received before the alert began and is only told of now, the device was not silent, and the alert is taken
 * back. A frame that was received before the last one known says nothing: false, the device is still offline.
 */
export async function endOfflineAlert(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  since: number,
  endedAt: number,
): Promise<boolean> {
  const seen = await storedLatest(tx, { accountId, device });
  if (seen !== null && seen.last_seen_at >= endedAt) return false;
  const isThis = sql`account_id = ${accountId} and device = ${device} and occurred_at = ${since}
    and alert_type = 'device_offline' and ended_at is null`;
  if (endedAt >= since) {
    await tx.run(sql`update alerts set ended_at = ${endedAt} where ${isThis}`);
    return true;
  }
  const rows = await tx.all<Row>(sql`select account_id, device, occurred_at, id from alerts where ${isThis}`);
  await removeFacts(
    tx,
    rows.map((row) => ({ kind: "alert", row })),
  );
  return true;
}
