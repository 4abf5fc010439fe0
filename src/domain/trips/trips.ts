import type { TripFact } from "../facts.ts";
import type { Place } from "../geometry/distance.ts";
import type { Fix, Leg, Sighting } from "../sighting.ts";
import { noFacts } from "../step.ts";
import { arrivedOr } from "./arrival.ts";
import { cardWith } from "./drivers.ts";
import { carriedOn, idleBeforeSilence, standing, stepDriving, stepSwitchedOff, stepWithoutFix } from "./driving.ts";
import { deltaBetween, type MileageDelta, noDeltas } from "./mileage-delta.ts";
import { finishedBefore } from "./movement.ts";
import { silenceMs, stillSendingMs, unknownPace } from "./pace.ts";
import { standAt, standPlace } from "./stand.ts";
import { stepStopped, stopAt } from "./stopped.ts";
import { isWorthReporting, tripInProgress, tripOver } from "./trip-fact.ts";
import {
  type Arrived,
  type Driving,
  onlyTripState,
  reachedIn,
  type Stopped,
  type SwitchedOff,
  type TripState,
  type TripStep,
} from "./trip-state.ts";

export type { TripState } from "./trip-state.ts";

export const initialTrips: TripState = { phase: "unknown" };

/** Applies the next frame. It may complete a trip that is worth reporting. */
export function stepTrips(state: TripState, sighting: Sighting): TripStep {
  const step = stepFrom(state, sighting);
  const { state: after } = step;
  const isUnknown = (after.phase === "driving" || after.phase === "switched_off") && after.knownAt === null;
  if (!isUnknown || openTripStart(after) === null) return step;
  return { ...step, state: { ...after, knownAt: sighting.frame.receivedAt } };
}

function stepFrom(state: TripState, sighting: Sighting): TripStep {
  const { frame, leg } = sighting;
  const fix = sighting.isRepeated ? null : sighting.fix;
  switch (state.phase) {
    case "unknown":
      return onlyTripState(fix === null ? state : stopAt(standAt(fix), fix, false, unknownPace));
    case "stopped":
      if (fix === null) return onlyTripState(withCard(state, frame));
      return leg === null ? onlyTripState(stopAt(standAt(fix), fix, false, state.pace)) : stepFromStop(state, fix, leg);
    case "driving":
      return fix === null ? stepWithoutFix(state, frame) : stepDriving(state, fix, leg);
    case "switched_off":
      return fix === null ? stepWithoutFix(state, frame) : stepSwitchedOff(state, fix, leg);
  }
}

/** Some trackers say who drives in a message without a position. */
function withCard(state: Stopped, { recordedAt, driver_id }: Sighting["frame"]): Stopped {
  return driver_id === undefined ? state : { ...state, card: cardWith(state.card, driver_id, recordedAt) };
}

/** A vehicle that left may already stand where it went: a tracker that reports every ten minutes shows no more. */
function stepFromStop(state: Stopped, fix: Fix, leg: Leg): TripStep {
  const { state: after, deltas } = stepStopped(state, leg);
  if (after.phase === "stopped") return { state: after, facts: noFacts, deltas };
  const step = standing(after, null, fix);
  return { ...step, deltas: after.isCarried ? [...deltas, ...step.deltas] : deltas };
}

/**
 * The trip that is not final yet. It is reported once it is worth reporting even if it ended before the present dwell,
 * so a reported trip does not vanish. When the ignition goes off, the trip is reported as over at once; if that was a
 * flicker, it goes on. The same holds for one that has fallen silent (see `silentFrom`), or stands under a roof.
 */
export function openTrip(state: TripState, silentAt: number | null = null): TripFact | null {
  if (openTripStart(state) === null) return null;
  switch (state.phase) {
    case "driving":
      if (state.arrived?.isOver) return arrivedTrip(state, state.arrived);
      if (isSilent(state, silentAt)) return silentTrip(state);
      return tripInProgress(state, state.course, reachedIn(state), state.knownAt ?? state.course.updatedAt);
    case "switched_off":
      return tripOver(state, state.ended, "ignition_off", knownWith(state, state.ended.updatedAt));
    default:
      return null;
  }
}

