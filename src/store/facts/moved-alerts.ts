import type { AlertType, Severity } from "../../domain/alert-types.ts";
import { type AlertSpan, type GoneAlert, movedAlerts, reachOf } from "../../domain/alerts/moved.ts";
import { factKey } from "../../domain/facts.ts";
import type { Reader, Row, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { type FactOwner, factIdOf } from "../fact-table.ts";
import { isForgotten } from "../notifications/items.ts";
import { itemsMoved, mailedAlerts } from "../notifications/moved-items.ts";
import { listOf, sql } from "../sql.ts";
import type { FactRow } from "./facts.ts";

/** What people did about an alert goes over to the one that comes in its place (decision 0049). */

/** An alert that went, and the one that has its place. */
export interface AlertMove {
  readonly from: string;
  readonly to: string;
  /** What the acknowledgement that goes over covers; null: nobody has acknowledged it. */
  readonly covers: Severity | null;
}

/** Of a device. Both may name an alert that is removed and saved: such a one goes nowhere. */
export interface AlertChanges {
  readonly removed: readonly FactRow[];
  readonly saved: readonly FactRow[];
}

interface AlertColumns {
  readonly id: string;
  readonly alert_type: AlertType;
  readonly severity: Severity;
  readonly geofence_id: string | null;
  readonly occurred_at: number;
  readonly ended_at: number | null;
}

interface Coming extends AlertSpan {
  readonly qualifier: string;
}

/** Which alerts go over to which, before they are removed and saved. Those withdrawn before are among them. */
export async function alertMoves(
  tx: Transaction,
  owner: FactOwner,
  { removed, saved }: AlertChanges,
): Promise<AlertMove[]> {
  const { accountId } = owner;
  const savedIds = new Set(saved.map(idIn));
  const removedNow = removed.filter((fact) => !savedIds.has(idIn(fact))).map(columnsOf);
  const known = await tx.all<{ id: string }>(sql`
    select id from alerts where account_id = ${accountId} and id in ${listOf(savedIds)} and not withdrawn`);
  const there = new Set(known.map(({ id }) => id));
  const added = saved.filter((fact) => !there.has(idIn(fact)));
  if (added.length === 0) return [];
  const withdrawn = (await withdrawnAlerts(tx, owner)).filter(({ id }) => !savedIds.has(id));
  const ids = [...removedNow.map(({ id }) => id), ...added.map(idIn)];
  const acknowledged = await acknowledgements(tx, accountId, ids);
  const coming = added.map(
    (fact): Coming => ({ ...spanOf(columnsOf(fact), acknowledged), qualifier: fact.qualifier ?? "" }),
  );
  const gone = removedNow.map((columns): GoneAlert => {
    const span = spanOf(columns, acknowledged);
    return { ...span, severity: acknowledged.get(columns.id) ?? span.severity, knownAt: null };
  });
  return movedAlerts([...gone, ...withdrawn], coming, isOfRule(owner)).map(({ from, to }) => ({
    from: from.id,
    to: to.id,
    covers: from.isAcknowledged ? from.severity : null,
  }));
}

/** Once both are written. The alerts that went have nothing left to be stored for. */
export async function moveAlerts(tx: Transaction, accountId: number, moves: readonly AlertMove[]): Promise<void> {
  if (moves.length === 0) return;
  const isOfAccount = sql`account_id = ${accountId}`;
  for (const { from, to, covers } of moves) {
    if (covers === null) continue;
    await tx.write(sql`
      update alert_acknowledgements set alert_id = ${to}, severity = ${covers} where ${isOfAccount} and alert_id = ${from}`);
    await tx.write(sql`update alerts set acknowledged = ${true} where ${isOfAccount} and id = ${to}`);
  }
  await itemsMoved(tx, accountId, moves);
  await tx.writeAny(sql`
    delete from alerts where ${isOfAccount} and id in ${listOf(moves.map(({ from }) => from))} and withdrawn`);
}

/**
 * No alert of the device that begins later can come in the place of one that was withdrawn; null: there is none. Withdrawn ones that
 * no mail named in the end are dropped.
 */
export async function withdrawnUntil(tx: Transaction, key: DeviceKey): Promise<number | null> {
  const { accountId, device } = key;
  await tx.writeAny(sql`
    delete from alerts where account_id = ${accountId} and device = ${device} and ${isForgotten(accountId)}`);
  const reaches = (await withdrawnAlerts(tx, key)).map(reachOf);
  return reaches.length === 0 ? null : Math.max(...reaches);
}

/** Those that a person has acknowledged or was mailed of, and that no other has replaced. */
async function withdrawnAlerts(reader: Reader, { accountId, device }: DeviceKey): Promise<GoneAlert[]> {
  const rows = await reader.all<
    AlertColumns & { readonly acknowledged_at: number | null; readonly covers: Severity | null }
  >(
    sql`
      select r.id, r.alert_type, r.severity, r.geofence_id, r.occurred_at, r.ended_at, k.acknowledged_at,
        k.severity as covers
      from alerts r left join alert_acknowledgements k on k.account_id = ${accountId} and k.alert_id = r.id
      where r.account_id = ${accountId} and r.device = ${device} and r.withdrawn`,
  );
  if (rows.length === 0) return [];
  const mailedAt = await mailedAlerts(
    reader,
    accountId,
    rows.map(({ id }) => id),
  );
  return rows.flatMap(({ acknowledged_at, covers, ...columns }) => {
    const knownAt = acknowledged_at ?? mailedAt.get(columns.id) ?? null;
    if (knownAt === null) return [];
    return [
      {
        ...plainSpan(columns),
        severity: covers ?? columns.severity,
        isAcknowledged: acknowledged_at !== null,
        knownAt,
      },
    ];
  });
}

/** Of those of these alerts that are acknowledged, what that covers; null: the alert's own severity. */
async function acknowledgements(
  reader: Reader,
  accountId: number,
  alertIds: readonly string[],
): Promise<Map<string, Severity | null>> {
  const rows = await reader.all<{ alert_id: string; severity: Severity | null }>(sql`
    select alert_id, severity from alert_acknowledgements
    where account_id = ${accountId} and alert_id in ${listOf(alertIds)}`);
  return new Map(rows.map(({ alert_id, severity }) => [alert_id, severity]));
}

/** Sensors are not stored with an alert, but its id was made of them. */
function isOfRule(owner: FactOwner) {
  return ({ id, occurredAt }: GoneAlert, { alertType, fenceId, qualifier }: Coming): boolean =>
    qualifier === (fenceId ?? "") ||
    factIdOf(owner, factKey({ kind: "alert", alertType: alertType, occurredAt, qualifier })) === id;
}

function spanOf(columns: AlertColumns, acknowledged: ReadonlyMap<string, unknown>): AlertSpan {
  return { ...plainSpan(columns), isAcknowledged: acknowledged.has(columns.id) };
}

function plainSpan({ id, alert_type, severity, geofence_id, occurred_at, ended_at }: AlertColumns) {
  return { id, alertType: alert_type, severity, fenceId: geofence_id, occurredAt: occurred_at, endedAt: ended_at };
}

function columnsOf({ row }: FactRow): AlertColumns {
  return row as Row & AlertColumns;
}

function idIn({ row }: FactRow): string {
  return row.id as string;
}
