import type { TripEnd } from "../facts.ts";
import type { Frame } from "../frame.ts";
import { metresBetween } from "../geometry/distance.ts";
import type { Fix, Leg } from "../sighting.ts";
import { noFacts } from "../step.ts";
import { dayMs } from "../time/time.ts";
import { arrivedAfter, arrivedOr, dwellMs } from "./arrival.ts";
import { type Course, distanceMm, dwellMetres, isDrivenUnseen, type Mark, released } from "./course.ts";
import { cardAfter, crewWith } from "./drivers.ts";
import { carriedDelta, deltaBetween, deltaFrom, idleDelta, type MileageDelta, noDeltas } from "./mileage-delta.ts";
import { finished, finishedBefore, lastStand, move, standMs } from "./movement.ts";
import { isGap, type Pace, paceAfter, silenceMs, slowestBridgeKmh, slowGapMs } from "./pace.ts";
import { isCreeping, standAt } from "./stand.ts";
import { stopAt, stopBefore } from "./stopped.ts";
import { isWorthReporting, tripOver } from "./trip-fact.ts";
import {
  type Driving,
  type Movement,
  onlyTripState,
  reachedIn,
  type SwitchedOff,
  type TripStep,
} from "./trip-state.ts";

/** A vehicle that creeps in a queue is given this long, if its ignition is not known. */
const longestQueueMs = 300_000;

/** A vehicle that stands under a roof for longer has been parked. */
const longestWaveringMs = dayMs;

/** Starting an engine interrupts the ignition for a moment. */
const flickerMs = 30_000;
const flickerMetres = 100;

export function stepDriving(state: Driving, fix: Fix, leg: Leg | null): TripStep {
  const { start, foundAt, knownAt } = state;
  const reached = reachedIn(state);
  if (leg === null) {
    const updatedAt = Math.max(state.course.updatedAt, fix.receivedAt);
    const end = ended(state, reached, arrivedOr(state, finished(state)), "discontinuity", fix, updatedAt);
    return { state: stopAt(standAt(fix), fix, false, state.pace), ...end };
  }
  if (isStopOverGap(leg, state.pace)) return endBeforeGap(state, leg);
  const pace = paceAfter(state.pace, leg);
  const movement = move(state, start, leg, state.pace);
  const ignition = fix.ignition ?? state.ignition;
  if (ignition === false && state.ignition !== false) {
    return onlyTripState({
      phase: "switched_off",
      pace,
      start,
      foundAt,
      knownAt,
      reached,
      ended: finished(movement),
      movement,
    });
  }
  const isTowed = state.isTowed && ignition !== true;
  const isCarried = state.isCarried && ignition !== true;
  // Each by name: a spread takes a fortieth of the time that a frame does.
  const next: Driving = {
    phase: "driving",
    pace,
    start,
    foundAt,
    knownAt,
    isTowed,
    isCarried,
    ignition,
    arrived: arrivedAfter(state, movement, ignition === true),
    course: movement.course,
    dwell: movement.dwell,
    stand: movement.stand,
    isAtRest: movement.isAtRest,
    leaving: movement.leaving,
  };
  // Its own engine drives it: all of the trip counts as driven.
  return standing(next, state.isCarried && !isCarried ? "start" : reached, fix);
}

/** The trip is over if the vehicle has stood for long enough. `before` is up to where its way is counted; null: all of it is. */
export function standing(state: Driving, before: Course | "start" | null, fix: Fix): TripStep {
  const { course, dwell, ignition, pace } = state;
  const deltas = before === null ? noDeltas : progress(state, before);
  const isOver = (state.leaving === null && hasStood(state, fix)) || hasWaveredForLong(state);
  if (!isOver) return { state, facts: noFacts, deltas };
  const final = arrivedOr(state, released(dwell));
  const end = ended(state, reachedIn(state), final, "stationary", fix, course.updatedAt);
  const idle = ignition === true ? idleSince(final, course) : noDeltas;
  const all = [...deltas, ...end.deltas, ...idle];
  const card = cardAfter(course, final.last.at);
  return { state: stopAt(state.stand, fix, false, pace, card), facts: end.facts, deltas: all };
}

