import type { AlertType, Severity } from "../../src/domain/alert-types.ts";
import { factKey } from "../../src/domain/facts.ts";
import type { Database, Reader } from "../../src/store/database.ts";
import { factIdOf } from "../../src/store/fact-table.ts";
import { acknowledgeAlerts } from "../../src/store/facts/alert-acknowledgements.ts";
import { sql } from "../../src/store/sql.ts";
import { smallFleet } from "./fleet.ts";
import { accountNumber } from "./ingest-node.ts";

export interface StoredAlert {
  readonly id: string;
  readonly account_id: number;
  readonly device: number;
  readonly device_id: string;
  readonly alert_type: AlertType;
  readonly severity: Severity;
  readonly occurred_at: number;
  readonly ended_at: number | null;
  readonly geofence_id: string | null;
  readonly acknowledged: boolean;
  readonly withdrawn: boolean;
  /** Null: there is no acknowledgement. */
  readonly acknowledged_at: number | null;
  readonly acknowledged_by: string | null;
}

export async function storedAlerts(reader: Reader): Promise<StoredAlert[]> {
  const rows = await reader.all<StoredAlert>(sql`
    select r.id, r.account_id, r.device, d.id as device_id, r.alert_type, r.severity, r.occurred_at, r.ended_at,
      r.geofence_id, r.acknowledged, r.withdrawn, k.acknowledged_at, k.acknowledged_by
    from alerts r join devices d on d.account_id = r.account_id and d.device = r.device
    left join alert_acknowledgements k on k.account_id = r.account_id and k.alert_id = r.id
    order by r.device, r.occurred_at, r.id`);
  return rows.map((row) => ({ ...row, acknowledged: Boolean(row.acknowledged), withdrawn: Boolean(row.withdrawn) }));
}

/** By the owner, each at a moment of its own, by which its acknowledgement is known wherever it goes. */
export async function acknowledgeEach(database: Database, alertIds: readonly string[], from: number): Promise<void> {
  const accountId = await accountNumber(database);
  const owner = { sees: "account", accountId, userId: smallFleet.olga.id } as const;
  await database.transaction(async (tx) => {
    for (const [index, id] of alertIds.entries()) await acknowledgeAlerts(tx, owner, [id], from + index);
  });
}

export async function countAcknowledgements(reader: Reader): Promise<number> {
  const row = await reader.get<{ count: number }>(sql`select count(*) as count from alert_acknowledgements`);
  return row?.count ?? 0;
}

/** The sensors of random drives. */
const sensors = ["cargo", "tank_1"];

/** The rule of an alert within its type: its fence, its sensor or nothing. */
export function qualifierOf({ id, device_id, alert_type, occurred_at, geofence_id, ...key }: StoredAlert): string {
  const owner = { accountId: key.account_id, device: key.device, deviceId: device_id };
  const found = [geofence_id ?? "", ...sensors].find(
    (qualifier) =>
      factIdOf(owner, factKey({ kind: "alert", alertType: alert_type, occurredAt: occurred_at, qualifier })) === id,
  );
  if (found === undefined) throw new Error(`of which rule is the ${alert_type} ${id}?`);
  return found;
}

/** As if rules that find other moments had derived them. Returns how many were moved. */
export async function moveStoredAlerts(database: Database, shiftOf: (alert: StoredAlert) => number): Promise<number> {
  const all = await storedAlerts(database);
  const taken = new Set(all.map(({ id }) => id));
  let moved = 0;
  await database.transaction(async (tx) => {
    for (const alert of all) {
      const shift = shiftOf(alert);
      const occurredAt = alert.occurred_at + shift;
      const owner = { accountId: alert.account_id, device: alert.device, deviceId: alert.device_id };
      const qualifier = qualifierOf(alert);
      const id = factIdOf(owner, factKey({ kind: "alert", alertType: alert.alert_type, occurredAt, qualifier }));
      if (shift === 0 || taken.has(id)) continue;
      moved++;
      const endedAt = alert.ended_at === null ? null : alert.ended_at + shift;
      await tx.write(sql`
        update alerts set id = ${id}, occurred_at = ${occurredAt}, ended_at = ${endedAt}
        where account_id = ${alert.account_id} and id = ${alert.id}`);
    }
  });
  return moved;
}
