import type { TripEnd, TripFact } from "../facts.ts";
import type { Course, Mark } from "./course.ts";

const minDistanceMm = 200_000;
/** Either is long enough for a trip. */
const minMs = 60_000;
const enoughDistanceMm = 500_000;

/**
 * Whether a trip is worth reporting; it stays so as it continues. A trip without duration is not: it would start at the
 * same moment as the next one.
 */
export function isWorthReporting(start: Mark, { last, distanceMm, isAway }: Course): boolean {
  const ms = last.at - start.at;
  return isAway && distanceMm >= minDistanceMm && (ms >= minMs || (distanceMm >= enoughDistanceMm && ms > 0));
}

export function tripInProgress(start: Mark, course: Course): TripFact {
  return factOf(start, course, null, course.updatedAt);
}

/** A trip that ended with the last frame of its course. `updatedAt`: when the frame that showed it was received. */
export function tripOver(start: Mark, course: Course, reason: TripEnd, updatedAt: number): TripFact {
  return factOf(start, course, reason, updatedAt);
}

function factOf(start: Mark, course: Course, endReason: TripEnd | null, updatedAt: number): TripFact {
  const { last } = course;
  return {
    kind: "trip",
    startedAt: start.at,
    endedAt: endReason === null ? null : last.at,
    endReason,
    end: endReason === null ? null : { latitude: last.latitude, longitude: last.longitude },
    start: { latitude: start.latitude, longitude: start.longitude },
    distanceMm: course.distanceMm,
    durationMs: last.at - start.at,
    idleMs: course.idleMs,
    maxSpeedKmh: course.maxSpeedKmh ?? course.maxImpliedKmh,
    startOdometerKm: start.odometerKm,
    endOdometerKm: last.odometerKm,
    positionCount: course.positionCount,
    hasGap: course.hasGap,
    updatedAt,
  };
}