/** What is carried counts when it is over: until then the ignition may come on. */
function progress(state: Driving, before: Course | "start"): readonly MileageDelta[] {
  const { start, isCarried } = state;
  if (isCarried) return noDeltas;
  return before === "start" ? deltaFrom(start, reachedIn(state)) : deltaBetween(before, reachedIn(state));
}

/** As long as it may drive on, the days since are not final. */
function hasWaveredForLong({ arrived, course }: Driving): boolean {
  return arrived?.isOver === true && course.last.at - arrived.course.last.at > longestWaveringMs;
}

function hasStood({ dwell, ignition, stand }: Driving, fix: Fix): boolean {
  const ms = fix.at - dwell.last.at;
  if (ignition === true) return ms >= dwellMs;
  return ms >= standMs && (ms >= longestQueueMs || !isCreeping(stand, fix));
}

/** What a vehicle stood with the engine running after its trip counts for the day, as it does at any stop. */
function idleSince(dwell: Course, course: Course): readonly MileageDelta[] {
  const idleMs = course.idleMs - dwell.idleMs;
  return idleMs === 0 ? noDeltas : idleDelta(dwell.last.at, course.last.at, idleMs);
}

export function stepSwitchedOff(state: SwitchedOff, fix: Fix, leg: Leg | null): TripStep {
  const { start, pace, reached, movement } = state;
  const { last, updatedAt } = state.ended;
  if (leg !== null && fix.at - last.at < flickerMs) {
    if (fix.ignition !== true) {
      return onlyTripState({ ...state, pace: paceAfter(pace, leg), movement: move(movement, start, leg, pace) });
    }
    if (metresBetween(last, fix) < flickerMetres) {
      const step = stepDriving(switchedOnAgain(state), fix, leg);
      return { ...step, deltas: [...deltaBetween(reached, movement.dwell), ...step.deltas] };
    }
  }
  const end = ended(state, reached, state.ended, "ignition_off", fix, updatedAt);
  if (leg === null) return { state: stopAt(standAt(fix), fix, true, pace), ...end };
  const card = cardAfter(movement.course, last.at);
  const after = stopBefore(leg, last.at, lastStand(movement), true, pace, card);
  return { state: after.state, facts: end.facts, deltas: [...end.deltas, ...after.deltas] };
}

/** Without a position only the ignition changes. After a gap nobody knows when: the trip ended with its last position. */
export function stepWithoutFix(
  before: Driving | SwitchedOff,
  frame: Pick<Frame, "recordedAt" | "receivedAt" | "ignition" | "driver_id">,
): TripStep {
  const state = withDriver(before, frame);
  if (state.phase === "switched_off") {
    const isFlicker = frame.ignition === true && frame.recordedAt - state.ended.last.at < flickerMs;
    if (!isFlicker) return onlyTripState(state);
    const movement = changedAt(state.movement, frame.receivedAt);
    const deltas = deltaBetween(state.reached, movement.dwell);
    return { ...onlyTripState(switchedOnAgain({ ...state, movement })), deltas };
  }
  if (frame.ignition === true && state.isTowed) {
    const driven: Driving = { ...state, isTowed: false, isCarried: false };
    return { ...onlyTripState(driven), deltas: state.isCarried ? deltaFrom(state.start, reachedIn(state)) : noDeltas };
  }
  if (frame.ignition !== false || state.ignition === false) return onlyTripState(state);
  const { start, foundAt, knownAt, pace, course, dwell, stand, isAtRest, leaving } = state;
  const movement: Movement = { course, dwell, stand, isAtRest, leaving };
  const final = finished(movement);
  const isAfterGap = isGap(frame.recordedAt - final.last.at, pace);
  const last: Mark = isAfterGap ? final.last : { ...final.last, at: frame.recordedAt };
  const ended: Course = { ...final, last, updatedAt: Math.max(final.updatedAt, frame.receivedAt) };
  const reached = reachedIn(state);
  return onlyTripState({ phase: "switched_off", pace, start, foundAt, knownAt, reached, ended, movement });
}

