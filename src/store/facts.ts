import type { Fact } from "../domain/facts.ts";
import type { Reader, Row, Transaction } from "./database.ts";
import { bulkTable, earliestFinal, factTables, progressUpdates } from "./fact-rows.ts";
import type { DeviceKey } from "./frames.ts";
import { nothing, type Sql, sql } from "./sql.ts";

/** Writing what was derived. Rows come from `factRow`. */

export type FactKind = Fact["kind"];

export interface FactRow {
  readonly kind: FactKind;
  readonly row: Row;
}

const kinds = Object.keys(factTables) as readonly FactKind[];

const bulk = {
  trip: bulkTable(factTables.trip),
  crossing: bulkTable(factTables.crossing),
  alert: bulkTable(factTables.alert),
  day: bulkTable(factTables.day),
};

export async function saveFacts(tx: Transaction, facts: readonly FactRow[]): Promise<void> {
  if (facts.length === 0) return;
  for (const kind of kinds) {
    const rows = facts.filter((fact) => fact.kind === kind).map(({ row }) => row);
    if (rows.length > 0) await tx.insertMany(bulk[kind], rows);
  }
}

/** Brings facts that are stored, and were and are not complete, up to date. */
export async function saveProgress(tx: Transaction, facts: readonly FactRow[]): Promise<void> {
  for (const kind of ["trip", "day"] as const) {
    const rows = facts.filter((fact) => fact.kind === kind).map(({ row }) => row);
    if (rows.length > 0) await tx.updateMany(progressUpdates[kind], rows);
  }
}

/** Takes back what no longer follows from the frames. An alert that someone acknowledged is kept, and marked. */
export async function removeFacts(tx: Transaction, facts: readonly FactRow[]): Promise<void> {
  for (const { kind, row } of facts) {
    if (kind === "alert") await removeAlert(tx, row);
    else await tx.run(removal[kind](row));
  }
}

/** One statement for each table, so that each is prepared once. */
const removal = {
  trip: ({ account_id = null, device = null, started_at = null, id = null }: Row): Sql => sql`
    delete from trips
    where account_id = ${account_id} and device = ${device} and started_at = ${started_at} and id = ${id}`,
  crossing: ({ account_id = null, device = null, occurred_at = null, id = null }: Row): Sql => sql`
    delete from geofence_events
    where account_id = ${account_id} and device = ${device} and occurred_at = ${occurred_at} and id = ${id}`,
  day: ({ account_id = null, device = null, day = null }: Row): Sql => sql`
    delete from mileage_days where account_id = ${account_id} and device = ${device} and day = ${day}`,
};

async function removeAlert(tx: Transaction, row: Row): Promise<void> {
  const { account_id = null, device = null, occurred_at = null, id = null } = row;
  const isThis = sql`account_id = ${account_id} and device = ${device} and occurred_at = ${occurred_at} and id = ${id}`;
  const acknowledgement = sql`select 1 from alert_acknowledgements k
    where k.account_id = alerts.account_id and k.alert_id = alerts.id`;
  await tx.run(sql`delete from alerts where ${isThis} and not exists (${acknowledgement})`);
  await tx.run(sql`update alerts set withdrawn = ${true} where ${isThis}`);
}

/** The facts of a device that were completed from one time on and before another. Those the clock raised are not among them. */
export async function factsCompleted(
  reader: Reader,
  { accountId, device }: DeviceKey,
  { from, until }: { readonly from: number; readonly until: number | null },
): Promise<FactRow[]> {
  const facts: FactRow[] = [];
  const within = sql`account_id = ${accountId} and device = ${device} and final_at >= ${Math.max(from, earliestFinal)}
    ${until === null ? nothing : sql`and final_at < ${until}`}`;
  for (const kind of kinds) {
    const rows = await reader.all<Row>(sql`select ${selected[kind]} where ${within}`);
    for (const row of rows) facts.push({ kind, row });
  }
  return facts;
}

const selected: Readonly<Record<FactKind, Sql>> = {
  trip: sql`account_id, device, started_at, id, ended_at, end_reason, start_latitude_e7, start_longitude_e7,
    end_latitude_e7, end_longitude_e7, distance_mm, duration_ms, idle_ms, max_speed_m_per_h, start_odometer_m,
    end_odometer_m, position_count, has_gap, updated_at, final_at from trips`,
  crossing: sql`account_id, device, occurred_at, id, geofence_id, event_type, latitude_e7, longitude_e7, speed_m_per_h,
    interpolated, time_uncertainty_ms, dwell_ms, final_at from geofence_events`,
  alert: sql`account_id, device, occurred_at, id, alert_type, severity, message, ended_at, received_at, latitude_e7,
    longitude_e7, speed_m_per_h, value, threshold, unit, geofence_id, trip_id, withdrawn, final_at from alerts`,
  day: sql`account_id, device, day, distance_mm, distance_source, start_odometer_m, end_odometer_m, trip_count,
    driving_ms, idle_ms, max_speed_m_per_h, gap_distance_mm, updated_at, final_at from mileage_days`,
};

/** Whether a stored row says what the new one says. SQLite knows no booleans. */
export function isSameRow(stored: Row, fresh: Row): boolean {
  for (const column in fresh) {
    const one = stored[column] ?? null;
    const other = fresh[column] ?? null;
    if (one === other) continue;
    if (typeof other !== "boolean" || Boolean(one) !== other) return false;
  }
  return true;
}

/** What tells a row from all others of its device. */
export function rowKey({ kind, row }: FactRow): string {
  return kind === "day" ? `day ${row.day}` : `${kind} ${row.id}`;
}
