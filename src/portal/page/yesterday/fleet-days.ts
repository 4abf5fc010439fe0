import type { FleetDays, Highlights, OpenCritical, VehicleDaysRecord } from "../../both-sides/contract/fleet-days.ts";
import { dayAt } from "../../both-sides/periods/days.ts";
import { momentPath } from "../../both-sides/periods/paths.ts";

/** What is shown: the days with all that is asked for. */
export interface ShownDays extends Omit<FleetDays, "open_critical"> {
  readonly highlights: Highlights;
  readonly open_critical: Pick<OpenCritical, "count" | "data">;
}

const noHighlights: Highlights = { speeding: [], silent: [], still: [], fuel: [] };

export function shownDays({ highlights = noHighlights, open_critical, ...fleet }: FleetDays): ShownDays {
  return { ...fleet, highlights, open_critical: open_critical ?? { count: 0, data: [] } };
}

export type FleetDaysPage = Pick<FleetDays, "data" | "next_cursor">;

const sorts = ["name", "distance", "driving", "idle", "max_speed"] as const;
export type YesterdaySort = (typeof sorts)[number];

export interface Order {
  readonly sort: YesterdaySort;
  readonly isDescending: boolean;
}

/** What an address asks for; the longest way first if it says nothing of use. Pure. */
export function orderOf(sort: string | null, order: string | null): Order {
  const known = sorts.find((name) => name === sort) ?? "distance";
  return { sort: known, isDescending: order === null ? known !== "name" : order === "desc" };
}

/** Sorting by the present column reverses it; another column begins with the greatest, names with the first. Pure. */
export function nextOrder(present: Order, sort: YesterdaySort): Order {
  return { sort, isDescending: present.sort === sort ? !present.isDescending : sort !== "name" };
}

/** The rows of a list after another page of it. A vehicle that has moved in the order meanwhile stays where it is shown. Pure. */
export function withPage<List extends FleetDaysPage>(list: List, { data, next_cursor }: FleetDaysPage): List {
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
export function tripPath(vehicle: VehicleDaysRecord, at: string | null, zone: string, firstDay: string): string {
  return momentOrDay(vehicle.device_id, at, zone, vehicle.first_day_driven ?? firstDay);
}

/**
 * Where playback finds the fastest moment or the longest idling by itself. Of one day it is that day; of several, the day
 * of the trip that had most of it, which is also what opens if nothing is found. Pure.
 */
export function findPath(
  vehicle: VehicleDaysRecord,
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
