import type { Trip } from "../contract/data.ts";
import type { Driven } from "./totals.ts";
import { greatest, sumOfKnown } from "./totals.ts";

/** The trips of one driver together. */
export interface DriverTrips extends Omit<Driven, "driving_s" | "carried_km"> {
  /** As `driverOf` names them; null: nobody is known. */
  readonly driver: string | null;
  readonly vehicle_count: number;
  readonly duration_s: number;
}

/** In an address, for trips of which no driver is known. */
export const noDriver = "-";

/** What a driver is called: the name, else the id that the tracker sent. Two of one name are one here. */
function driverOf({ driver_id, driver_name }: Pick<Trip, "driver_id" | "driver_name">): string | null {
  return driver_name ?? driver_id;
}

/** The drivers of a trip, first to last; one who is not known, if none is. Pure. */
export function driversIn(trip: Trip): readonly (string | null)[] {
  return [...new Set(partsOf(trip).map(({ driver }) => driver))];
}

/** A trip as its drivers drove it: a handover cuts it by time. */
function partsOf(trip: Trip) {
  if (trip.drivers.length < 2) return [{ trip, driver: driverOf(trip), share: 1, isStart: true }];
  const wholeMs = trip.duration_s * 1000;
  const end = Date.parse(trip.started_at) + wholeMs;
  return trip.drivers.map((driver, index) => {
    const ms = (driver.until === null ? end : Date.parse(driver.until)) - Date.parse(driver.from);
    return { trip, driver: driverOf(driver), share: wholeMs === 0 ? 0 : ms / wholeMs, isStart: index === 0 };
  });
}

/** Those who drove farthest first, as the table begins. Pure. */
export function driversOf(trips: readonly Trip[]): DriverTrips[] {
  // A trip on which the vehicle was carried is nobody's.
  const parts = trips.filter(({ is_carried }) => !is_carried).flatMap(partsOf);
  return [...Map.groupBy(parts, ({ driver }) => driver)]
    .map(([driver, own]) => ({
      driver,
      vehicle_count: new Set(own.map(({ trip }) => trip.device_id)).size,
      trip_count: own.filter(({ isStart }) => isStart).length,
      distance_km: sumOfKnown(own.map(({ trip, share }) => trip.distance_km * share)),
      duration_s: sumOfKnown(own.map(({ trip, share }) => trip.duration_s * share)),
      idle_s: sumOfKnown(own.map(({ trip, share }) => trip.idle_s * share)),
      max_speed_kmh: greatest(own.map(({ trip }) => trip.max_speed_kmh)),
    }))
    .sort((one, other) => other.distance_km - one.distance_km);
}
