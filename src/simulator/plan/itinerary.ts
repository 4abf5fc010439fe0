import type { Vehicle } from "../fleet/roster.ts";
import { purposes, Random } from "../random.ts";
import type { Region, StopPlace } from "../region/places.ts";
import { dayMs, hourMs, localOffsetMs, minuteMs } from "./calendar.ts";
import { isSpecialDay } from "./special-days.ts";
import type { WorkingDays } from "./working-days.ts";

/** A stop that is planned for the day. */
export interface Visit {
  readonly node: number;
  readonly stayMs: number;
  readonly keepsRunning: boolean;
  /** How many litres are filled in; 0: it is no station. */
  readonly refuelL: number;
}

/** What a vehicle is to do on one of its days: where from, when, where to. How long the ways take is another matter. */
export interface Itinerary {
  readonly day: number;
  /** When the vehicle's day begins. It has 24 hours, and the vehicle is parked when it begins and when it ends. */
  readonly beginsAt: number;
  readonly from: number;
  readonly leavesAt: number;
  readonly visits: readonly Visit[];
  readonly to: number;
  readonly metres: number;
}

/** Vehicles that drive at night have their day from noon to noon. */
export function dayBeginsAt({ kindName }: Vehicle, day: number): number {
  return day * dayMs + (kindName === "linehaul" ? dayMs / 2 : 0);
}

/** More than this the ways of a shift are not to take on empty roads: in traffic it is about twice as much. */
const longestDrivingSeconds = 3.6 * 3600;

/** Plans a day; null if the vehicle stays where it is. */
export function planDay(
  seed: number,
  vehicle: Vehicle,
  day: number,
  region: Region,
  working: WorkingDays,
): Itinerary | null {
  if (!working.works(vehicle, day)) return null;
  const { kind } = vehicle;
  const random = new Random(seed, purposes.tour, vehicle.index, day);
  const beginsAt = dayBeginsAt(vehicle, day);
  const localMidnight = day * dayMs - localOffsetMs(day * dayMs + 12 * hourMs);
  const leavesAt = localMidnight + random.between(...kind.shiftStart) * hourMs;
  const from = working.sleepsAt(vehicle, day);
  // Where it is towed to is no place it drives to itself.
  const isTowed = vehicle.quirk === "towed" && isSpecialDay(vehicle, day);
  const to = isTowed ? vehicle.bay : working.sleepsAt(vehicle, day + 1);
  const stops = stopsOf(vehicle, from, to, region, random);
  const visits = stops.map(({ node }) => ({
    node,
    stayMs: random.between(...kind.visitMinutes) * minuteMs,
    keepsRunning: random.chance(kind.keepsRunning),
    refuelL: 0,
  }));
  return { day, beginsAt, from, leavesAt, visits, to, metres: metresOf(from, visits, to, region) };
}

export function metresOf(from: number, visits: readonly Visit[], to: number, { routes }: Region): number {
  let metres = 0;
  let last = from;
  for (const { node } of visits) {
    metres += routes.metres(last, node);
    last = node;
  }
  return metres + routes.metres(last, to);
}

function stopsOf(vehicle: Vehicle, from: number, to: number, region: Region, random: Random): readonly StopPlace[] {
  const count = random.whole(...vehicle.kind.visits);
  switch (vehicle.kindName) {
    case "shuttle": {
      const terminals = region.places.filter(({ kind }) => kind === "terminal");
      return Array.from({ length: count }, (_, index) => terminals[index % terminals.length] as StopPlace);
    }
    case "linehaul":
      return [random.pick(region.places.filter(({ kind }) => kind === "rest"))];
    case "container":
      return [];
    case "parcel":
    case "service":
    case "truck":
    case "tourer":
    case "reefer":
    case "car":
      return tour(vehicle, count, from, to, region, random);
  }
}

/** Customers of the district, always the nearest of those left, as many as fit into a shift. */
function tour(
  { customers }: Vehicle,
  count: number,
  from: number,
  to: number,
  { routes }: Region,
  random: Random,
): readonly StopPlace[] {
  const left = new Set<StopPlace>();
  const wanted = Math.min(count, customers.length);
  while (left.size < wanted) left.add(random.pick(customers));
  const stops: StopPlace[] = [];
  let seconds = 0;
  let node = from;
  while (left.size > 0) {
    let nearest: StopPlace | null = null;
    for (const place of left) {
      if (nearest === null || routes.seconds(node, place.node) < routes.seconds(node, nearest.node)) nearest = place;
    }
    if (nearest === null) break;
    left.delete(nearest);
    const there = seconds + routes.seconds(node, nearest.node);
    if (there + routes.seconds(nearest.node, to) > longestDrivingSeconds) continue;
    stops.push(nearest);
    seconds = there;
    node = nearest.node;
  }
  return stops;
}
