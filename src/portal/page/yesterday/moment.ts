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
