import { dayAt } from "../common/days.ts";
import type { VehicleDays } from "./fleet-days.ts";

/** Where playback shows a moment of a vehicle; without one, the day. Pure. */
export function momentPath(deviceId: string, at: string | null, zone: string, day: string): string {
  if (at === null) return `/map/${deviceId}?day=${day}`;
  return `/map/${deviceId}?day=${dayAt(Date.parse(at), zone)}&at=${encodeURIComponent(at)}`;
}

/** A way that began the evening before has no trip of the day: then the day is shown from its beginning. Pure. */
export function tripPath(vehicle: VehicleDays, at: string | null, zone: string, firstDay: string): string {
  return momentPath(vehicle.device_id, at, zone, vehicle.first_day_driven ?? firstDay);
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

/** A report of the days and vehicles that this page is about. */
export function reportPath(report: string, query: string): string {
  const [kind = "", sort = ""] = report.split("?");
  const present = new URLSearchParams(query);
  const parameters = new URLSearchParams(sort);
  for (const name of ["period", "from", "to", "tag", "vehicle"]) {
    for (const value of present.getAll(name)) parameters.append(name, value);
  }
  return `/reports/${kind}${parameters.size > 0 ? `?${parameters}` : ""}`;
}
