import { DeviceChangeBuilder } from "../domain/changes/device-change.ts";
import type { Visibility } from "../domain/visibility.ts";
import { logDeviceChanges } from "./change-writes.ts";
import type { Reader, Transaction } from "./database.ts";
import { holdFolds } from "./folds.ts";
import { allIn } from "./in-list.ts";
import { type Sql, sql } from "./sql.ts";
import { isVisible } from "./visible.ts";

export interface Acknowledgement {
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

export interface Acknowledged {
  readonly acknowledgement: Acknowledgement;
  /** Whether it is of this call; else somebody had acknowledged the alert before. */
  readonly isNew: boolean;
}

/** The same for one alert. Null: the viewer sees no such alert. */
export async function acknowledgeAlert(
  tx: Transaction,
  visibility: Visibility,
  alertId: string,
  now: number,
): Promise<Acknowledged | null> {
  const [done] = await acknowledgeAlerts(tx, visibility, [alertId], now);
  return done ?? null;
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
  const found = await visibleAlerts(tx, visibility, alertIds);
  if (found.length === 0) return [];
  // Late frames may be about to remove an alert: no fact changes while its device is locked.
  await holdFolds(tx, accountId, [...new Set(found.map(({ device }) => device))]);
  const added = await allIn<{ alert_id: string }>(
    tx,
    alertIds,
    (list) => sql`
      insert into alert_acknowledgements (account_id, alert_id, acknowledged_at, acknowledged_by)
      select r.account_id, r.id, cast(${now} as bigint), ${asId(tx, userId)} from ${alertsInSight(visibility, list)}
      on conflict do nothing returning alert_id`,
  );
  const isNew = new Set(added.map(({ alert_id }) => alert_id));
  const changes = new Map<number, DeviceChangeBuilder>();
  for (const { id, device, occurred_at } of found) {
    if (!isNew.has(id)) continue;
    changes.set(device, (changes.get(device) ?? new DeviceChangeBuilder()).add("alert", occurred_at));
  }
  await logDeviceChanges(tx, accountId, changes, now);
  const all = await acknowledgementsOf(tx, visibility, alertIds);
  return all.map((acknowledgement) => ({ acknowledgement, isNew: isNew.has(acknowledgement.alert_id) }));
}

/** Who has acknowledged an alert, and when. Null: nobody has, or the viewer sees no such alert. */
export async function acknowledgementOf(
  reader: Reader,
  visibility: Visibility,
  alertId: string,
): Promise<Acknowledgement | null> {
  const [found] = await acknowledgementsOf(reader, visibility, [alertId]);
  return found ?? null;
}

function acknowledgementsOf(
  reader: Reader,
  visibility: Visibility,
  alertIds: readonly string[],
): Promise<Acknowledgement[]> {
  return allIn(
    reader,
    alertIds,
    (list) => sql`
      select r.id as alert_id, r.alert_type, r.message, d.imei, k.acknowledged_at, u.email as acknowledged_by,
        u.id as acknowledged_by_id, u.name as acknowledged_by_name
      from alert_acknowledgements k
      join alerts r on r.account_id = k.account_id and r.id = k.alert_id
      join devices d on d.account_id = r.account_id and d.device = r.device
      left join users u on u.id = k.acknowledged_by
      where ${isVisible(visibility)} and k.account_id = ${visibility.accountId} and k.alert_id in ${list}`,
  );
}

function visibleAlerts(
  reader: Reader,
  visibility: Visibility,
  alertIds: readonly string[],
): Promise<{ readonly id: string; readonly device: number; readonly occurred_at: number }[]> {
  return allIn(
    reader,
    alertIds,
    (list) => sql`select r.id, r.device, r.occurred_at from ${alertsInSight(visibility, list)}`,
  );
}

function alertsInSight(visibility: Visibility, ids: Sql): Sql {
  return sql`alerts r join devices d on d.account_id = r.account_id and d.device = r.device
    where ${isVisible(visibility)} and r.account_id = ${visibility.accountId} and r.id in ${ids}`;
}

/** PostgreSQL does not guess the type of a parameter in a list of columns; SQLite has no such type. */
function asId({ engine }: Reader, id: string): Sql {
  return engine === "postgres" ? sql`cast(${id} as uuid)` : sql`${id}`;
}
