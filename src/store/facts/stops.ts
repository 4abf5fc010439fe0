import type { StopFact } from "../../domain/facts.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { RowOf } from "../columns.ts";
import type { Reader } from "../database.ts";
import { type DeviceOfRow, factTable, scaled, stopId, tripId } from "../fact-table.ts";
import { type LastingTable, lengthClassesOf, rowsUnderWay } from "../overlapping-rows.ts";
import type { TimeKey, TimePage } from "../pages.ts";
import { nothing, type Sql, sql } from "../sql.ts";
import { listed } from "../table.ts";
import {
  type DeviceMoment,
  endOfRows,
  pageById,
  rowsAt,
  rowsSeenInAccount,
  seesMuchOfAccount,
  timedRows,
} from "../timed-rows.ts";

export const stopTable = factTable<StopFact>()("stops", ["started_at", "id"], {
  id: ["uuid", (stop, owner) => stopId(owner, stop.startedAt)],
  started_at: ["bigint", (stop) => stop.startedAt],
  ended_at: ["bigint", (stop) => stop.endedAt],
  latitude_e7: ["integer", (stop) => scaled(stop.latitude, 1e7)],
  longitude_e7: ["integer", (stop) => scaled(stop.longitude, 1e7)],
  duration_ms: ["bigint", (stop) => stop.durationMs],
  ignition_on_ms: ["bigint", (stop) => stop.ignitionOnMs],
  geofence_ids: ["text", (stop) => stop.fenceIds.join(" ")],
  trip_before_id: ["uuid", (stop, owner) => tripId(owner, stop.tripBeforeStartedAt)],
  /** A stop ends with the start of a trip. */
  trip_after_id: ["uuid", ({ endedAt }, owner) => (endedAt === null ? null : tripId(owner, endedAt))],
  updated_at: ["bigint", (stop) => stop.updatedAt],
});

export interface StopRow extends DeviceOfRow, RowOf<typeof stopTable.own> {}

const table: LastingTable = {
  name: sql`stops`,
  time: sql`r.started_at`,
  key: sql`r.started_at, r.id`,
  columns: listed(stopTable.own, "r"),
  lengths: lengthClassesOf([4, 16, 64, 256, 1024, 4096]),
};

export interface StopFilters {
  readonly geofenceId: string | null;
  readonly minDurationMs: number | null;
}

/** A page of stops, and how to search for it: see `searchesAccount`. */
export interface StopPage extends TimePage<TimeKey>, StopFilters {
  readonly searchesAccount: boolean;
}

/** A filter has no index: whoever sees much of the account has all its stops searched, part by part. */
export async function searchesAccount(
  reader: Reader,
  visibility: Visibility,
  page: TimePage<TimeKey> & StopFilters,
): Promise<boolean> {
  return page.device === null && isFiltered(page) && seesMuchOfAccount(reader, visibility);
}

/** The stops that began in the window, in ascending start, with those before them that reach into it. */
export async function stops(
  reader: Reader,
  visibility: Visibility,
  page: StopPage,
  withUnderWay: boolean,
): Promise<StopRow[]> {
  const { after, fromMs, count, device } = page;
  const conditions = conditionsOf(page);
  const timed = pageById(page, conditions);
  const isPast = !withUnderWay || (after !== null && after.at >= fromMs);
  const before = isPast ? [] : await rowsUnderWay<StopRow>(reader, table, visibility, page, conditions);
  if (before.length >= count) return before;
  const isWide = visibility.sees === "assigned" && page.searchesAccount;
  const startedWithin = isWide
    ? rowsSeenInAccount(table, visibility, timed)
    : timedRows(reader.engine, table, visibility, device, timed);
  return [...before, ...(await reader.all<StopRow>(startedWithin))].slice(0, count);
}

/** If a filter may match none of very many stops: the start of the last to search next. Null: few remain. */
export async function endOfStops(reader: Reader, visibility: Visibility, page: StopPage): Promise<number | null> {
  if (!page.searchesAccount || reader.engine !== "sqlite") return null;
  const part = pageById({ ...page, count: stopsPerSearch });
  const row = await reader.get<{ at: number }>(endOfRows(table, visibility, page.device, part));
  return row?.at ?? null;
}

const stopsPerSearch = 1_000;

export function stopsStarted(reader: Reader, visibility: Visibility, page: TimePage<TimeKey>): Promise<StopRow[]> {
  return reader.all(timedRows(reader.engine, table, visibility, page.device, pageById(page)));
}

export function stopsAt(
  reader: Reader,
  visibility: Visibility,
  moments: readonly DeviceMoment[],
): Promise<(StopRow & DeviceMoment)[]> {
  return rowsAt(reader, table, visibility, moments);
}

function isFiltered({ geofenceId, minDurationMs }: StopFilters): boolean {
  return geofenceId !== null || minDurationMs !== null;
}

function conditionsOf({ geofenceId, minDurationMs }: StopFilters): Sql {
  const inFence = geofenceId === null ? nothing : sql`and r.geofence_ids like ${`%${geofenceId}%`}`;
  const isLong = minDurationMs === null ? nothing : sql`and r.duration_ms >= ${minDurationMs}`;
  return sql`${inFence} ${isLong}`;
}