/** Some trackers say who drives in a message without a position. It counts once the trip goes on. */
function withDriver<State extends Driving | SwitchedOff>(
  state: State,
  { recordedAt, driver_id }: Pick<Frame, "recordedAt" | "driver_id">,
): State {
  if (driver_id === undefined) return state;
  const driven = (along: Course): Course => ({ ...along, ...crewWith(along, driver_id, recordedAt) });
  const boarded = ({ course, leaving }: Movement) => {
    return { course: driven(course), leaving: leaving && { ...leaving, course: driven(leaving.course) } };
  };
  if (state.phase === "driving") return { ...state, ...boarded(state) };
  return { ...state, movement: { ...state.movement, ...boarded(state.movement) } };
}

/** A frame without a position is no part of the way, but it changed the trip. */
function changedAt(movement: Movement, receivedAt: number): Movement {
  const { course, leaving } = movement;
  const changed = (along: Course): Course => ({ ...along, updatedAt: Math.max(along.updatedAt, receivedAt) });
  return { ...movement, course: changed(course), leaving: leaving && { ...leaving, course: changed(leaving.course) } };
}

function switchedOnAgain({ pace, start, foundAt, knownAt, movement }: SwitchedOff): Driving {
  return {
    phase: "driving",
    pace,
    start,
    foundAt,
    knownAt,
    isTowed: false,
    isCarried: false,
    ignition: true,
    arrived: null,
    ...movement,
  };
}

function endBeforeGap(state: Driving, leg: Leg): TripStep {
  const updatedAt = Math.max(state.course.updatedAt, leg.to.receivedAt);
  const final = arrivedOr(state, finishedBefore({ isStillThere: leg.metres <= dwellMetres }, state));
  const reason = state.arrived?.isOver ? "stationary" : "gap";
  const end = ended(state, reachedIn(state), final, reason, leg.to, updatedAt);
  const card = cardAfter(state.course, final.last.at);
  const after = stopBefore(leg, leg.from.at, lastStand(state), false, state.pace, card);
  const idle = idleBeforeSilence(state, final);
  return { state: after.state, facts: end.facts, deltas: [...end.deltas, ...idle, ...after.deltas] };
}

function isCarriedTrip(state: Driving | SwitchedOff): boolean {
  return state.phase === "driving" && state.isCarried;
}

/** What a carried trip adds to the mileage. */
export function carriedOn(start: Mark, course: Course): readonly MileageDelta[] {
  return carriedDelta(start.at, course.last.at, distanceMm(course));
}

/** What a vehicle stood with the engine running at the end of its trip, until it fell silent. */
export function idleBeforeSilence({ ignition, course }: Driving, final: Course): readonly MileageDelta[] {
  return ignition === true && final.last.at < course.last.at ? idleSince(final, course) : noDeltas;
}

/** Whether a trip ended where a leg began. Trackers do not fall silent with the ignition on: a gap ends it even then. */
function isStopOverGap(leg: Leg, pace: Pace): boolean {
  const { from, to, metres, ms, impliedKmh } = leg;
  if (ms < standMs || isDrivenUnseen(leg)) return false;
  if (ms > silenceMs(pace)) return true;
  const isOn = from.ignition === true && to.ignition === true;
  if (ms > slowGapMs(pace, isOn) && impliedKmh < slowestBridgeKmh) return true;
  return metres <= dwellMetres && ms >= (isOn ? dwellMs : standMs);
}

/** A trip that was not worth reporting until now is known by the frame that ends it. */
function ended(
  state: Driving | SwitchedOff,
  reached: Course,
  course: Course,
  reason: TripEnd,
  { receivedAt }: Fix,
  updatedAt: number,
) {
  const { start, knownAt } = state;
  const known = { receivedAt: knownAt ?? receivedAt, updatedAt };
  const facts = isWorthReporting(start, course) ? [tripOver(state, course, reason, known)] : noFacts;
  const deltas = isCarriedTrip(state) ? carriedOn(state.start, course) : deltaBetween(reached, course);
  return { facts, deltas };
}
