import type { Visibility } from "../../domain/visibility.ts";
import { FrameBlock } from "../blocks/frame-block.ts";
import { sharedLinesOf } from "../blocks/shared-lines.ts";
import type { Reader } from "../database.ts";
import { hasSharedIn, sharedAtEdges } from "../frames/shared-rows.ts";
import { numberRows, type Sql, sql } from "../sql.ts";
import { isVisible, ofEachDevice } from "../visible.ts";
import { isDayIn, type MileageRange } from "./mileage.ts";

/** What the days of a fleet sum up to, by device. Devices that the viewer does not see are left out, here as everywhere. */

/** Half-open: `fromMs <= t < toMs`. */
export interface Moments {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface DriveSums {
  readonly device: number;
  readonly distance_mm: number;
  /** On the days of which it is known. */
  readonly carried_mm: number;
  readonly driving_ms: number;
  readonly idle_ms: number;
  readonly trip_count: number;
  readonly max_speed_m_per_h: number | null;
  readonly days_driven: number;
  /** Counted from 1970-01-01; null if it did not drive. */
  readonly first_day_driven: number | null;
}

const drove = sql`(r.distance_mm > 0 or r.trip_count > 0)`;

/** A device that no valid position came from on these days has no row. */
export function driveSums(
  reader: Reader,
  visibility: Visibility,
  devices: Iterable<number>,
  days: MileageRange["days"],
): Promise<DriveSums[]> {
  const onDays = sql`r.account_id = ${visibility.accountId} and r.device = d.device and ${isDayIn(days)}`;
  const mileage = ofEachDevice(reader.engine, sql`mileage_days`, onDays, sql`order by r.day`);
  return reader.all(sql`
    select r.device, cast(sum(r.distance_mm) as bigint) as distance_mm,
      cast(coalesce(sum(r.carried_mm), 0) as bigint) as carried_mm, cast(sum(r.driving_ms) as bigint) as driving_ms,
      cast(sum(r.idle_ms) as bigint) as idle_ms, cast(sum(r.trip_count) as bigint) as trip_count,
      max(r.max_speed_m_per_h) as max_speed_m_per_h, cast(sum(case when ${drove} then 1 else 0 end) as bigint) as days_driven,
      min(case when ${drove} then r.day end) as first_day_driven
    from ${inSight(reader, visibility, numberRows(devices))} ${mileage} group by r.device`);
}

export interface AlertSums {
  readonly device: number;
  readonly speeding_count: number;
  readonly speeding_ms: number;
  readonly refill_count: number;
  /** Null if none was measured in litres: the capacity of the tank is not known. */
  readonly refill_l: number | null;
  readonly drain_count: number;
  readonly drain_l: number | null;
}

/** Of the alerts that began in the window. Speeding without an end counts until the last valid position. */
export function alertSums(
  reader: Reader,
  visibility: Visibility,
  devices: Iterable<number>,
  moments: Moments,
): Promise<AlertSums[]> {
  const lastPosition = sql`(select p.recorded_at from latest_positions p
    where p.account_id = ${visibility.accountId} and p.device = r.device)`;
  const until = sql`coalesce(r.ended_at, ${lastPosition}, r.occurred_at)`;
  return reader.all(sql`
    select r.device, ${countOf("speeding")} as speeding_count, ${countOf("fuel_refill")} as refill_count,
      ${countOf("fuel_drain")} as drain_count, ${litresOf("fuel_refill")} as refill_l, ${litresOf("fuel_drain")} as drain_l,
      cast(sum(case when r.alert_type = 'speeding' and ${until} > r.occurred_at then ${until} - r.occurred_at else 0 end)
        as bigint) as speeding_ms
    from ${inSight(reader, visibility, numberRows(devices))} ${alertsBegun(reader, visibility, moments)}
    where ${isSummed} group by r.device`);
}

const isSummed = sql`r.alert_type in ('speeding', 'fuel_refill', 'fuel_drain') and not r.withdrawn`;

/**
 * The alerts `r` of each device `d`. They are found by device and time, never by their type, of which other devices have
 * most: for PostgreSQL, which would guess, `offset 0` keeps conditions on the type outside.
 */
function alertsBegun({ engine }: Reader, { accountId }: Visibility, { fromMs, toMs }: Moments): Sql {
  const begun = sql`r.account_id = ${accountId} and r.device = d.device
    and r.occurred_at >= ${fromMs} and r.occurred_at < ${toMs}`;
  return ofEachDevice(engine, sql`alerts`, begun, sql`order by r.occurred_at, r.id offset 0`);
}

function countOf(alertType: string): Sql {
  return sql`cast(sum(case when r.alert_type = ${alertType} then 1 else 0 end) as bigint)`;
}

function litresOf(alertType: string): Sql {
  return sql`sum(case when r.alert_type = ${alertType} and r.unit = 'L' then r.value end)`;
}

export interface OpenAlerts {
  readonly device: number;
  readonly count: number;
  readonly newest_at: number;
}

/** The critical alerts since a moment that nobody has acknowledged, by device. There are few critical ones. */
export function openCriticalAlerts(reader: Reader, visibility: Visibility, since: number): Promise<OpenAlerts[]> {
  return reader.all(sql`
    select r.device, count(*) as count, max(r.occurred_at) as newest_at from alerts r cross join devices d
    where r.account_id = ${visibility.accountId} and r.severity = 'critical' and r.occurred_at >= ${since}
      and not r.withdrawn and d.device = r.device and ${isVisible(visibility)}
      and not r.acknowledged
    group by r.device`);
}

/**
 * Of these devices, those that have frames of the window, whatever became of them; frames whose time is not believed are not
 * of any. A block may span a silence: where only its content decides, it is opened. That takes some milliseconds for a
 * hundred devices.
 */
export async function devicesWithFrames(
  reader: Reader,
  visibility: Visibility,
  devices: Iterable<number>,
  moments: Moments,
): Promise<ReadonlySet<number>> {
  const { fromMs, toMs } = moments;
  const { accountId } = visibility;
  const ofDevice = sql`r.account_id = ${accountId} and r.device = d.device`;
  const lastBlock = (column: Sql) => sql`(select ${column} from frame_blocks r
    where ${ofDevice} and r.from_at < ${toMs} order by r.from_at desc limit 1)`;
  const spans = sql`r.from_at < ${fromMs} and r.until_at >= ${toMs}`;
  // One statement for both tables, so that no frame is missed that is moved into a block meanwhile.
  const rows = await reader.all<HeardRow>(sql`
    select device, is_recent, until_at, shared, case when is_recent = 0 then body end as body from (
      select d.device, ${sharedAtEdges(accountId, moments)} as shared, ${lastBlock(sql`r.until_at`)} as until_at, ${lastBlock(sql`case when ${spans} then r.body end`)} as body,
        case when exists (select 1 from recent_frames r
          where ${ofDevice} and r.recorded_at >= ${fromMs} and r.recorded_at < ${toMs})
          or ${hasSharedIn(reader.engine, accountId, moments)} then 1 else 0 end as is_recent
      from ${inSight(reader, visibility, numberRows(devices))}) found
    where is_recent = 1 or until_at >= ${fromMs} or shared is not null`);
  const isHeard = ({ device, is_recent, until_at, shared, body }: HeardRow) =>
    is_recent === 1 ||
    (until_at !== null && until_at >= fromMs && (body === null || hasFrameIn(new FrameBlock(body), moments))) ||
    sharedLinesOf(device, shared).some(({ recordedAt }) => recordedAt >= fromMs && recordedAt < toMs);
  return new Set(rows.filter(isHeard).map(({ device }) => device));
}

interface HeardRow {
  readonly device: number;
  readonly is_recent: number;
  /** Of the last block before the end. */
  readonly until_at: number | null;
  readonly body: Uint8Array | null;
  /** Frames with those of neighbours. */
  readonly shared: string | null;
}

function hasFrameIn({ recordedAt }: FrameBlock, { fromMs, toMs }: Moments): boolean {
  return recordedAt.some((at) => at >= fromMs && at < toMs);
}

/** Where to begin looking at a device's trips that started in the window. */
export interface TripMoments {
  readonly device: number;
  readonly first_at: number | null;
  readonly longest_at: number | null;
  readonly most_idle_at: number | null;
  readonly fastest_at: number | null;
}

export function tripMoments(
  reader: Reader,
  visibility: Visibility,
  devices: Iterable<number>,
  { fromMs, toMs }: Moments,
): Promise<TripMoments[]> {
  // No index has these orders, so both engines read the trips of the one device.
  const firstBy = (order: Sql) => sql`(select r.started_at from trips r
    where r.account_id = ${visibility.accountId} and r.device = d.device
      and r.started_at >= ${fromMs} and r.started_at < ${toMs}
    order by ${order}, r.started_at limit 1)`;
  return reader.all(sql`
    select d.device, ${firstBy(sql`r.started_at + 0`)} as first_at, ${firstBy(sql`r.distance_mm desc`)} as longest_at,
      ${firstBy(sql`r.idle_ms desc`)} as most_idle_at, ${firstBy(sql`coalesce(r.max_speed_m_per_h, -1) desc`)} as fastest_at
    from ${inSight(reader, visibility, numberRows(devices))}`);
}

/** An alert of each type by device: the speeding that was furthest above its limit, and when most fuel came and went. */
export interface WorstAlert {
  readonly device: number;
  readonly alert_type: "speeding" | "fuel_refill" | "fuel_drain";
  readonly occurred_at: number;
  readonly value: number | null;
  readonly threshold: number | null;
  readonly latitude_e7: number | null;
  readonly longitude_e7: number | null;
}

export function worstAlerts(
  reader: Reader,
  visibility: Visibility,
  devices: Iterable<number>,
  moments: Moments,
): Promise<WorstAlert[]> {
  const badness = sql`coalesce(case when r.alert_type = 'speeding' then r.value - r.threshold else r.value end, 0)`;
  return reader.all(sql`
    select device, alert_type, occurred_at, value, threshold, latitude_e7, longitude_e7 from (
      select r.device, r.alert_type, r.occurred_at, r.value, r.threshold, r.latitude_e7, r.longitude_e7,
        row_number() over (partition by r.device, r.alert_type order by ${badness} desc, r.occurred_at, r.id) as place
      from ${inSight(reader, visibility, numberRows(devices))} ${alertsBegun(reader, visibility, moments)}
      where ${isSummed}) placed
    where place = 1`);
}

/** Where a device that has not driven may be found. */
export interface StandingPlace {
  readonly device: number;
  /** Where its first trip after the window began; null: there is none. */
  readonly latitude_e7: number | null;
  readonly longitude_e7: number | null;
  /** Its newest valid position, as `formatReported` writes it; null: there is none. */
  readonly latest_json: string | null;
}

export function standingPlaces(
  reader: Reader,
  visibility: Visibility,
  devices: Iterable<number>,
  { toMs }: Moments,
): Promise<StandingPlace[]> {
  const { accountId } = visibility;
  const nextStart = (column: Sql) => sql`(select ${column} from trips r
    where r.account_id = ${accountId} and r.device = d.device and r.started_at >= ${toMs}
    order by r.started_at, r.id limit 1)`;
  return reader.all(sql`
    select d.device, ${nextStart(sql`r.start_latitude_e7`)} as latitude_e7,
      ${nextStart(sql`r.start_longitude_e7`)} as longitude_e7, (
      select p.fields_json from latest_positions p
      where p.account_id = ${accountId} and p.device = d.device and p.recorded_at is not null) as latest_json
    from ${inSight(reader, visibility, numberRows(devices))}`);
}

/** These devices as `d`, as far as the viewer sees them. PostgreSQL, left to itself, compares all with all. */
export function inSight({ engine }: Reader, visibility: Visibility, rows: Sql): Sql {
  const isNamed = sql`d.device = w.device and ${isVisible(visibility)}`;
  const named = sql`(select distinct column1 as device from ${rows} named) w`;
  return engine === "postgres"
    ? sql`${named} cross join lateral (select d.device, d.tags_json from devices d where ${isNamed} limit 1) d`
    : sql`${named} cross join devices d on ${isNamed}`;
}
