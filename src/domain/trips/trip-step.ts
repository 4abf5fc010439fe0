import type { TripFact } from "../facts.ts";
import type { Step } from "../step.ts";
import type { Gain } from "./gain.ts";
import type { TripState } from "./trip-state.ts";

/** What a frame changes: a trip it completed, and what it adds to the mileage. */
export interface TripStep extends Step<TripState, TripFact> {
  readonly gains: readonly Gain[];
}
