import type { StopFact } from "../../domain/facts.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { RowOf } from "../columns.ts";
import type { Engine, Reader } from "../database.ts";
import { type DeviceOfRow, factTable, scaled, stopId, tripId } from "../fact-table.ts";
import {
  areFewOfLength,
  isFoundByLength,
  type LastingPage,
  type LastingTable,
  lengthClassesOf,
  overlappingRows,
} from "../overlapping-rows.ts";
import type { TimeKey, TimePage } from "../pages.ts";
import { hasWithin, nothing, type Sql, sql } from "../sql.ts";
import { listed } from "../table.ts";
import { type DeviceMoment, endOfRows, pageById, rowsAt, timedRows } from "../timed-rows.ts";

export const stopTable = factTable<StopFact>()("stops", ["started_at", "id"], {
  id: ["uuid", (stop, owner) => stopId(owner, stop.tripBeforeFoundAt)],
  started_at: ["bigint", (stop) => stop.startedAt],
  ended_at: ["bigint", (stop) => stop.endedAt],
  latitude_e7: ["integer", (stop) => scaled(stop.latitude, 1e7)],
  longitude_e7: ["integer", (stop) => scaled(stop.longitude, 1e7)],
  duration_ms: ["bigint", (stop) => stop.durationMs],
  ignition_on_ms: ["bigint", (stop) => stop.ignitionOnMs],
  geofence_ids: ["text", (stop) => stop.fenceIds.join(" ")],
  trip_before_id: ["uuid", (stop, owner) => tripId(owner, stop.tripBeforeFoundAt)],
  trip_after_id: [
    "uuid",
    ({ tripAfterFoundAt }, owner) => (tripAfterFoundAt === null ? null : tripId(owner, tripAfterFoundAt)),
  ],
  updated_at: ["bigint", (stop) => stop.updatedAt],
});

export interface StopRow extends DeviceOfRow, RowOf<typeof stopTable.own> {}

const table: LastingTable = {
  name: sql`stops`,
  time: sql`r.started_at`,
  key: sql`r.started_at, r.id`,
  columns: listed(stopTable.own, "r"),
  lengths: lengthClassesOf([1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 4096]),
};

export interface StopFilters {
  readonly geofenceId: string | null;
  readonly minDurationMs: number | null;
}

export interface StopPage extends LastingPage, StopFilters {}

/** The stops that overlap the window, in ascending start. */
export function stops(reader: Reader, visibility: Visibility, page: StopPage): Promise<StopRow[]> {
  const { geofenceId, minDurationMs } = page;
  // Stops in fences have an index of their own.
  const minLengthMs = geofenceId === null ? (minDurationMs ?? 0) : 0;
  return overlappingRows(reader, table, visibility, { ...page, minLengthMs }, conditionsOf(reader.engine, page));
}

/** Whether the stops of the account must be searched for those that match. */
export function areStopsScanned({ geofenceId, minDurationMs }: StopFilters): boolean {
  return geofenceId !== null || minDurationMs !== null;
}

/** The start of the last of the account's next stops, whether they match or not; null if there are fewer. */
export async function endOfStops(reader: Reader, visibility: Visibility, page: StopPage): Promise<number | null> {
  const { geofenceId, minDurationMs, count } = page;
  if (geofenceId !== null) return endOfRows(reader, table, visibility, pageById(page, inAnyFence));
  const minLengthMs = minDurationMs ?? 0;
  if (!isFoundByLength(table, minLengthMs)) return endOfRows(reader, table, visibility, pageById(page));
  // Most are not even looked at.
  if (page.device === null && (await areFewOfLength(reader, table, visibility, { ...page, minLengthMs }))) return null;
  return endOfRows(reader, table, visibility, pageById({ ...page, count: count * shortPerLong }));
}

const shortPerLong = 4;

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

/** As in the indexes of stops in fences. */
const inAnyFence = sql`and r.geofence_ids <> ''`;

const fenceIds = sql`r.geofence_ids`;

function conditionsOf(engine: Engine, { geofenceId, minDurationMs }: StopFilters): Sql {
  const inFence = geofenceId === null ? nothing : sql`${inAnyFence} and ${hasWithin(engine, fenceIds, geofenceId)}`;
  const isLong = minDurationMs === null ? nothing : sql`and r.duration_ms >= ${minDurationMs}`;
  return sql`${inFence} ${isLong}`;
}
