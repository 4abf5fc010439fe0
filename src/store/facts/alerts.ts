import type { Severity } from "../../domain/alert-types.ts";
import { type AlertFact, factKey } from "../../domain/facts.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { RowOf } from "../columns.ts";
import type { Engine, Reader } from "../database.ts";
import { type DeviceOfRow, factIdOf, factTable, scaled, tripId } from "../fact-table.ts";
import type { TimeKey, TimePage } from "../pages.ts";
import { limitTo, listOf, nothing, plainSql, type Sql, sql } from "../sql.ts";
import { listed, omit } from "../table.ts";
import {
  type DeviceMoment,
  endOfRows,
  isSkimmed,
  pageById,
  rowsAt,
  skimmed,
  type TimedTable,
  timedRows,
} from "../timed-rows.ts";
import { isVisible } from "../visible.ts";

export const alertTable = factTable<AlertFact>()("alerts", ["occurred_at", "id"], {
  id: ["uuid", (alert, owner) => factIdOf(owner, factKey(alert))],
  alert_type: ["text", (alert): string => alert.alertType],
  severity: ["text", (alert) => alert.severity],
  message: ["text", (alert) => alert.message],
  occurred_at: ["bigint", (alert) => alert.occurredAt],
  ended_at: ["bigint", (alert) => alert.endedAt],
  received_at: ["bigint", (alert) => alert.receivedAt],
  /** By frames; null where an early version derived it from frames that are gone. */
  updated_at: ["bigint", (alert): number | null => alert.updatedAt],
  latitude_e7: ["integer", (alert) => scaled(alert.latitude, 1e7)],
  longitude_e7: ["integer", (alert) => scaled(alert.longitude, 1e7)],
  speed_m_per_h: ["integer", (alert) => scaled(alert.speedKmh, 1000)],
  value: ["double precision", (alert) => alert.value],
  threshold: ["double precision", (alert) => alert.threshold],
  unit: ["text", (alert) => alert.unit],
  geofence_id: ["uuid", (alert) => alert.fenceId],
  trip_id: ["uuid", ({ tripFoundAt }, owner) => (tripFoundAt === null ? null : tripId(owner, tripFoundAt))],
  /** Late frames withdrew it, but someone had acknowledged it: stored, but not listed. */
  withdrawn: ["boolean", () => false],
});

const shown = omit(alertTable.own, "withdrawn");

export interface AlertRow extends DeviceOfRow, RowOf<typeof shown> {
  /** From the acknowledgement, null where there is none. */
  readonly acknowledged_at: number | null;
  /** The user's id. */
  readonly acknowledged_by: string | null;
}

export interface AlertFilters {
  readonly acknowledged: boolean | null;
  readonly severity: Severity | null;
  readonly alertType: string | null;
  readonly minValue?: number | null;
  readonly maxValue?: number | null;
  /** Only those of which the first frame came later. */
  readonly receivedAfter?: number | null;
}

const listedAlerts: TimedTable = {
  name: sql`alerts`,
  time: sql`r.occurred_at`,
  key: sql`r.occurred_at, r.id`,
  columns: sql`${listed(shown, "r")}, k.acknowledged_at, k.acknowledged_by`,
  joins: acknowledgementOf,
};

/** Looked up for those alone that have one: nothing equals null. */
function acknowledgementOf(accountId: number): Sql {
  return sql`left join alert_acknowledgements k
    on k.account_id = ${accountId} and k.alert_id = case when r.acknowledged then r.id end`;
}

export interface AlertPage extends TimePage<TimeKey>, AlertFilters {}

/** Whether alerts must be searched for those that match: none of its filters has an index, or it has several. */
export function areAlertsScanned(filters: AlertFilters): boolean {
  const { minValue = null, maxValue = null, receivedAfter = null, ...indexed } = filters;
  const { acknowledged, severity, alertType } = indexed;
  const count = [acknowledged, severity, alertType].filter((filter) => filter !== null).length;
  return minValue !== null || maxValue !== null || receivedAfter !== null || count > 1;
}

/** Without alerts that late frames withdrew: the list never depends on the order of arrival. */
export async function alerts(reader: Reader, visibility: Visibility, page: AlertPage): Promise<AlertRow[]> {
  return isOfNoAlert(page.alertType) ? [] : reader.all(pageOf(listedAlerts, reader.engine, visibility, page));
}

/** Some milliseconds, if all must be looked up. */
const maxByValue = 1_000;

/** The page, if so few alerts of the account have such a value that it is found among these alone; null: there are more. */
export async function alertsByValue(
  reader: Reader,
  visibility: Visibility,
  page: AlertPage,
): Promise<AlertRow[] | null> {
  const { minValue = null, maxValue = null } = page;
  if (page.device !== null || (minValue === null && maxValue === null) || isOfNoAlert(page.alertType)) return null;
  const ofValue = sql`from alerts i where i.account_id = ${visibility.accountId} ${andValue(page, sql`i.value`)} order by i.value`;
  if ((await reader.get(sql`select 1 as more ${ofValue} limit 1 offset ${maxByValue}`)) !== null) return null;
  // Found before the rest, as a limit makes both engines do. It cuts nothing off: one more may have come meanwhile.
  const keys = sql`(select i.account_id, i.device, i.occurred_at, i.id ${ofValue} ${limitTo(Number.MAX_SAFE_INTEGER)})`;
  const table = skimmed(listedAlerts, { inTable: found.inTable }, visibility, keys);
  const among = { ...pageById(page, conditions(page, inTable)), walksAccount: true };
  return reader.all(timedRows(reader.engine, table, visibility, null, among));
}

