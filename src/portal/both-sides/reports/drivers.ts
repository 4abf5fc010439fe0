import type { Trip } from "../contract/data.ts";
import type { Driven } from "./totals.ts";
import { greatest, sumOfKnown } from "./totals.ts";

/** The trips of one driver together. */
export interface DriverTrips extends Omit<Driven, "driving_s"> {
  /** As `driverOf` names them; null: nobody is known. */
  readonly driver: string | null;
  readonly vehicle_count: number;
  readonly duration_s: number;
}

/** In an address, for trips of which no driver is known. */
export const noDriver = "-";

/** What a driver is called: the name, else the id that the tracker sent. Two of one name are one here. Pure. */
export function driverOf({ driver_id, driver_name }: Pick<Trip, "driver_id" | "driver_name">): string | null {
  return driver_name ?? driver_id;
}

/** Those who drove farthest first, as the table begins. Pure. */
export function driversOf(trips: readonly Trip[]): DriverTrips[] {
  return [...Map.groupBy(trips, driverOf)]
    .map(([driver, own]) => ({
      driver,
      vehicle_count: new Set(own.map(({ device_id }) => device_id)).size,
      trip_count: own.length,
      distance_km: sumOfKnown(own.map(({ distance_km }) => distance_km)),
      duration_s: sumOfKnown(own.map(({ duration_s }) => duration_s)),
      idle_s: sumOfKnown(own.map(({ idle_s }) => idle_s)),
      max_speed_kmh: greatest(own.map(({ max_speed_kmh }) => max_speed_kmh)),
    }))
    .sort((one, other) => other.distance_km - one.distance_km);
}
