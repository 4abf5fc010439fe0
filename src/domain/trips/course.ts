import { metresBetween, type Place } from "../geometry/distance.ts";
import { type Fix, isDriven, type Leg, type Motion } from "../sighting.ts";

/** A frame as the beginning or the end of a trip. */
export interface Mark extends Place {
  readonly at: number;
  readonly odometerKm: number | null;
}

/** What adds up from the first frame of a trip, or of a possible trip, to its last. */
export interface Course {
  readonly last: Mark;
  /** At the last frame. */
  readonly motion: Motion;
  /** The sum of the legs that count. Each is rounded first, so that sums are exact. */
  readonly distanceMm: number;
  readonly idleMs: number;
  readonly positionCount: number;
  readonly maxSpeedKmh: number | null;
  /** The fastest leg, for trackers that report no speed. */
  readonly maxImpliedKmh: number | null;
  /** It was once far enough from its first frame to be more than drift. */
  readonly isAway: boolean;
  readonly hasGap: boolean;
  readonly updatedAt: number;
}

/** A longer leg is a gap: nobody knows what happened in it. */
export const gapMs = 300_000;

/** While nothing leads farther than this, the vehicle stands. */
export const dwellMetres = 50;

/** A trip that was never this far from its start is drift, or a move to another parking space. */
const awayMetres = 100;

/** On a shorter leg the error of two positions (some 20 m) would outweigh the distance: 7 km/h at ten seconds. */
const shortestTimedLegMs = 10_000;

export function markOf({ at, latitude, longitude, odometerKm }: Fix): Mark {
  return { at, latitude, longitude, odometerKm };
}

export function beginCourse(fix: Fix): Course {
  return {
    last: markOf(fix),
    motion: fix.motion,
    distanceMm: 0,
    idleMs: 0,
    positionCount: 1,
    maxSpeedKmh: fix.speedKmh,
    maxImpliedKmh: null,
    isAway: false,
    hasGap: false,
    updatedAt: fix.receivedAt,
  };
}

export function extendCourse(course: Course, start: Mark, leg: Leg): Course {
  const { to, ms } = leg;
  const { speedKmh } = to;
  return {
    last: markOf(to),
    motion: to.motion,
    distanceMm: course.distanceMm + (counts(leg) ? Math.round(leg.metres * 1000) : 0),
    idleMs: course.idleMs + (isIdle(leg) ? ms : 0),
    positionCount: course.positionCount + 1,
    maxSpeedKmh: speedKmh === null ? course.maxSpeedKmh : Math.max(course.maxSpeedKmh ?? 0, speedKmh),
    maxImpliedKmh: ms < shortestTimedLegMs ? course.maxImpliedKmh : Math.max(course.maxImpliedKmh ?? 0, leg.impliedKmh),
    isAway: course.isAway || metresBetween(start, to) >= awayMetres,
    hasGap: course.hasGap || ms > gapMs,
    updatedAt: Math.max(course.updatedAt, to.receivedAt),
  };
}

/** As for mileage. A gap within a trip was driven, whatever its ends report; otherwise the trip would have ended there. */
function counts(leg: Leg): boolean {
  return leg.ms > gapMs || isDriven(leg);
}

/** Standing with the engine running, as far as known. A leg that leads elsewhere is not idle, whatever its ends report. */
function isIdle({ from, to, metres }: Leg): boolean {
  const isStill = from.motion === "still" && to.motion === "still" && metres <= dwellMetres;
  return isStill && from.ignition !== false && to.ignition !== false;
}