export async function countAlerts(reader: Reader, visibility: Visibility, page: AlertPage): Promise<number> {
  if (isOfNoAlert(page.alertType)) return 0;
  const { name, time, key } = listedAlerts;
  const ids: TimedTable = { name, time, key, columns: sql`r.id` };
  const row = await reader.get<{ count: number }>(
    sql`select count(*) as count from (${pageOf(ids, reader.engine, visibility, page)}) found`,
  );
  return row?.count ?? 0;
}

/** Any type may be requested, and PostgreSQL refuses a text with NUL in it. */
function isOfNoAlert(alertType: string | null): boolean {
  return alertType?.includes("\0") ?? false;
}

function pageOf(columns: TimedTable, engine: Engine, visibility: Visibility, page: AlertPage): Sql {
  return isSkimmed(engine, page)
    ? timedRows(
        engine,
        skimmed(columns, found, visibility),
        visibility,
        null,
        pageById(page, conditions(page, inIndex)),
      )
    : timedRows(engine, columns, visibility, page.device, pageById(page, conditions(page, inTable)));
}

const found = {
  inIndex: sql`i.alert_type as indexed_alert_type, i.severity as indexed_severity, i.acknowledged as indexed_acknowledged,
    i.value as indexed_value`,
  inTable: sql`f.acknowledged, ${listed(omit(alertTable.own, "occurred_at", "id"), "f")}`,
};

export function alertsAt(
  reader: Reader,
  visibility: Visibility,
  moments: readonly DeviceMoment[],
): Promise<(AlertRow & DeviceMoment)[]> {
  return rowsAt(reader, listedAlerts, visibility, moments, sql`and not r.withdrawn`);
}

export interface NamedAlertRow extends AlertRow {
  readonly device_name: string;
  readonly plate: string | null;
}

/** Those of these alerts that the viewer sees, with their vehicles' names; none that late frames withdrew. */
export function alertsById(
  reader: Reader,
  visibility: Visibility,
  alertIds: Iterable<string>,
): Promise<NamedAlertRow[]> {
  const { accountId } = visibility;
  return reader.all(sql`
    select ${listedAlerts.columns}, d.id as device_id, d.imei, d.name as device_name, d.plate
    from alerts r join devices d on d.account_id = ${accountId} and d.device = r.device ${acknowledgementOf(accountId)}
    where ${isVisible(visibility)} and r.account_id = ${accountId} and r.id in ${listOf(alertIds)} and not r.withdrawn`);
}

/** The time of the last of the account's next alerts, whether they match or not; null if there are fewer. */
export async function endOfAlerts(reader: Reader, visibility: Visibility, page: AlertPage): Promise<number | null> {
  if (isOfNoAlert(page.alertType)) return null;
  return endOfRows(reader, listedAlerts, visibility, pageById(page, ofIndex(page)));
}

const sampled = 200;

/** Which share of the account's alerts matches the filter that has an index, by how long it takes until there are some. */
export async function shareOfAlerts(reader: Reader, visibility: Visibility, page: AlertPage): Promise<number> {
  if (ofIndex(page) === nothing) return 1;
  const some = { ...page, count: sampled };
  const start = Math.max(page.fromMs, page.after?.at ?? page.fromMs);
  const [matching, any] = [
    await endOfAlerts(reader, visibility, some),
    await endOfRows(reader, listedAlerts, visibility, pageById(some)),
  ];
  // Few match at all: these are found at once.
  if (matching === null) return Number.MIN_VALUE;
  return Math.min(1, (1 + (any ?? page.toMs) - start) / (1 + matching - start));
}

/** There is an index by each of them, but none by several: types are the rarest. */
function ofIndex({ severity, alertType, acknowledged }: AlertFilters): Sql {
  if (alertType !== null) return sql`and r.alert_type = ${alertType}`;
  if (severity !== null) return sql`and r.severity = ${severity}`;
  return acknowledged === null ? nothing : sql`and r.acknowledged = ${acknowledged}`;
}

/** The columns that filters compare, in the table or as `skimmed` finds them in an index. */
type FilterColumns = Readonly<Record<"alert_type" | "severity" | "acknowledged" | "value", Sql>>;

function filterColumns(prefix: string): FilterColumns {
  const named = (name: string) => plainSql(`r.${prefix}${name}`);
  return {
    alert_type: named("alert_type"),
    severity: named("severity"),
    acknowledged: named("acknowledged"),
    value: named("value"),
  };
}

const [inTable, inIndex] = [filterColumns(""), filterColumns("indexed_")];

function conditions(filters: AlertFilters, columns: FilterColumns): Sql {
  const { acknowledged, severity, alertType, receivedAfter = null } = filters;
  const ofType = alertType === null ? nothing : sql`and ${columns.alert_type} = ${alertType}`;
  const ofSeverity = severity === null ? nothing : sql`and ${columns.severity} = ${severity}`;
  const seenTo = acknowledged === null ? nothing : sql`and ${columns.acknowledged} = ${acknowledged}`;
  const isNews = receivedAfter === null ? nothing : sql`and r.received_at > ${receivedAfter}`;
  return sql`and not r.withdrawn ${ofType} ${ofSeverity} ${seenTo} ${isNews} ${andValue(filters, columns.value)}`;
}

function andValue({ minValue = null, maxValue = null }: AlertFilters, value: Sql): Sql {
  const atLeast = minValue === null ? nothing : sql`and ${value} >= ${minValue}`;
  const atMost = maxValue === null ? nothing : sql`and ${value} <= ${maxValue}`;
  return sql`${atLeast} ${atMost}`;
}
