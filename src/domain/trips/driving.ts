import type { TripEnd, TripFact } from "../facts.ts";
import { metresBetween } from "../geometry/distance.ts";
import type { Fix, Leg } from "../sighting.ts";
import { noFacts, onlyState, type Step } from "../step.ts";
import { type Course, dwellMetres, extendCourse, gapMs, type Mark } from "./course.ts";
import { stopAt, stopOrLeave } from "./stopped.ts";
import { isWorthReporting, tripOver } from "./trip-fact.ts";
import type { Driving, SwitchedOff, TripState } from "./trip-state.ts";

/** With the engine running, a trip continues through a jam or a delivery this long. */
const dwellMs = 900_000;
/** If the ignition is unknown. */
const unknownIgnitionDwellMs = 180_000;

/** Over a gap, slower than this is a stop with some driving, faster is an unseen drive. */
const slowestBridgeKmh = 10;
const longestBridgeMs = 3_600_000;

/** Starting an engine interrupts the ignition for a moment. */
const flickerMs = 30_000;
const flickerMetres = 100;

export function stepDriving(state: Driving, fix: Fix, leg: Leg | null): Step<TripState, TripFact> {
  const { start } = state;
  if (leg === null || isStopOverGap(leg)) {
    const after = leg === null ? stopAt(fix, fix, false) : stopOrLeave(state.course.last, leg, false);
    const updatedAt = Math.max(state.course.updatedAt, fix.receivedAt);
    return { state: after, facts: ended(start, state.course, leg === null ? "discontinuity" : "gap", updatedAt) };
  }
  const course = extendCourse(state.course, start, leg);
  const ignition = fix.ignition ?? state.ignition;
  const dwell = stays(state.dwell, fix, ignition) ? state.dwell : course;
  if (ignition === false && state.ignition !== false) {
    return onlyState({ phase: "switched_off", start, ended: course, course, dwell });
  }
  if (dwell !== course && fix.at - dwell.last.at >= (ignition === true ? dwellMs : unknownIgnitionDwellMs)) {
    return { state: stopAt(dwell.last, fix, false), facts: ended(start, dwell, "stationary", course.updatedAt) };
  }
  const isTowed = state.isTowed && ignition !== true;
  return onlyState({ phase: "driving", start, isTowed, ignition, course, dwell });
}

export function stepSwitchedOff(state: SwitchedOff, fix: Fix, leg: Leg | null): Step<TripState, TripFact> {
  const { start } = state;
  const { last, updatedAt } = state.ended;
  if (leg !== null && fix.at - last.at < flickerMs) {
    if (fix.ignition !== true) {
      const course = extendCourse(state.course, start, leg);
      const dwell = stays(state.dwell, fix, true) ? state.dwell : course;
      return onlyState({ phase: "switched_off", start, ended: state.ended, course, dwell });
    }
    if (metresBetween(last, fix) < flickerMetres) return stepDriving(switchedOnAgain(state), fix, leg);
  }
  const after = leg === null ? stopAt(fix, fix, true) : stopOrLeave(last, leg, true);
  return { state: after, facts: ended(start, state.ended, "ignition_off", updatedAt) };
}

/**
 * What a frame without a position changes: only the ignition, at the last known place. After a gap nobody knows when
 * the ignition went off, so the trip ended with its last position.
 */
export function stepWithoutFix(
  state: Driving | SwitchedOff,
  frame: { readonly recordedAt: number; readonly receivedAt: number; readonly ignition: boolean | null },
): Driving | SwitchedOff {
  if (state.phase === "switched_off") {
    const isFlicker = frame.ignition === true && frame.recordedAt - state.ended.last.at < flickerMs;
    return isFlicker ? switchedOnAgain(state) : state;
  }
  if (frame.ignition === true && state.isTowed) return { ...state, isTowed: false };
  if (frame.ignition !== false || state.ignition === false) return state;
  const { start, course, dwell } = state;
  const isAfterGap = frame.recordedAt - course.last.at > gapMs;
  const last: Mark = isAfterGap ? course.last : { ...course.last, at: frame.recordedAt };
  const ended: Course = { ...course, last, updatedAt: Math.max(course.updatedAt, frame.receivedAt) };
  return { phase: "switched_off", start, ended, course, dwell };
}

function switchedOnAgain({ start, course, dwell }: SwitchedOff): Driving {
  return { phase: "driving", start, isTowed: false, ignition: true, course, dwell };
}

/**
 * Whether a frame belongs to the dwell that began with the last frame of this course. With the ignition on, any frame
 * nearby does; a new dwell begins only if the vehicle, already nearby, stops moving. Otherwise all frames of a dwell
 * are still. (Towed, with the ignition off, a vehicle is judged as one whose ignition is unknown.)
 */
function stays(dwell: Course, fix: Fix, ignition: boolean | null): boolean {
  const isRest =
    ignition === true
      ? dwell.motion !== "moving" || fix.motion === "moving"
      : dwell.motion === "still" && fix.motion === "still";
  return isRest && metresBetween(dwell.last, fix) <= dwellMetres;
}

/**
 * Whether a trip ended where a leg began. An ignition on at both ends bridges a stay only if the leg is no gap: a
 * tracker does not fall silent with the ignition on, and a leg of more than `gapMs` within 50 m is slow anyway.
 */
function isStopOverGap({ from, to, metres, ms, impliedKmh }: Leg): boolean {
  if (ms < unknownIgnitionDwellMs) return false;
  if (ms > longestBridgeMs) return true;
  if (ms > gapMs && impliedKmh < slowestBridgeKmh) return true;
  const isOn = from.ignition === true && to.ignition === true;
  return metres <= dwellMetres && ms >= (isOn ? dwellMs : unknownIgnitionDwellMs);
}

function ended(start: Mark, course: Course, reason: TripEnd, updatedAt: number): readonly TripFact[] {
  return isWorthReporting(start, course) ? [tripOver(start, course, reason, updatedAt)] : noFacts;
}
