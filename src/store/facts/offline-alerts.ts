import type { AlertFact } from "../../domain/facts.ts";
import { logDeviceChange } from "../changes/change-writes.ts";
import type { Reader, Row, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import type { FactOwner } from "../fact-table.ts";
import { storedLatest } from "../frames/latest.ts";
import { limitTo, sql } from "../sql.ts";
import { alertTable } from "./alerts.ts";
import { removeFacts, saveFacts } from "./facts.ts";

export interface SilentDevice {
  readonly account_id: number;
  readonly device: number;
  readonly id: string;
  readonly tags_json: string;
  readonly last_seen_at: number;
  readonly fields_json: string | null;
}

const notCompleted = 0;

/** A page of devices: the silent ones among them, and the last of all, after which the next page begins. */
export interface SilentPage {
  readonly silent: readonly SilentDevice[];
  readonly last: number | null;
}

/**
 * Of an account's next devices, those in use that were not seen since a moment, or since another moment if there is a rule for it: in
 * their settings, or in their account for a tag or for all. A page at a time: an index by last sight would have to be written
 * with every frame. Each device's settings are looked up separately, or PostgreSQL would join whole tables for every page.
 */
export async function silentDevices(
  reader: Reader,
  accountId: number,
  notSeen: { readonly since: number; readonly withSettingsSince: number },
  after: number,
  count: number,
): Promise<SilentPage> {
  const end = await reader.get<{ device: number }>(sql`
    select device from latest_positions where account_id = ${accountId} and device > ${after}
    order by device limit 1 offset ${count - 1}`);
  const until = end?.device ?? Number.MAX_SAFE_INTEGER;
  const silent = await reader.all<SilentDevice>(sql`
    select * from (
      select p.account_id, p.device, p.last_seen_at, p.fields_json,
        (select d.id from devices d
          where d.account_id = ${accountId} and d.device = p.device and d.status = 'active'
            and d.removed_at is null) as id,
        (select d.tags_json from devices d where d.account_id = ${accountId} and d.device = p.device) as tags_json
      from latest_positions p
      where p.account_id = ${accountId} and p.device > ${after} and p.device <= ${until}
        and p.last_seen_at <= ${notSeen.withSettingsSince}
        and (select count(*) from device_folds f
          where f.account_id = ${accountId} and f.device = p.device and f.offline_since is null) > 0
        and (p.last_seen_at <= ${notSeen.since} or (select count(*) from alert_settings_versions v
          where v.account_id = ${accountId} and v.device = p.device and v.rules_json like '%device_offline%') > 0
          or (select count(*) from rule_versions r
          where r.account_id = ${accountId} and r.rules_json like '%device_offline%') > 0)
    ) silent where id is not null`);
  return { silent, last: end?.device ?? null };
}

/** The clock raises this alert, so no frame completes it, and deriving does not touch it. */
export async function raiseOfflineAlert(
  tx: Transaction,
  owner: FactOwner,
  fact: AlertFact,
  since: number,
  now: number,
): Promise<void> {
  await saveFacts(tx, [{ kind: "alert", row: alertTable.rowOf(owner, fact, notCompleted) }]);
  await tx.write(sql`
    update device_folds set offline_since = ${since}
    where account_id = ${owner.accountId} and device = ${owner.device}`);
  await logDeviceChange(tx, owner, (change) => change.add("alert", fact.occurredAt), now);
}

/**
 * Ends the alert that a device is offline, because frames arrived, the last of them at `endedAt`. If that was before
 * the alert began, the device was not silent, and the alert is removed. Returns the ids of alerts that it removed; null
 * if a later frame is known already: then these change nothing, and the device is still offline.
 */
export async function endOfflineAlert(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  since: number,
  endedAt: number,
): Promise<readonly string[] | null> {
  const seen = await storedLatest(tx, { accountId, device });
  if (seen !== null && seen.last_seen_at >= endedAt) return null;
  const isThis = sql`account_id = ${accountId} and device = ${device} and occurred_at = ${since}
    and alert_type = 'device_offline' and ended_at is null`;
  if (endedAt >= since) {
    await tx.writeAny(sql`update alerts set ended_at = ${endedAt}, updated_at = ${endedAt} where ${isThis}`);
    return [];
  }
  const rows = await tx.all<Row & { readonly id: string }>(
    sql`select account_id, device, occurred_at, id from alerts where ${isThis}`,
  );
  await removeFacts(
    tx,
    rows.map((row) => ({ kind: "alert", row })),
  );
  return rows.map(({ id }) => id);
}

/** An account's next devices on a trip whose last position was recorded before one moment and received before another. */
export async function devicesSilentOnTrip(
  reader: Reader,
  accountId: number,
  lastBefore: { readonly recorded: number; readonly received: number },
  after: number,
  count: number,
): Promise<DeviceKey[]> {
  const { recorded, received } = lastBefore;
  const rows = await reader.all<{ device: number }>(sql`
    select device from trips
    where account_id = ${accountId} and device > ${after} and ended_at is null
      and started_at + duration_ms < ${recorded} and updated_at < ${received}
    order by device ${limitTo(count)}`);
  return rows.map(({ device }) => ({ accountId, device }));
}
