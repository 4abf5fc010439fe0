import type { Severity } from "../domain/alert-types.ts";
import type { Visibility } from "../domain/visibility.ts";
import type { Reader } from "./database.ts";
import type { TimeKey, TimePage } from "./pages.ts";
import { nothing, type Sql, sql } from "./sql.ts";
import { endOfRows, type TimedTable, timedRows } from "./timed-rows.ts";

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

/** Alerts that later frames took the ground from are not among them: what is listed never depends on arrival. */
export async function alerts(
  reader: Reader,
  visibility: Visibility,
  page: TimePage<TimeKey> & AlertFilters,
): Promise<AlertRow[]> {
  const { after, alertType } = page;
  // Any type may be asked for, and PostgreSQL refuses a text with NUL in it.
  if (alertType?.includes("\0")) return [];
  return reader.all(
    timedRows(reader.engine, table, visibility, page.device, {
      ...page,
      afterKey: after && sql`${after.at}, ${after.id}`,
      conditions: conditions(page),
    }),
  );
}

/** Alerts that are looked at in one go. */
const alertsPerPart = 1_000;

/**
 * Where a filter may fit none of very many alerts: the time of the last of those to look at next. Null where the rest are
 * few, or are found by an index, or are a sub-account's, which are looked for device by device.
 */
export async function endOfAlerts(
  reader: Reader,
  visibility: Visibility,
  page: TimePage<TimeKey> & AlertFilters,
): Promise<number | null> {
  const { after, acknowledged, severity, alertType, device } = page;
  const isScanned = acknowledged !== null || (severity !== null && alertType !== null);
  if (!isScanned || reader.engine !== "sqlite" || visibility.sees !== "account") return null;
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
