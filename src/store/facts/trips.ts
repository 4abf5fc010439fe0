import type { TripFact } from "../../domain/facts.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { RowOf } from "../columns.ts";
import type { Reader } from "../database.ts";
import { type DeviceOfRow, factTable, scaled, tripId } from "../fact-table.ts";
import { type DriverNames, driverNames } from "../fleet/drivers.ts";
import { type LastingTable, lengthClassesOf, overlappingRows } from "../overlapping-rows.ts";
import type { TimeKey, TimePage } from "../pages.ts";
import { sql } from "../sql.ts";
import { listed } from "../table.ts";
import { type DeviceMoment, endOfRows, pageById, rowsAt, timedRows } from "../timed-rows.ts";
import { driversOfTrip } from "../trip-drivers.ts";

/** The domain computes each field of a trip (`TripFact`); a line here stores it. */
export const tripTable = factTable<TripFact>()("trips", ["started_at", "id"], {
  id: ["uuid", (trip, owner) => tripId(owner, trip.foundAt)],
  started_at: ["bigint", (trip) => trip.startedAt],
  ended_at: ["bigint", (trip) => trip.endedAt],
  end_reason: ["text", (trip) => trip.endReason],
  start_latitude_e7: ["integer", (trip) => scaled(trip.start.latitude, 1e7)],
  start_longitude_e7: ["integer", (trip) => scaled(trip.start.longitude, 1e7)],
  end_latitude_e7: ["integer", (trip) => trip.end && scaled(trip.end.latitude, 1e7)],
  end_longitude_e7: ["integer", (trip) => trip.end && scaled(trip.end.longitude, 1e7)],
  distance_mm: ["bigint", (trip) => trip.distanceMm],
  duration_ms: ["bigint", (trip) => trip.durationMs],
  idle_ms: ["bigint", (trip) => trip.idleMs],
  max_speed_m_per_h: ["integer", (trip) => scaled(trip.maxSpeedKmh, 1000)],
  start_odometer_m: ["bigint", (trip) => scaled(trip.startOdometerKm, 1000)],
  end_odometer_m: ["bigint", (trip) => scaled(trip.endOdometerKm, 1000)],
  position_count: ["integer", (trip) => trip.positionCount],
  has_gap: ["boolean", (trip) => trip.hasGap],
  driver_id: ["text", (trip): string | null => trip.drivers?.[0]?.driverId ?? null],
  /** If there were several: each one's id and since when, first to last (trip-drivers.ts). */
  drivers_json: [
    "text",
    ({ drivers = [] }): string | null =>
      drivers.length < 2 ? null : JSON.stringify(drivers.map(({ driverId, from }) => [driverId, from])),
  ],
  /** Null where a version before 2.0 derived it from frames that are gone. */
  carried_mm: ["bigint", (trip): number | null => trip.carriedMm],
  /** Null where an early version derived it from frames that are gone. */
  received_at: ["bigint", (trip): number | null => trip.receivedAt],
  updated_at: ["bigint", (trip) => trip.updatedAt],
});

/** As drivers are called now. */
export interface NamedDrivers {
  /** Of the first; null if nobody named the id. */
  readonly driver_name: string | null;
  /** Of all drivers of the page. */
  readonly driver_names: DriverNames;
}

export interface StoredTrip extends DeviceOfRow, RowOf<typeof tripTable.own> {}

export interface TripRow extends StoredTrip, NamedDrivers {}

const table: LastingTable = {
  name: sql`trips`,
  time: sql`r.started_at`,
  key: sql`r.started_at, r.id`,
  columns: listed(tripTable.own, "r"),
  lengths: lengthClassesOf([1, 4, 16, 64, 256]),
};

/** The trips that overlap the window, in ascending start. */
export async function trips(reader: Reader, visibility: Visibility, page: TimePage<TimeKey>): Promise<TripRow[]> {
  const rows = await overlappingRows<StoredTrip>(reader, table, visibility, page);
  return withDriversNamed(reader, visibility.accountId, rows);
}

/** The start of the last of the account's next trips; null if there are fewer. */
export function endOfTrips(reader: Reader, visibility: Visibility, page: TimePage<TimeKey>): Promise<number | null> {
  return endOfRows(reader, table, visibility, pageById(page));
}

export async function tripsStarted(
  reader: Reader,
  visibility: Visibility,
  page: TimePage<TimeKey>,
): Promise<TripRow[]> {
  const rows = timedRows(reader.engine, table, visibility, page.device, pageById(page));
  return withDriversNamed(reader, visibility.accountId, await reader.all<StoredTrip>(rows));
}

export async function tripsAt(
  reader: Reader,
  visibility: Visibility,
  moments: readonly DeviceMoment[],
): Promise<(TripRow & DeviceMoment)[]> {
  const rows = await rowsAt<StoredTrip>(reader, table, visibility, moments);
  return withDriversNamed(reader, visibility.accountId, rows);
}

/** The rows with the names that their drivers have now. */
export async function withDriversNamed<Row extends StoredTrip>(
  reader: Reader,
  accountId: number,
  rows: readonly Row[],
): Promise<(Row & NamedDrivers)[]> {
  const ids = rows.flatMap((row) => driversOfTrip(row).map(({ driverId }) => driverId));
  const driver_names = await driverNames(reader, accountId, ids);
  return rows.map((row) => ({ ...row, driver_name: driver_names.get(row.driver_id ?? "") ?? null, driver_names }));
}
