import type { TripEnd, TripFact } from "../facts.ts";
import { type Course, distanceMm, type Mark } from "./course.ts";
import { tripDrivers } from "./drivers.ts";

const minDistanceMm = 200_000;
/** Either is long enough for a trip. */
const minMs = 60_000;
const enoughDistanceMm = 500_000;

/** It stays so as it continues. Without duration a trip would start at the same moment as the next one. */
export function isWorthReporting(start: Mark, course: Course): boolean {
  const ms = course.last.at - start.at;
  const mm = distanceMm(course);
  return course.isAway && mm >= minDistanceMm && (ms >= minMs || (mm >= enoughDistanceMm && ms > 0));
}

/** Where a trip began, and what it is known by. */
interface Begun {
  readonly start: Mark;
  readonly foundAt: number;
  /** Absent once the ignition has been on. */
  readonly isCarried?: boolean;
}

/** When a trip was known, and when it last changed. */
type Known = Pick<TripFact, "receivedAt" | "updatedAt">;

/** A trip in progress, with the distance up to the last place it reached. */
export function tripInProgress(begun: Begun, course: Course, reached: Course, receivedAt: number): TripFact {
  return tripFactOf(begun, course, distanceMm(reached), null, { receivedAt, updatedAt: course.updatedAt });
}

/** A trip that ended with the last frame of its course. `updatedAt`: when the frame that showed it was received. */
export function tripOver(begun: Begun, course: Course, reason: TripEnd, known: Known): TripFact {
  return tripFactOf(begun, course, distanceMm(course), reason, known);
}

function tripFactOf(begun: Begun, course: Course, mm: number, endReason: TripEnd | null, known: Known): TripFact {
  const { start, foundAt, isCarried = false } = begun;
  const { last } = course;
  return {
    kind: "trip",
    foundAt,
    startedAt: start.at,
    endedAt: endReason === null ? null : last.at,
    endReason,
    end: endReason === null ? null : { latitude: last.latitude, longitude: last.longitude },
    start: { latitude: start.latitude, longitude: start.longitude },
    distanceMm: isCarried ? 0 : mm,
    carriedMm: isCarried ? mm : 0,
    durationMs: last.at - start.at,
    idleMs: isCarried ? 0 : course.idleMs,
    maxSpeedKmh: fastestKmh(course, mm, last.at - start.at),
    startOdometerKm: start.odometerKm,
    endOdometerKm: last.odometerKm,
    positionCount: course.positionCount,
    hasGap: course.hasGap,
    ...(course.drove === undefined ? {} : { drivers: tripDrivers(course, start.at, last.at) }),
    receivedAt: known.receivedAt,
    updatedAt: Math.max(known.receivedAt, known.updatedAt),
  };
}

/** Two places show how far it came, not how fast it was. */
const leastPlaces = 3;

/** The highest speed reported. Without one, by the places: no less than on average, however short the trip. */
function fastestKmh({ maxSpeedKmh, maxImpliedKmh, positionCount }: Course, mm: number, ms: number): number | null {
  if (maxImpliedKmh === null && (maxSpeedKmh !== null || positionCount < leastPlaces)) return maxSpeedKmh;
  return Math.max(maxSpeedKmh ?? 0, maxImpliedKmh ?? 0, averageKmh(mm, ms));
}

/** Rounded up as far as it is shown, so that no trip looks slower at its fastest than on average. */
function averageKmh(mm: number, ms: number): number {
  return ms === 0 ? 0 : Math.ceil((mm * 36) / ms) / 10;
}
