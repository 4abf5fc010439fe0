import type { Visibility } from "../domain/visibility.ts";
import { logDeviceChange } from "./change-writes.ts";
import type { Reader, Transaction } from "./database.ts";
import { holdFolds } from "./folds.ts";
import { sql } from "./sql.ts";
import { isVisible } from "./visible.ts";

export interface Acknowledgement {
  readonly alert_id: string;
  readonly alert_type: string;
  readonly message: string;
  readonly imei: string;
  readonly acknowledged_at: number;
  /** The user's e-mail, id and name. */
  readonly acknowledged_by: string;
  readonly acknowledged_by_id: string;
  readonly acknowledged_by_name: string;
}

/**
 * Records that the viewer has acknowledged an alert. Returns who did and when: this viewer now, or someone before.
 * Null: the viewer sees no such alert. Stored apart from derived facts, so deriving again cannot change it.
 */
export async function acknowledgeAlert(
  tx: Transaction,
  visibility: Visibility,
  alertId: string,
  now: number,
): Promise<{ readonly acknowledgement: Acknowledgement; readonly isNew: boolean } | null> {
  const alert = await visibleAlert(tx, visibility, alertId);
  if (alert === null) return null;
  const { accountId, userId } = visibility;
  // Late frames may be about to remove the alert: no fact changes while the device is locked.
  await holdFolds(tx, accountId, [alert.device]);
  if ((await visibleAlert(tx, visibility, alertId)) === null) return null;
  const added = await tx.run(sql`
    insert into alert_acknowledgements (account_id, alert_id, acknowledged_at, acknowledged_by)
    values (${accountId}, ${alertId}, ${now}, ${userId}) on conflict do nothing`);
  if (added > 0) {
    const { device, occurred_at } = alert;
    await logDeviceChange(tx, { accountId, device }, (change) => change.add("alert", occurred_at), now);
  }
  const acknowledgement = await acknowledgementOf(tx, visibility, alertId);
  return acknowledgement && { acknowledgement, isNew: added > 0 };
}

/** Who has acknowledged an alert, and when. Null: nobody has, or the viewer sees no such alert. */
export function acknowledgementOf(
  reader: Reader,
  visibility: Visibility,
  alertId: string,
): Promise<Acknowledgement | null> {
  return reader.get(sql`
    select r.id as alert_id, r.alert_type, r.message, d.imei, k.acknowledged_at, u.email as acknowledged_by,
      u.id as acknowledged_by_id, u.name as acknowledged_by_name
    from alert_acknowledgements k
    join alerts r on r.account_id = k.account_id and r.id = k.alert_id
    join devices d on d.account_id = r.account_id and d.device = r.device
    join users u on u.id = k.acknowledged_by
    where ${isVisible(visibility)} and k.account_id = ${visibility.accountId} and k.alert_id = ${alertId}`);
}

function visibleAlert(
  reader: Reader,
  visibility: Visibility,
  alertId: string,
): Promise<{ readonly device: number; readonly occurred_at: number } | null> {
  return reader.get(sql`
    select r.device, r.occurred_at from alerts r join devices d on d.account_id = r.account_id and d.device = r.device
    where ${isVisible(visibility)} and r.account_id = ${visibility.accountId} and r.id = ${alertId}`);
}
