import type { DeviceContext } from "../device-context.ts";
import type { CrossingFact, TripFact } from "../facts.ts";
import type { Sighting } from "../sighting.ts";

/** One frame, with what the stages before this one returned. */
export interface AlertInput {
  readonly sighting: Sighting;
  readonly context: DeviceContext;
  /** The trip under way, whether or not it will be reported. */
  readonly trip: { readonly startedAt: number; readonly isTowed: boolean } | null;
  /** The start of the trip under way, once it is known to be a trip. */
  readonly tripStartedAt: number | null;
  /** The trips and crossings that this frame completed. */
  readonly endedTrips: readonly TripFact[];
  readonly crossings: readonly CrossingFact[];
  /** The fences that the device is inside of, after this frame. */
  readonly fencesInside: readonly string[];
}

/** The trip on which the reported event began; null if that trip is over or not yet known to be a trip. */
export function tripDuring({ tripStartedAt }: AlertInput, began: number): number | null {
  return tripStartedAt !== null && tripStartedAt <= began ? tripStartedAt : null;
}
