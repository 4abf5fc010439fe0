import type { TripFact } from "../facts.ts";
import { noFacts, type Step } from "../step.ts";
import type { Course, Mark } from "./course.ts";
import type { Card } from "./drivers.ts";
import { type MileageDelta, noDeltas } from "./mileage-delta.ts";
import { type Pace, unknownPace } from "./pace.ts";
import type { Away, Stand } from "./stand.ts";

/**
 * Where a vehicle is between its trips. Every valid frame leads from one state to the next, and each holds only what
 * its own rules need:
 *
 * unknown → stopped ⇄ driving → switched_off → stopped, or back to driving
 */
export type TripState = Unknown | Stopped | Driving | SwitchedOff;

/** No valid frame yet. */
interface Unknown {
  readonly phase: "unknown";
}

export interface Stopped {
  readonly phase: "stopped";
  readonly pace: Pace;
  /** What a departure is measured from. */
  readonly stand: Stand;
  /** Whether the ignition was last reported off; unknown is not off. */
  readonly isIgnitionOff: boolean;
  /** Sent since the last trip: the next one's, perhaps. */
  readonly card: Card | null;
  /** How far off positions have been here that came back, in metres. */
  readonly scatterM: number;
  /** Where and when a trip started if this turns out to be one. */
  readonly start: Mark;
  /** Since then. */
  readonly course: Course;
  readonly leaving: Leaving | null;
}

/** The last frames are away from the stop: it has left if the next ones are, too. */
export interface Leaving extends Away {
  /** The course up to the first of them, and where that was. */
  readonly dwell: Course;
  readonly stand: Stand;
  /** What was driven before the start, unseen: since when, how far, and whether faster or farther than on a road. */
  readonly unseen: { readonly from: number; readonly mm: number; readonly isCarried: boolean } | null;
}

/** A course, and where the vehicle last stood on it. */
export interface Movement {
  readonly course: Course;
  /** The course up to the first frame there: where the trip ended if the vehicle stays. */
  readonly dwell: Course;
  readonly stand: Stand;
  /** Whether that frame reported it at rest. Otherwise it may still have been driving up to its stop. */
  readonly isAtRest: boolean;
  /** The last frames are away from there, but do not yet show that it has gone on. */
  readonly leaving: GoingOn | null;
}

export interface GoingOn extends Away {
  /** As in `Movement`, if it has gone on. */
  readonly course: Course;
  readonly dwell: Course;
  readonly stand: Stand;
  readonly isAtRest: boolean;
}

/** When the frame was received from which on it is worth reporting; null before. */
type KnownAt = number | null;

export interface Driving extends Movement {
  readonly phase: "driving";
  readonly pace: Pace;
  readonly start: Mark;
  /** See `TripFact`. */
  readonly foundAt: number;
  readonly knownAt: KnownAt;
  /** It began with the ignition off, and the ignition has not come on since. */
  readonly isTowed: boolean;
  /** The same, by an input that is known to work: what it comes counts as carried unless the ignition comes on. */
  readonly isCarried: boolean;
  /** The ignition last reported on this trip; null if none. */
  readonly ignition: boolean | null;
  /** Set while the positions of a tracker without a speed lead here and there. */
  readonly arrived: Arrived | null;
}

/** Under a roof the positions of a vehicle that stands waver: it may have arrived where they began to. */
export interface Arrived {
  /** The course up to there. */
  readonly course: Course;
  /** They have wavered for so long that its trip is over, unless it drives on. */
  readonly isOver: boolean;
}

/** The ignition was on and went off, so the trip is over, unless it comes on again at once. */
export interface SwitchedOff {
  readonly phase: "switched_off";
  readonly pace: Pace;
  readonly start: Mark;
  /** See `TripFact`. */
  readonly foundAt: number;
  readonly knownAt: KnownAt;
  /** The course up to where the vehicle last stood before that: what the mileage has so far. */
  readonly reached: Course;
  /** The course up to the frame that reported it. */
  readonly ended: Course;
  /** As if the trip continued. */
  readonly movement: Movement;
}

/** What a frame changes: a trip it completed, and what it adds to the mileage. */
export interface TripStep extends Step<TripState, TripFact> {
  readonly deltas: readonly MileageDelta[];
}

/** A step that completed nothing. */
export function onlyTripState(state: TripState): TripStep {
  return { state, facts: noFacts, deltas: noDeltas };
}

/** The course of a trip as far as its way counts by now. */
export function reachedIn({ arrived, dwell }: Driving): Course {
  return arrived === null ? dwell : arrived.course;
}

/** How often the tracker reports, as known in a state. */
export function paceIn(state: TripState): Pace {
  return state.phase === "unknown" ? unknownPace : state.pace;
}
