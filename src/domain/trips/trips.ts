import type { TripFact } from "../facts.ts";
import type { Place } from "../geometry/distance.ts";
import type { Sighting } from "../sighting.ts";
import { onlyState, type Step } from "../step.ts";
import { stepDriving, stepSwitchedOff, stepWithoutFix } from "./driving.ts";
import { stepStopped, stopAt } from "./stopped.ts";
import { isWorthReporting, tripInProgress, tripOver } from "./trip-fact.ts";
import type { TripState } from "./trip-state.ts";

export type { TripState } from "./trip-state.ts";

export const initialTrips: TripState = { phase: "unknown" };

/** Applies the next frame. It may complete a trip that is worth reporting. */
export function stepTrips(state: TripState, { frame, fix, leg }: Sighting): Step<TripState, TripFact> {
  switch (state.phase) {
    case "unknown":
      return onlyState(fix === null ? state : stopAt(fix, fix, false));
    case "stopped":
      if (fix === null) return onlyState(state);
      return onlyState(leg === null ? stopAt(fix, fix, false) : stepStopped(state, leg));
    case "driving":
      return fix === null ? onlyState(stepWithoutFix(state, frame)) : stepDriving(state, fix, leg);
    case "switched_off":
      return fix === null ? onlyState(stepWithoutFix(state, frame)) : stepSwitchedOff(state, fix, leg);
  }
}

/**
 * The trip that is not final yet. It is reported once it is worth reporting even if it ended before the present dwell,
 * so a reported trip does not vanish. When the ignition goes off, the trip is reported as over at once; if that was a
 * flicker, it goes on.
 */
export function openTrip(state: TripState): TripFact | null {
  if (openTripStart(state) === null) return null;
  switch (state.phase) {
    case "driving":
      return tripInProgress(state.start, state.course);
    case "switched_off":
      return tripOver(state.start, state.ended, "ignition_off", state.ended.updatedAt);
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
      return isWorthReporting(state.start, state.dwell) ? state.start.at : null;
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

/** Where the vehicle stands; null on a trip, and before anything is known. */
export function stopPlace(state: TripState): Place | null {
  return state.phase === "stopped" ? state.stop : null;
}

/** Whether the present trip has had the ignition off from its start. */
export function isTowed(state: TripState): boolean {
  return state.phase === "driving" && state.isTowed;
}
