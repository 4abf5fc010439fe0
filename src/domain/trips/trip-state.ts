import type { Place } from "../geometry/distance.ts";
import type { Course, Mark } from "./course.ts";

/**
 * Where a vehicle is between its trips. Every valid frame leads from one of these to another, and each holds what its own
 * rules need:
 *
 * unknown → stopped ⇄ driving → switched_off → stopped, or back to driving
 */
export type TripState = Unknown | Stopped | Driving | SwitchedOff;

/** No valid frame yet. */
export interface Unknown {
  readonly phase: "unknown";
}

export interface Stopped {
  readonly phase: "stopped";
  /** What a departure is measured from. */
  readonly stop: Place;
  /** Where it came to rest. The stop may be put right, but stays near this: drift cannot carry it away. */
  readonly arrival: Place;
  /** A place beside the stop where it seems to stand in truth, and since when. */
  readonly resting: Resting | null;
  /** What the ignition was last said to be; unknown is not off. */
  readonly isIgnitionOff: boolean;
  /** The frame at which a trip has started if one turns out to have. */
  readonly start: Mark;
  /** Since that frame. */
  readonly course: Course;
}

export interface Resting extends Place {
  readonly at: number;
}

export interface Driving {
  readonly phase: "driving";
  readonly start: Mark;
  /** It began with the ignition off, and the ignition has not come on since. */
  readonly isTowed: boolean;
  /** What the ignition was last said to be on this trip; null if nothing was said. */
  readonly ignition: boolean | null;
  readonly course: Course;
  /** Up to the first frame of the dwell: where the trip will have ended if the vehicle stays. */
  readonly dwell: Course;
}

/** The ignition was on and went off, so the trip is over, unless it comes on again at once. */
export interface SwitchedOff {
  readonly phase: "switched_off";
  readonly start: Mark;
  /** Up to the frame that said so. */
  readonly ended: Course;
  /** As if the trip went on. */
  readonly course: Course;
  readonly dwell: Course;
}
