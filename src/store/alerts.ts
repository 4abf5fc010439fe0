import type { Severity } from "../domain/alert-types.ts";
import type { Visibility } from "../domain/visibility.ts";
import type { Reader } from "./database.ts";
import type { TimeKey, TimePage } from "./pages.ts";
import { nothing, type Sql, sql } from "./sql.ts";
import { endOfRows, rowsSeenInAccount, type TimedTable, timedRows } from "./timed-rows.ts";

export interface AlertRow {
  readonly id: string;
  readonly device_id: string;
  readonly imei: string;
  readonly alert_type: string;
  readonly severity: Severity;
  readonly message: string;
  readonly occurred_at: number;
  readonly ended_at: number | null;
  readonly received_at: number;
  readonly latitude_e7: number | null;
  readonly longitude_e7: number | null;
  readonly speed_m_per_h: number | null;
  readonly value: number | null;
  readonly threshold: number | null;
  readonly unit: string | null;
  readonly geofence_id: string | null;
  readonly trip_id: string | null;
  /** From the acknowledgement, null where there is none. */
  readonly acknowledged_at: number | null;
  /** The user's id. */
  readonly acknowledged_by: string | null;
}

export interface AlertFilters {
  readonly acknowledged: boolean | null;
  readonly severity: Severity | null;
  readonly alertType: string | null;
}

const table: TimedTable = {
  name: sql`alerts`,
  time: sql`r.occurred_at`,
  key: sql`r.occurred_at, r.id`,
  columns: sql`r.id, r.alert_type, r.severity, r.message, r.occurred_at, r.ended_at, r.received_at, r.latitude_e7,
    r.longitude_e7, r.speed_m_per_h, r.value, r.threshold, r.unit, r.geofence_id, r.trip_id, k.acknowledged_at,
    k.acknowledged_by`,
  joins: sql`left join alert_acknowledgements k on k.account_id = r.account_id and k.alert_id = r.id`,
};

/** A page of alerts, and how it is found: see `walksAccount`. */
export interface AlertPage extends TimePage<TimeKey>, AlertFilters {
  readonly walksAccount?: boolean;
}

/** From this share of the account's devices on, walking past those of others costs less than looking into each device. */
const wideShare = 1 / 8;

/**
 * Whether alerts are looked for in the order of the account's index. A sub-account's are mostly looked for device by device.
 * But where a filter that no index knows may fit few of very many, each device would be looked through to its end.
 */
export async function walksAccount(
  reader: Reader,
  { sees, accountId, userId }: Visibility,
  page: TimePage<TimeKey> & AlertFilters,
): Promise<boolean> {
  if (sees === "account") return true;
  if (page.device !== null || !isScanned(page)) return false;
  const row = await reader.get<{ seen: number; all_devices: number }>(sql`select
    (select count(*) from assignments where account_id = ${accountId} and user_id = ${userId}) as seen,
    (select count(*) from devices where account_id = ${accountId}) as all_devices`);
  return row !== null && row.seen >= row.all_devices * wideShare;
}

function isScanned({ acknowledged, severity, alertType }: AlertFilters): boolean {
  return acknowledged !== null || (severity !== null && alertType !== null);
}

/** Alerts that later frames took the ground from are not among them: what is listed never depends on arrival. */
export async function alerts(reader: Reader, visibility: Visibility, page: AlertPage): Promise<AlertRow[]> {
  const { after, alertType } = page;
  // Any type may be asked for, and PostgreSQL refuses a text with NUL in it.
  if (alertType?.includes("\0")) return [];
  const rows = { ...page, afterKey: after && sql`${after.at}, ${after.id}`, conditions: conditions(page) };
  const isWide = visibility.sees === "assigned" && page.walksAccount === true;
  return reader.all(
    isWide
      ? rowsSeenInAccount(table, visibility, rows)
      : timedRows(reader.engine, table, visibility, page.device, rows),
  );
}

/** Alerts that are looked at in one go. */
const alertsPerPart = 1_000;

/**
 * Where a filter may fit none of very many alerts: the time of the last of those to look at next. Null where the rest are
 * few, or are found by an index, or are looked for device by device.
 */
export async function endOfAlerts(reader: Reader, visibility: Visibility, page: AlertPage): Promise<number | null> {
  const { after, severity, alertType, device } = page;
  if (!isScanned(page) || reader.engine !== "sqlite" || !page.walksAccount) return null;
  const indexed =
    alertType !== null
      ? sql`and r.alert_type = ${alertType}`
      : severity !== null
        ? sql`and r.severity = ${severity}`
        : nothing;
  const afterKey = after && sql`${after.at}, ${after.id}`;
  const part = { ...page, count: alertsPerPart, afterKey, conditions: indexed };
  const row = await reader.get<{ at: number }>(endOfRows(table, visibility, device, part));
  return row?.at ?? null;
}

function conditions({ acknowledged, severity, alertType }: AlertFilters): Sql {
  const ofSeverity = severity === null ? nothing : sql`and r.severity = ${severity}`;
  const ofType = alertType === null ? nothing : sql`and r.alert_type = ${alertType}`;
  const seenTo = acknowledged === null ? nothing : acknowledged ? isAcknowledged : isNotAcknowledged;
  return sql`and not r.withdrawn ${ofSeverity} ${ofType} ${seenTo}`;
}

const acknowledgement = sql`select 1 from alert_acknowledgements k
  where k.account_id = r.account_id and k.alert_id = r.id`;
const isAcknowledged = sql`and exists (${acknowledgement})`;
const isNotAcknowledged = sql`and not exists (${acknowledgement})`;