/** When the trip of `openTrip` started; null if there is none. */
export function openTripStart(state: TripState): number | null {
  switch (state.phase) {
    case "unknown":
    case "stopped":
      return null;
    case "driving":
      return isWorthReporting(state.start, reachedIn(state)) ? state.start.at : null;
    case "switched_off":
      return isWorthReporting(state.start, state.ended) ? state.start.at : null;
  }
}

/** When the present trip started, reported or not; null once the ignition went off. */
export function tripUnderWay(state: TripState): number | null {
  return state.phase === "driving" ? state.start.at : null;
}

/** No trip still to be reported starts before this; null before anything is known. */
export function earliestStart(state: TripState): number | null {
  return state.phase === "unknown" ? null : state.start.at;
}

/** What is still to be added to the mileage comes after this; null before anything is known. */
export function countedUntil(state: TripState): number | null {
  switch (state.phase) {
    case "unknown":
      return null;
    case "stopped":
      return state.leaving?.unseen?.from ?? state.start.at;
    case "driving":
      return state.isCarried ? state.start.at : reachedIn(state).last.at;
    case "switched_off":
      return state.reached.last.at;
  }
}

/** What a trip that is over, but may still go on, adds to the mileage. */
export function openDeltas(state: TripState, silentAt: number | null = null): readonly MileageDelta[] {
  if (state.phase === "driving" && isSilent(state, silentAt)) {
    const final = arrivedOr(state, finishedBefore(silence, state));
    if (state.isCarried) return carriedOn(state.start, final);
    return [...deltaBetween(reachedIn(state), final), ...idleBeforeSilence(state, final)];
  }
  if (state.phase === "driving" && state.isCarried) return carriedOn(state.start, reachedIn(state));
  return state.phase === "switched_off" ? deltaBetween(state.reached, state.ended) : noDeltas;
}

/** If no position comes until then, a trip in progress is over. A clock decides; `silentAt` is that last position. */
export function silentFrom(state: TripState): Silence | null {
  if (state.phase !== "driving" || openTripStart(state) === null || state.arrived?.isOver) return null;
  const { course, pace } = state;
  const silentAt = course.last.at;
  return { at: silentAt + silenceMs(pace), silentAt, notHeardFrom: course.updatedAt + stillSendingMs(pace) };
}

export interface Silence {
  readonly at: number;
  readonly silentAt: number;
  /** A tracker whose clock is hours behind, or that uploads late, is not silent before this: it may be sending. */
  readonly notHeardFrom: number;
}

/** Nobody knows where the vehicle is after it. */
const silence = { isStillThere: false };

/** Its record changed when the silence had lasted long enough. */
function silentTrip(state: Driving): TripFact {
  const { course, pace } = state;
  const updatedAt = Math.max(course.updatedAt, course.last.at + silenceMs(pace));
  const final = arrivedOr(state, finishedBefore(silence, state));
  return tripOver(state, final, "gap", knownWith(state, updatedAt));
}

function arrivedTrip(state: Driving, { course }: Arrived): TripFact {
  return tripOver(state, course, "stationary", knownWith(state, course.updatedAt));
}

/** Every trip that is shown is known. */
function knownWith({ knownAt }: Driving | SwitchedOff, updatedAt: number) {
  return { receivedAt: knownAt ?? updatedAt, updatedAt };
}

/** Frames that came since have ended the silence. */
function isSilent({ course }: Driving, silentAt: number | null): boolean {
  return course.last.at === silentAt;
}

/** Where the vehicle stands; null on a trip, and before anything is known. */
export function stopPlace(state: TripState): Place | null {
  return state.phase === "stopped" ? standPlace(state.stand) : null;
}

/** Whether the present trip has had the ignition off from its start. */
export function isTowed(state: TripState): boolean {
  return state.phase === "driving" && state.isTowed;
}

/** The state of a vehicle that stands, or was just switched off, with nothing that leads away from there. */
export function restIn(state: TripState): Stopped | SwitchedOff | null {
  if (state.phase === "switched_off") return state;
  return state.phase === "stopped" && state.leaving === null ? state : null;
}
