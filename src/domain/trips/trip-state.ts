import type { Place } from "../geometry/distance.ts";
import type { Course, Mark } from "./course.ts";

/**
 * Where a vehicle is between its trips. Every valid frame leads from one state to the next, and each holds only what
 * its own rules need:
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
  /** Where it came to rest. The stop may be corrected, but stays near this: drift cannot carry it away. */
  readonly arrival: Place;
  /** A place near the stop where it really seems to stand, and since when. */
  readonly resting: Resting | null;
  /** Whether the ignition was last reported off; unknown is not off. */
  readonly isIgnitionOff: boolean;
  /** The frame at which a trip started if this turns out to be one. */
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
  /** The ignition last reported on this trip; null if none. */
  readonly ignition: boolean | null;
  readonly course: Course;
  /** The course up to the first frame of the dwell: where the trip ended if the vehicle stays. */
  readonly dwell: Course;
}

/** The ignition was on and went off, so the trip is over, unless it comes on again at once. */
export interface SwitchedOff {
  readonly phase: "switched_off";
  readonly start: Mark;
  /** The course up to the frame that reported it. */
  readonly ended: Course;
  /** The course as if the trip continued. */
  readonly course: Course;
  readonly dwell: Course;
}
