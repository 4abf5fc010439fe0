import { formatInstant } from "../../domain/time.ts";
import type { Identity } from "../fleet/records.ts";
import { MotionReader } from "../motion/motion.ts";
import type { Drive, Timeline } from "../motion/timeline.ts";
import { dayMs, dayOf } from "../plan/calendar.ts";
import { flightOn, isSpecialDay, lastSignOfLifeMs, punctureOf } from "../plan/special-days.ts";
import { nominalKpa, puncturedTyre } from "../tracker/sensors.ts";
import type { VehicleDays } from "../vehicle-days.ts";
import { FenceWatch, type TrueFence } from "./crossings.ts";
import { trueTrips } from "./trips.ts";
import type { Fault, TrueFuelEvent, TrueTyreEvent, VehicleTruth } from "./truth.ts";

/** What happened to one vehicle from a moment on until another. What has a duration belongs to where it begins. */
export function vehicleTruth(
  days: VehicleDays,
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
  const watches = fences
    .filter(({ vehicles }) => vehicles.has(days.vehicle.index))
    .map((fence) => new FenceWatch(fence));
  for (const watch of watches) for (const drive of drives) watch.follow(drive);
  return {
    imei,
    name,
    kmByDay: kmByDay(drives, from, until),
    trips: trueTrips(activities, days.vehicle.knowsIgnition).filter(({ startedAt }) => isWithin(startedAt)),
    crossings: watches
      .flatMap((watch) => watch.crossings())
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
  return Object.fromEntries(
    [...metres].map(([day, driven]) => [formatInstant(day * dayMs).slice(0, "2026-03-14".length), driven / 1000]),
  );
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

function tyreEvents({ vehicle }: VehicleDays, timelines: readonly Timeline[]): TrueTyreEvent[] {
  if (vehicle.quirk !== "puncture") return [];
  return timelines
    .filter(({ day }) => isSpecialDay(vehicle, day))
    .map(({ day }) => ({ kind: "slow_puncture", ...puncturedTyre, ...punctureOf(day, nominalKpa / 5) }));
}

function rareFaults({ vehicle, firstDayAt }: VehicleDays, day: number, until: number): Fault[] {
  const flight = flightOn(vehicle, day);
  if (flight !== null) return [{ kind: "shipped_abroad", ...flight, frames: [] }];
  const silentFrom = firstDayAt + lastSignOfLifeMs;
  const isLastDay = vehicle.quirk === "dies" && dayOf(silentFrom) === day;
  return isLastDay ? [{ kind: "silent", at: silentFrom, until: Math.max(silentFrom, until), frames: [] }] : [];
}
