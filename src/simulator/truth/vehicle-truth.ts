import { type FenceArea, prepareFence, signedDistanceMetres } from "../../domain/geometry/fence-area.ts";
import { readFenceShape } from "../../domain/geometry/fence-shape.ts";
import { dateOfDay, dayMs, dayOf } from "../../domain/time/time.ts";
import type { SimulatedFence } from "../fleet/fences.ts";
import type { Identity } from "../fleet/records.ts";
import { MotionReader } from "../motion/motion.ts";
import { RouteReader } from "../motion/route-reader.ts";
import type { Drive, Stay, Timeline } from "../motion/timeline.ts";
import { flightOn, isSpecialDay, lastSignOfLifeMs, punctureOf } from "../plan/special-days.ts";
import { nominalKpa, puncturedTyre } from "../tracker/sensors.ts";
import type { SimulatedDays } from "../vehicle-days.ts";
import type { Fault, TrueCrossing, TrueFuelEvent, TrueTrip, TrueTyreEvent, VehicleTruth } from "./truth.ts";

/** What happened to one vehicle from a moment on until another. What has a duration belongs to where it begins. */
export function vehicleTruth(
  days: SimulatedDays,
  { imei, name }: Identity,
  fences: readonly TrueFence[],
  from: number,
  until: number,
): VehicleTruth {
  const isWithin = (at: number) => at >= from && at < until;
  const timelines: Timeline[] = [];
  const faults: Fault[] = [];
  const events: { readonly type: string; readonly at: number }[] = [];
  for (let day = days.dayAt(from); days.beginsAt(day) < until; day++) {
    timelines.push(days.timeline(day));
    const sent = days.sent(day);
    faults.push(...sent.faults, ...rareFaults(days, day, until));
    events.push(...sent.events);
  }
  const activities = timelines.flatMap((timeline) => timeline.activities);
  const drives = activities.filter((activity) => activity.kind === "drive");
  return {
    imei,
    name,
    kmByDay: kmByDay(drives, from, until),
    trips: trueTrips(activities, days.vehicle.knowsIgnition).filter(({ startedAt }) => isWithin(startedAt)),
    crossings: fences
      .filter(({ vehicles }) => vehicles.has(days.vehicle.index))
      .flatMap((fence) => crossingsOf(fence, drives))
      .filter(({ at }) => isWithin(at))
      .sort((one, other) => one.at - other.at),
    fuel: fuelEvents(timelines, days.vehicle.hasFuelSensor).filter(({ at }) => isWithin(at)),
    tyres: tyreEvents(days, timelines).filter(({ at }) => isWithin(at)),
    events: events.filter(({ at }) => isWithin(at)),
    faults: faults.filter(({ at }) => isWithin(at)).sort((one, other) => one.at - other.at),
  };
}

function kmByDay(drives: readonly Drive[], from: number, until: number): Record<string, number> {
  const metres = new Map<number, number>();
  for (const drive of drives) {
    if (drive.isTowed) continue;
    for (let day = dayOf(drive.startsAt); day * dayMs < drive.endsAt; day++) {
      const driven = metresWithin(drive, Math.max(from, day * dayMs), Math.min(until, (day + 1) * dayMs));
      if (driven > 0) metres.set(day, (metres.get(day) ?? 0) + driven);
    }
  }
  return Object.fromEntries([...metres].map(([day, driven]) => [dateOfDay(day), driven / 1000]));
}

function metresWithin({ startsAt, motion }: Drive, from: number, until: number): number {
  const reader = new MotionReader(motion);
  const before = reader.wayAt(Math.max(0, (from - startsAt) / 1000));
  return until <= from ? 0 : reader.wayAt(Math.max(0, (until - startsAt) / 1000)) - before;
}

function fuelEvents(timelines: readonly Timeline[], isMeasured: boolean): TrueFuelEvent[] {
  return timelines.flatMap(({ activities }) =>
    activities.flatMap((activity): TrueFuelEvent[] => {
      if (activity.kind === "drive" || activity.fuelChange === null) return [];
      const { litres, from } = activity.fuelChange;
      const type = litres > 0 ? "refill" : "theft";
      return [{ type, at: Math.round(from), litres: Math.abs(litres), isMeasured }];
    }),
  );
}

function tyreEvents({ vehicle }: SimulatedDays, timelines: readonly Timeline[]): TrueTyreEvent[] {
  if (vehicle.quirk !== "puncture") return [];
  return timelines
    .filter(({ day }) => isSpecialDay(vehicle, day))
    .map(({ day }) => ({ kind: "slow_puncture", ...puncturedTyre, ...punctureOf(day, nominalKpa / 5) }));
}

