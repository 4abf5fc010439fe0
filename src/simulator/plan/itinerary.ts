import { dayMs } from "../../domain/time/time.ts";
import type { Vehicle } from "../fleet/roster.ts";
import { mixed, purposes, Random } from "../random.ts";
import type { Region, StopPlace } from "../region/places.ts";
import { dayTypeOf, hourMs, localOffsetMs, minuteMs } from "./calendar.ts";
import { isFetchedFromPound, isSpecialDay } from "./special-days.ts";

export interface Visit {
  readonly node: number;
  readonly stayMs: number;
  readonly keepsRunning: boolean;
  /** How many litres are filled in; 0: it is no station. */
  readonly refuelL: number;
}

/** The plan of a vehicle's day: where from, when, where to. How long the drives take is decided elsewhere. */
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
export function dayBeginsAt({ isNocturnal }: Vehicle, day: number): number {
  return day * dayMs + (isNocturnal ? dayMs / 2 : 0);
}

/** The longest driving time of a shift on empty roads. In traffic it is about twice as long. */
const longestDrivingSeconds = 4.2 * 3600;

/** In traffic, a way takes at most this many times as long as on empty roads; breaks and fuel take this long. */
const slowestTraffic = 2.2;
const breaksMs = 2.2 * hourMs;
/** Nobody is on the road for longer; the shuttle's drivers take turns. */
const longestShiftMs = 13 * hourMs;
const longestSharedShiftMs = 17 * hourMs;

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
  const leavesAt = localMidnight + random.between(...vehicle.shiftStart) * hourMs;
  const from = working.sleepsAt(vehicle, day);
  // It does not drive itself to where it is towed.
  const isTowed = vehicle.quirk === "towed" && isSpecialDay(vehicle, day);
  const to = isTowed ? vehicle.bay : working.sleepsAt(vehicle, day + 1);
  const stops = stopsOf(vehicle, from, to, region, random);
  const wanted = stops.map(({ node }) => {
    const stayMs = random.between(...kind.visitMinutes) * minuteMs;
    const keepsRunning = random.chance(kind.keepsRunning) && !isDoubtfulStop(stayMs);
    return { node, stayMs, keepsRunning, refuelL: 0 };
  });
  const longestMs = vehicle.kindName === "shuttle" ? longestSharedShiftMs : longestShiftMs;
  const visits = inTime(from, wanted, to, Math.min(longestMs, beginsAt + dayMs - leavesAt), region);
  return { day, beginsAt, from, leavesAt, visits, to, metres: metresOf(from, visits, to, region) };
}

/** The first visits, as many as leave time for the way home even if all goes slowly. */
function inTime(from: number, visits: readonly Visit[], to: number, longestMs: number, { routes }: Region) {
  const slowMs = (one: number, other: number) => routes.seconds(one, other) * 1000 * slowestTraffic;
  let node = from;
  let ms = breaksMs;
  const count = visits.findIndex((visit) => {
    ms += slowMs(node, visit.node) + visit.stayMs;
    node = visit.node;
    return ms + slowMs(node, to) > longestMs;
  });
  return count < 0 ? visits : visits.slice(0, count);
}

/** A stop of 15 minutes with the engine running separates two trips, so one of about that length would be ambiguous. */
function isDoubtfulStop(stayMs: number): boolean {
  return stayMs > 11 * minuteMs && stayMs < 20 * minuteMs;
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

export type WorkingDays = ReturnType<typeof createWorkingDays>;

/** Which days a vehicle works, and where it spends its nights: known for any day without looking at others. */
export function createWorkingDays(seed: number, firstDay: number, { places }: Region) {
  const pound = places.find(({ kind }) => kind === "pound") as StopPlace;
  const rests = places.filter(({ kind }) => kind === "rest");
  const chanceOf = (purpose: number, { index }: Vehicle, day: number) =>
    mixed(seed, purpose, index, day) / 4_294_967_296;

  const works = (vehicle: Vehicle, day: number): boolean => {
    if (day < firstDay || vehicle.kindName === "container") return false;
    if (vehicle.quirk === "dies" && day > firstDay + 1) return false;
    if (isSpecialDay(vehicle, day) || isFetchedFromPound(vehicle, day)) return true;
    const [weekday, saturday, sunday] = vehicle.kind.works;
    return chanceOf(purposes.works, vehicle, day) < { weekday, saturday, sunday }[dayTypeOf(day)];
  };

  /** The node where the vehicle is when the day begins. */
  const sleepsAt = (vehicle: Vehicle, day: number): number => {
    if (isFetchedFromPound(vehicle, day)) return pound.node;
    const chance = chanceOf(purposes.sleeps, vehicle, day);
    const isAway = chance < vehicle.kind.staysAway && works(vehicle, day - 1) && works(vehicle, day);
    if (!isAway || isSpecialDay(vehicle, day)) return vehicle.bay;
    return rests[Math.floor((chance / vehicle.kind.staysAway) * rests.length)]?.node ?? vehicle.bay;
  };
  return { works, sleepsAt };
}
