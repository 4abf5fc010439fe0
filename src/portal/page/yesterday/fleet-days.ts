import { dayAt } from "../common/periods/days.ts";
import { type Chosen, momentPath } from "../common/periods/paths.ts";

/** The answer of `/portal/api/fleet-days`. */

export interface DrivenTotals {
  readonly distance_km: number;
  readonly driving_s: number;
  readonly idle_s: number;
  readonly trip_count: number;
}

export interface FleetTotals extends DrivenTotals {
  readonly vehicles: number;
  readonly drove: number;
  readonly still: number;
  readonly silent: number;
  readonly most_distance_km: number;
  readonly most_engine_s: number;
  readonly speeding_vehicles: number;
  readonly speeding_count: number;
  readonly speeding_s: number;
  readonly fuel_vehicles: number;
  readonly fuel_taken_l: number;
  readonly fuel_taken_count: number;
  readonly fuel_lost_l: number;
  readonly fuel_lost_count: number;
}

export interface VehicleDays extends DrivenTotals {
  readonly device_id: string;
  readonly name: string;
  readonly plate: string | null;
  readonly max_speed_kmh: number | null;
  readonly days_driven: number;
  readonly first_day_driven: string | null;
  readonly first_trip_at: string | null;
  readonly longest_trip_at: string | null;
  readonly most_idle_trip_at: string | null;
  readonly fastest_trip_at: string | null;
  readonly speeding_count: number;
  readonly speeding_s: number;
  readonly speeding_worst: {
    readonly occurred_at: string;
    readonly value: number | null;
    readonly threshold: number | null;
  } | null;
  readonly fuel_taken_count: number;
  /** Null where the tank's capacity is not known. */
  readonly fuel_taken_l: number | null;
  readonly fuel_taken_at: string | null;
  readonly fuel_lost_count: number;
  readonly fuel_lost_l: number | null;
  readonly fuel_lost_at: string | null;
  readonly last_seen_at: string | null;
}

export interface OpenCritical {
  readonly device_id: string;
  readonly name: string;
  readonly count: number;
  readonly newest: { readonly alert_type: string; readonly occurred_at: string };
}

export type Group = "speeding" | "silent" | "still" | "fuel";

export interface FleetDays {
  readonly from: string;
  readonly to: string;
  readonly totals: FleetTotals;
  readonly before: DrivenTotals | null;
  readonly highlights: Readonly<Record<Group, readonly VehicleDays[]>>;
  readonly open_critical: {
    readonly count: number;
    readonly vehicles: number;
    readonly data: readonly OpenCritical[];
  };
  readonly data: readonly VehicleDays[];
  readonly next_cursor: string | null;
}

export type FleetPage = Pick<FleetDays, "data" | "next_cursor">;

const sorts = ["name", "distance", "driving", "idle", "max_speed"] as const;
export type Sort = (typeof sorts)[number];

export interface Order {
  readonly sort: Sort;
  readonly isDescending: boolean;
}

/** What an address asks for; the longest way first if it says nothing of use. Pure. */
export function orderOf(sort: string | null, order: string | null): Order {
  const known = sorts.find((name) => name === sort) ?? "distance";
  return { sort: known, isDescending: order === null ? known !== "name" : order === "desc" };
}

/** Sorting by the present column reverses it; another column begins with the greatest, names with the first. Pure. */
export function nextOrder(present: Order, sort: Sort): Order {
  return { sort, isDescending: present.sort === sort ? !present.isDescending : sort !== "name" };
}

export function fleetDaysPath({ period, tags, vehicles }: Chosen, further: Readonly<Record<string, string>>): string {
  const parameters = new URLSearchParams({ from: period.from, to: period.to, ...further });
  for (const tag of tags) parameters.append("tag", tag);
  for (const vehicle of vehicles) parameters.append("device_id", vehicle);
  return `/fleet-days?${parameters}`;
}

/** The rows of a list after another page of it. A vehicle that has moved in the order meanwhile stays where it is shown. Pure. */
export function withPage<List extends FleetPage>(list: List, { data, next_cursor }: FleetPage): List {
  const known = new Set(list.data.map(({ device_id }) => device_id));
  return { ...list, data: [...list.data, ...data.filter(({ device_id }) => !known.has(device_id))], next_cursor };
}

/** By how many percent more; null if there was nothing to compare with. Pure. */
export function growth(now: number, before: number): number | null {
  return before > 0 ? Math.round((now / before - 1) * 100) : null;
}

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
