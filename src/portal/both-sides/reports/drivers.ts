import type { Trip } from "../contract/data.ts";

/** In an address, for trips of which no driver is known. */
export const noDriver = "-";

/** What a driver is called: the name, else the id that the tracker sent. Two of one name are one here. */
function driverOf({ driver_id, driver_name }: Pick<Trip, "driver_id" | "driver_name">): string | null {
  return driver_name ?? driver_id;
}

/** The drivers of a trip, first to last; one who is not known, if none is. Pure. */
export function driversIn(trip: Trip): readonly (string | null)[] {
  const all = trip.drivers.length < 2 ? [driverOf(trip)] : trip.drivers.map(driverOf);
  return [...new Set(all)];
}
