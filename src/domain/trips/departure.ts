import { metresBetween, type Place, toMm } from "../geometry/distance.ts";
import type { Fix, Leg } from "../sighting.ts";
import { awayMetres, beginCourse, type Course, type Mark, markOf } from "./course.ts";
import { crewWith } from "./drivers.ts";
import { isGap, longestUnseenStartMs, type Pace, silenceMs, slowestBridgeKmh, usualMs } from "./pace.ts";
import { fastestUnseenKmh, isUnseen } from "./unseen.ts";

/** Where a trip started, and its course up to the frame that first showed it. */
export interface Departure {
  readonly start: Mark;
  readonly course: Course;
  /** It drove unseen before that. */
  readonly isUnseen: boolean;
}

/** On shorter legs, the frame before is as good a start as any moment after it. */
const shortestTimedMs = 15_000;

/** A tracker that has sent nothing for this long may have slept. */
const sleepMs = 300_000;
const wakingMs = 60_000;

/** To reach its speed, a vehicle takes this much longer than if it had had it from the start. */
const startingMs = 5_000;
/** A speed reported at a light, or none, says nothing: then it is that of a town. */
const leastKmh = 10;
const townKmh = 30;

/**
 * The departure of a vehicle that stood at a place until this leg. It left at some moment of the leg: as long before its
 * end as the way takes at its present speed. If the leg is longer than usual for this tracker and the way takes longer,
 * too, nobody knows when it left, unless it was driven for most of the leg: the trip starts where it is seen.
 */
export function departOn(leg: Leg, stop: Place, pace: Pace): Departure {
  const { from, to, ms } = leg;
  const metres = metresBetween(stop, to);
  const travelMs = travelTimeMs(metres, leg);
  const longestMs = longestStartMs(leg, pace);
  const isLong = ms > longestMs && travelMs > longestMs;
  if (isLong && !isDrivenOn(leg, pace)) return { ...departAt(to), isUnseen: true };
  const travelledMs = ms < shortestTimedMs ? ms : Math.min(ms, travelMs);
  const { latitude, longitude } = stop;
  const start: Mark = { at: to.at - travelledMs, latitude, longitude, odometerKm: from.odometerKm };
  const isAway = metres >= awayMetres;
  const hasGap = isLong && isGap(ms, pace);
  const drivingMs = hasGap ? 0 : travelledMs;
  const gapMm = isLong && isUnseen(ms, pace) ? toMm(metres) : 0;
  // A frame at the very start is a position of the trip.
  const isAtStart = start.at === from.at;
  const positionCount = isAtStart ? 2 : 1;
  const boarded = crewWith({}, isAtStart ? from.driverId : undefined, from.at);
  const crew = crewWith(boarded, to.driverId, to.at);
  // Nothing shows the way but the straight line: both speeds do not, since it stood for some of the time.
  const mm = toMm(metres);
  const way = { chordMm: mm, trapezoidMm: mm, longestMm: mm, mostMm: mm, slackMm: 0 };
  const course = { ...beginCourse(to), ...way, gapMm, drivingMs, positionCount, isAway, hasGap, ...crew };
  return { start, course, isUnseen: false };
}

/** A tracker that knows of the ignition reports at once that it came on; one that slept wakes soon. */
function longestStartMs({ from, to, ms }: Leg, pace: Pace): number {
  const usualLongestMs = longestUnseenStartMs(pace);
  if (pace.length === 0) return usualLongestMs;
  if (from.ignition === false && to.ignition === true) return Math.max(shortestTimedMs, 1.5 * usualMs(pace));
  return ms > sleepMs ? Math.max(wakingMs, 2.5 * usualMs(pace)) : usualLongestMs;
}

/** Whether a trip would go on over such a leg. Then one may as well begin in it: it was driven for most of it. */
function isDrivenOn({ to, ms, impliedKmh }: Leg, pace: Pace): boolean {
  return (
    to.ignition !== false && ms <= silenceMs(pace) && impliedKmh >= slowestBridgeKmh && impliedKmh <= fastestUnseenKmh
  );
}

/** A departure at the frame itself. */
export function departAt(fix: Fix): Departure {
  return { start: markOf(fix), course: beginCourse(fix), isUnseen: false };
}

function travelTimeMs(metres: number, { to, impliedKmh }: Leg): number {
  const kmh = to.speedKmh !== null && to.speedKmh >= leastKmh ? to.speedKmh : Math.max(townKmh, impliedKmh);
  return Math.round((metres / kmh) * 3600) + startingMs;
}
