import { DeviceChangeBuilder } from "../../domain/changes/device-change.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { logDeviceChanges } from "../changes/change-writes.ts";
import type { BulkTable, Reader, Transaction } from "../database.ts";
import { listOf, sql } from "../sql.ts";
import { isVisible } from "../visible.ts";
import { holdFolds } from "./folds.ts";

export interface StoredAcknowledgement {
  readonly alert_id: string;
  readonly alert_type: string;
  readonly message: string;
  readonly imei: string;
  readonly acknowledged_at: number;
  /** The user's e-mail, id and name; null: the user was erased since. */
  readonly acknowledged_by: string | null;
  readonly acknowledged_by_id: string | null;
  readonly acknowledged_by_name: string | null;
}

const acknowledgementTable: BulkTable = {
  name: "alert_acknowledgements",
  columns: {
    account_id: "bigint",
    alert_id: "uuid",
    acknowledged_at: "bigint",
    acknowledged_by: "uuid",
    severity: "text",
  },
  onConflict: "on conflict do nothing",
};

export interface Acknowledged {
  readonly acknowledgement: StoredAcknowledgement;
  /** Whether it is of this call; else the alert had been acknowledged before. */
  readonly isNew: boolean;
}

/**
 * Records that the viewer has acknowledged alerts. Returns of each who did and when: this viewer now, or someone before.
 * Alerts that the viewer does not see are left out. Stored apart from derived facts, so deriving again cannot change it.
 */
export async function acknowledgeAlerts(
  tx: Transaction,
  visibility: Visibility,
  alertIds: readonly string[],
  now: number,
): Promise<Acknowledged[]> {
  const { accountId, userId } = visibility;
  const seen = await visibleAlerts(tx, visibility, alertIds);
  if (seen.length === 0) return [];
  // Late frames may be about to remove an alert: no fact changes while its device is locked.
  await holdFolds(tx, accountId, [...new Set(seen.map(({ device }) => device))]);
  const done = new Set((await acknowledgementsOf(tx, visibility, alertIds)).map(({ alert_id }) => alert_id));
  const added = (await visibleAlerts(tx, visibility, alertIds)).filter(({ id }) => !done.has(id));
  await tx.insertMany(
    acknowledgementTable,
    added.map(({ id, severity }) => ({
      account_id: accountId,
      alert_id: id,
      acknowledged_at: now,
      acknowledged_by: userId,
      severity,
    })),
  );
  const isNew = new Set(added.map(({ id }) => id));
  await tx.write(
    sql`update alerts set acknowledged = ${true} where account_id = ${accountId} and id in ${listOf(isNew)}`,
    isNew.size,
  );
  const changes = new Map<number, DeviceChangeBuilder>();
  for (const { device, occurred_at } of added) {
    changes.set(device, (changes.get(device) ?? new DeviceChangeBuilder()).add("alert", occurred_at));
  }
  await logDeviceChanges(tx, accountId, changes, now);
  const all = await acknowledgementsOf(tx, visibility, alertIds);
  return all.map((acknowledgement) => ({ acknowledgement, isNew: isNew.has(acknowledgement.alert_id) }));
}

/** Who has acknowledged these alerts, and when: of those that are acknowledged, and that the viewer sees. */
export function acknowledgementsOf(
  reader: Reader,
  visibility: Visibility,
  alertIds: readonly string[],
): Promise<StoredAcknowledgement[]> {
  const { accountId } = visibility;
  return reader.all(sql`
    select r.id as alert_id, r.alert_type, r.message, d.imei, k.acknowledged_at, u.email as acknowledged_by,
      u.id as acknowledged_by_id, u.name as acknowledged_by_name
    from alert_acknowledgements k
    join alerts r on r.account_id = ${accountId} and r.id = k.alert_id
    join devices d on d.account_id = ${accountId} and d.device = r.device
    left join users u on u.id = k.acknowledged_by
    where ${isVisible(visibility)} and k.account_id = ${accountId} and k.alert_id in ${listOf(alertIds)}`);
}

function visibleAlerts(
  reader: Reader,
  visibility: Visibility,
  alertIds: readonly string[],
): Promise<
  { readonly id: string; readonly device: number; readonly occurred_at: number; readonly severity: string }[]
> {
  return reader.all(sql`
    select r.id, r.device, r.occurred_at, r.severity
    from alerts r join devices d on d.account_id = ${visibility.accountId} and d.device = r.device
    where ${isVisible(visibility)} and r.account_id = ${visibility.accountId} and r.id in ${listOf(alertIds)}`);
}
