import type { AlertFact } from "../../domain/facts.ts";
import { logDeviceChange } from "../changes/change-writes.ts";
import type { Reader, Row, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import type { FactOwner } from "../fact-table.ts";
import { storedLatest } from "../frames/latest.ts";
import { limitTo, sql } from "../sql.ts";
import { alertTable } from "./alerts.ts";
import { type FactRow, removeFacts, saveFacts } from "./facts.ts";
import { alertMoves, moveAlerts } from "./moved-alerts.ts";

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
  /** When the first of the others was last seen; null: there are none. */
  readonly seenAt: number | null;
}

/**
 * Of an account's next devices, those in use that were not seen since a moment. A page at a time: an index by last sight would
 * have to be written with every frame.
 */
export async function silentDevices(
  reader: Reader,
  accountId: number,
  since: number,
  after: number,
  count: number,
): Promise<SilentPage> {
  const page = await reader.get<{ count: number; silent: number; last: number | null; seen_at: number | null }>(sql`
    select count(*) as count, count(case when last_seen_at <= ${since} then 1 end) as silent, max(device) as last,
      min(case when last_seen_at > ${since} then last_seen_at end) as seen_at
    from (select device, last_seen_at from latest_positions where account_id = ${accountId} and device > ${after}
      order by device ${limitTo(count)}) page`);
  const until = page?.last ?? null;
  if (page === null || until === null) return { silent: [], last: null, seenAt: null };
  const others = { last: page.count < count ? null : until, seenAt: page.seen_at };
  if (page.silent === 0) return { silent: [], ...others };
  const silent = await reader.all<SilentDevice>(sql`
    select * from (
      select p.account_id, p.device, p.last_seen_at, p.fields_json,
        (select d.id from devices d
          where d.account_id = ${accountId} and d.device = p.device and d.status = 'active'
            and d.removed_at is null) as id,
        (select d.tags_json from devices d where d.account_id = ${accountId} and d.device = p.device) as tags_json
      from latest_positions p
      where p.account_id = ${accountId} and p.device > ${after} and p.device <= ${until}
        and p.last_seen_at <= ${since}
        and (select count(*) from device_folds f
          where f.account_id = ${accountId} and f.device = p.device and f.offline_since is null) > 0
    ) silent where id is not null`);
  return { silent, ...others };
}

/** The clock raises this alert, so no frame completes it, and deriving does not touch it. */
export async function raiseOfflineAlert(
  tx: Transaction,
  owner: FactOwner,
  fact: AlertFact,
  since: number,
  now: number,
): Promise<void> {
  const saved: FactRow[] = [{ kind: "alert", row: alertTable.rowOf(owner, fact, notCompleted) }];
  const moves = await alertMoves(tx, owner, { removed: [], saved });
  await saveFacts(tx, saved);
  await moveAlerts(tx, owner.accountId, moves);
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

/** When the next trip of an account may be silent so long, of those that are not yet; null: none is under way. */
export async function nextSilentTrip(
  reader: Reader,
  accountId: number,
  after: { readonly recordedMs: number; readonly receivedMs: number },
  now: number,
): Promise<number | null> {
  const byRecord = sql`started_at + duration_ms + ${after.recordedMs}`;
  const byReceipt = sql`updated_at + ${after.receivedMs}`;
  const row = await reader.get<{ next: number | null }>(sql`
    select min(case when ${byRecord} > ${byReceipt} then ${byRecord} else ${byReceipt} end) as next from trips
    where account_id = ${accountId} and ended_at is null and (${byRecord} >= ${now} or ${byReceipt} >= ${now})`);
  return row?.next ?? null;
}