function rareFaults({ vehicle, firstDayAt }: SimulatedDays, day: number, until: number): Fault[] {
  const flight = flightOn(vehicle, day);
  if (flight !== null) return [{ kind: "shipped_abroad", ...flight, frames: [] }];
  const silentFrom = firstDayAt + lastSignOfLifeMs;
  const isLastDay = vehicle.quirk === "dies" && dayOf(silentFrom) === day;
  return isLastDay ? [{ kind: "silent", at: silentFrom, until: Math.max(silentFrom, until), frames: [] }] : [];
}

/** A stop with the engine running, shorter than this, is part of a trip: a delivery at the kerb, a level crossing. */
const shortestRunningStopMs = 900_000;
/** If the engine's state is unknown. */
const shortestStopMs = 180_000;

/** From stop to stop: where the engine is off, or the vehicle stands for 15 minutes (3 if the engine is unknown). */
function trueTrips(activities: readonly (Stay | Drive)[], knowsIgnition: boolean): TrueTrip[] {
  const trips: TrueTrip[] = [];
  let isOn = false;
  for (const activity of activities) {
    if (activity.kind === "stay") {
      if (endsTrip(activity, knowsIgnition)) isOn = false;
      continue;
    }
    const { startsAt, endsAt, motion, isTowed } = activity;
    const last = trips.at(-1);
    const km = motion.metres / 1000;
    const endedAt = Math.round(endsAt);
    if (isOn && last !== undefined) trips[trips.length - 1] = { ...last, endedAt, km: last.km + km };
    else trips.push({ startedAt: Math.round(startsAt), endedAt, km, isTowed });
    isOn = true;
  }
  return trips;
}

function endsTrip({ from, until, offAt }: Stay, knowsIgnition: boolean): boolean {
  if (!knowsIgnition) return until - from >= shortestStopMs;
  return offAt < until || until - from >= shortestRunningStopMs;
}

interface TrueFence {
  readonly id: string;
  readonly name: string;
  readonly area: FenceArea;
  readonly vehicles: ReadonlySet<number>;
}

export function trueFences(fences: readonly SimulatedFence[]): readonly TrueFence[] {
  return fences.map((fence) => {
    const { shape } = readFenceShape(fence);
    if (shape === null) throw new Error(`${fence.name} is no fence`);
    return { id: fence.id, name: fence.name, area: prepareFence(shape), vehicles: new Set(fence.vehicles) };
  });
}

/** The step along the way near an edge. */
const finestStepMetres = 2;

/**
 * The crossings of one fence on the ways of a vehicle. Skips as far as the edge is away: so none is missed, unless an edge is
 * crossed twice within two metres.
 */
function crossingsOf({ id, name, area }: TrueFence, drives: readonly Drive[]): TrueCrossing[] {
  const found: { readonly type: "enter" | "exit"; readonly at: number; readonly before: number }[] = [];
  let isInside: boolean | null = null;
  /** How far from the edge it came since the last crossing. */
  let farthest = 0;
  for (const { startsAt, route, motion } of drives) {
    const road = new RouteReader(route);
    const reader = new MotionReader(motion);
    let metres = 0;
    let distance = signedDistanceMetres(area, road);
    isInside ??= distance <= 0;
    farthest = Math.max(farthest, Math.abs(distance));
    while (metres < motion.metres) {
      const next = Math.min(motion.metres, metres + Math.max(finestStepMetres, Math.abs(distance)));
      road.moveTo(next);
      const nextDistance = signedDistanceMetres(area, road);
      if (nextDistance <= 0 !== isInside) {
        const part = Math.abs(distance) / (Math.abs(distance) + Math.abs(nextDistance) || 1);
        const at = startsAt + reader.timeAt(metres + (next - metres) * part) * 1000;
        found.push({ type: isInside ? "exit" : "enter", at: Math.round(at), before: farthest });
        isInside = !isInside;
        farthest = 0;
      }
      farthest = Math.max(farthest, Math.abs(nextDistance));
      [metres, distance] = [next, nextDistance];
    }
  }
  return found.map(({ type, at, before }, index) => {
    const after = found[index + 1]?.before ?? farthest;
    return { fenceId: id, fenceName: name, type, at, clearMetres: Math.min(before, after) };
  });
}
