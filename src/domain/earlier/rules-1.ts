import { noTrail } from "../motion.ts";
import type { Chain } from "../quality/chains.ts";
import { type Foothold, firmSupport } from "../quality/footing.ts";
import type { JudgeState, PendingFrame } from "../quality/judge-state.ts";
import { countsSatellites } from "../quality/own-verdict.ts";
import type { Waypoint } from "../quality/waypoint.ts";
import { dayMs } from "../time/time.ts";
import { type Course, type Mark, markOf } from "../trips/course.ts";
import { unknownPace } from "../trips/pace.ts";
import { standAt } from "../trips/stand.ts";
import type { Movement, TripState } from "../trips/trip-state.ts";
import { type DayTally2, mileageFrom2 } from "./rules-2.ts";
import type { Mileage3, Snapshot3 } from "./rules-3.ts";
import { knownByNow } from "./times-of-receipt.ts";

/** What the rules of 1.0.0 stored of a device. Parts that have the same form now are not spelt out. */
export interface Snapshot1 {
  readonly judge: EarlierJudgeState;
  readonly stages: Omit<Snapshot3["stages"], "trail" | "trips" | "mileage"> & {
    readonly trips: TripState1;
    readonly mileage: Mileage1;
  };
}

interface Mileage1 {
  readonly reading: Mileage3["reading"];
  /** Days were UTC days. */
  readonly held: Omit<DayTally2, "endsAt"> | null;
  readonly current: Omit<DayTally2, "endsAt"> | null;
}

interface Course1
  extends Pick<
    Course,
    "last" | "idleMs" | "positionCount" | "maxSpeedKmh" | "maxImpliedKmh" | "isAway" | "hasGap" | "updatedAt"
  > {
  readonly distanceMm: number;
}

type TripState1 =
  | { readonly phase: "unknown" }
  | {
      readonly phase: "stopped";
      readonly stop: { readonly latitude: number; readonly longitude: number };
      readonly isIgnitionOff: boolean;
      readonly start: Mark;
      readonly course: Course1;
    }
  | {
      readonly phase: "driving";
      readonly start: Mark;
      readonly isTowed: boolean;
      readonly ignition: boolean | null;
      readonly course: Course1;
    }
  | { readonly phase: "switched_off"; readonly start: Mark; readonly ended: Course1; readonly course: Course1 };

export function fromRules1({ judge, stages }: Snapshot1): Snapshot3 {
  const { previous, live, crossings, alerts } = stages;
  const trips = tripsFrom1(stages.trips);
  const mileage = mileageFrom1(stages.mileage);
  return {
    judge: judgeFromEarlierRules(judge),
    stages: { previous, trail: noTrail, live, trips, crossings, mileage, alerts },
  };
}

/** All that was driven so far is in the mileage already, so the course is taken to have reached its last frame. */
function tripsFrom1(state: TripState1): TripState {
  switch (state.phase) {
    case "unknown":
      return state;
    case "stopped": {
      const { isIgnitionOff, start, course } = state;
      const stand = standAt({ ...state.stop, at: start.at });
      const none = { ...courseFrom1(course, start), settledMm: 0, drivingMs: 0, idleMs: 0 };
      return { phase: "stopped", pace: unknownPace, stand, isIgnitionOff, start, course: none, leaving: null };
    }
    case "driving": {
      const { start, isTowed, ignition } = state;
      const movement = movementFrom1(courseFrom1(state.course, start));
      const pace = unknownPace;
      return knownByNow({ phase: "driving", pace, start, knownAt: null, isTowed, ignition, ...movement });
    }
    case "switched_off": {
      const { start } = state;
      const ended = courseFrom1(state.ended, start);
      const movement = movementFrom1(courseFrom1(state.course, start));
      const pace = unknownPace;
      return knownByNow({ phase: "switched_off", pace, start, knownAt: null, reached: ended, ended, movement });
    }
  }
}

function movementFrom1(course: Course): Movement {
  return { course, dwell: course, stand: standAt(course.last), isAtRest: false, leaving: null };
}

function courseFrom1({ distanceMm, ...course }: Course1, start: Mark): Course {
  const { latitude, longitude } = course.last;
  return {
    last: markOf(course.last),
    corner: { latitude, longitude },
    settledMm: distanceMm,
    pathMm: 0,
    speedMm: 0,
    chordMm: 0,
    trapezoidMm: 0,
    longestMm: 0,
    mostMm: 0,
    gapMm: 0,
    roaming: null,
    drivingMs: Math.max(0, course.last.at - start.at - course.idleMs),
    idleMs: course.idleMs,
    positionCount: course.positionCount,
    maxSpeedKmh: course.maxSpeedKmh,
    maxImpliedKmh: course.maxImpliedKmh,
    isAway: course.isAway,
    hasGap: course.hasGap,
    updatedAt: course.updatedAt,
  };
}

function mileageFrom1({ reading, held, current }: Mileage1): Mileage3 {
  const days: DayTally2[] = [];
  if (held !== null) days.push({ ...held, endsAt: (held.day + 1) * dayMs });
  if (current !== null) days.push({ ...current, endsAt: null });
  return mileageFrom2({ reading, days });
}

type EarlierWaypoint = Omit<Waypoint, "paceKmh">;

interface EarlierFoothold extends EarlierWaypoint {
  /** Nothing near it in time supports it. */
  readonly isAlone: boolean;
  /** It does not follow from the one before. */
  readonly isElsewhere: boolean;
}

/** A state as the first rules stored it. */
export interface EarlierJudgeState {
  readonly anchor: EarlierFoothold | null;
  readonly prev: EarlierFoothold | null;
  readonly chains: readonly (Omit<Chain, "last"> & { readonly last: EarlierWaypoint })[];
  readonly pending: readonly PendingFrame[];
}

/** What the first rules did not remember is unknown: a second tracker, pace, a stuck speed, and mostly whether satellites are counted. */
export function judgeFromEarlierRules(earlier: EarlierJudgeState): JudgeState {
  const { anchor, prev, chains, pending } = earlier;
  return {
    anchor: anchor && foothold(anchor),
    prev: prev && foothold(prev),
    base: anchor?.isAlone && prev !== null ? foothold(prev) : null,
    chains: chains.map(({ id, firstAt, frames, last }) => ({ id, firstAt, frames, last: waypoint(last) })),
    rival: null,
    zeroRun: null,
    countsSatellites: pending.some(({ frame }) => countsSatellites(frame)),
    pending,
  };
}

function waypoint({ at, latitude, longitude, speedKmh, accuracyM }: EarlierWaypoint): Waypoint {
  return { at, latitude, longitude, speedKmh, accuracyM, paceKmh: null };
}

function foothold({ isAlone, isElsewhere, ...rest }: EarlierFoothold): Foothold {
  return { ...waypoint(rest), support: isAlone ? 1 : firmSupport, isDiscontinuity: isElsewhere };
}
