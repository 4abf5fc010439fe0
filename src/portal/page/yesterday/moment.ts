import { dayAt } from "../common/periods/days.ts";
import { momentPath } from "../common/periods/paths.ts";
import type { VehicleDays } from "./fleet-days.ts";

/** A moment of a vehicle in playback; without one, the day. Pure. */
export function momentOrDay(deviceId: string, at: string | null, zone: string, day: string): string {
  return at === null ? `/map/${deviceId}?day=${day}` : momentPath(deviceId, at, zone);
}

/** A way that began the evening before has no trip of the day: then the day is shown from its beginning. Pure. */
export function tripPath(vehicle: VehicleDays, at: string | null, zone: string, firstDay: string): string {
  return momentOrDay(vehicle.device_id, at, zone, vehicle.first_day_driven ?? firstDay);
}

/**
 * Where playback finds the fastest moment or the longest idling by itself. Of one day it is that day; of several, the day
 * of the trip that had most of it, which is also what opens if nothing is found. Pure.
 */
export function findPath(
  vehicle: VehicleDays,
  find: "speed" | "idling",
  zone: string,
  days: { readonly from: string; readonly to: string },
): string {
  const at = find === "speed" ? vehicle.fastest_trip_at : vehicle.most_idle_trip_at;
  const ofTrip = at === null ? (vehicle.first_day_driven ?? days.from) : dayAt(Date.parse(at), zone);
  const day = days.from === days.to ? days.from : ofTrip;
  const otherwise = at === null ? "" : `&at=${encodeURIComponent(at)}`;
  return `/map/${vehicle.device_id}?day=${day}&find=${find}${otherwise}`;
}
