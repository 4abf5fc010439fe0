import type { CrossingFact, StopFact, TripFact } from "../facts.ts";
import { metresBetween } from "../geometry/distance.ts";
import type { Sighting } from "../sighting.ts";
import { noFacts, onlyState, type Step } from "../step.ts";
import { isGap } from "../trips/pace.ts";
import type { TripState } from "../trips/trip-state.ts";
import { paceIn } from "../trips/trip-state.ts";
import { earliestStart, openTrip, openTripStart, restIn } from "../trips/trips.ts";
import { isFromElsewhere } from "../verdict.ts";
import { type IgnitionTime, ignitionSettled, ignitionWith } from "./ignition-time.ts";
import { initialStops, type OpenStop, type StopState, stopAfter, stopInProgress, stopOver } from "./stop-state.ts";

/** Farther from where its trip ended, the vehicle was moved: the fences there are not those of the stop. */
const stopMetres = 100;

/** What the rules before this one found with a frame. */
export interface TripsAndFences {
  readonly before: TripState;
  readonly after: TripState;
  readonly endedTrips: readonly TripFact[];
  /** The fences that the vehicle was inside of before the frame, and is now. */
  readonly insideBefore: readonly string[];
  readonly inside: readonly string[];
  /** Those that the frame confirmed. */
  readonly crossings: readonly CrossingFact[];
}

/**
 * The stand between two trips, from the end of one to the start of the next. Both are found by the rules of trips; this adds
 * how long the ignition was on, and the fences. A stop is over once the next trip is certain to be reported.
 */
export function stepStops(state: StopState, sighting: Sighting, found: TripsAndFences): Step<StopState, StopFact> {
  const { after, endedTrips } = found;
  if (state === initialStops && endedTrips.length === 0 && after.phase !== "switched_off") return onlyState(state);
  let open = state.open && withFrame(state.open, sighting, found);
  const switchedOff = state.switchedOff && withFrame(state.switchedOff, sighting, found);
  let facts: readonly StopFact[] = noFacts;
  for (const trip of endedTrips) {
    if (open !== null) facts = [...facts, stopOver(open, trip)];
    open = switchedOff?.startedAt === trip.endedAt ? switchedOff : begun(trip, sighting, found);
  }
  const nextAt = after.phase === "driving" ? openTripStart(after) : null;
  if (open !== null && nextAt !== null && after.phase === "driving") {
    facts = [...facts, stopOver(open, { startedAt: nextAt, foundAt: after.foundAt })];
    open = null;
  }
  const possible = after.phase === "switched_off" ? (switchedOff ?? switchedOffNow(sighting, found)) : null;
  return { state: stateOf(state, open && settled(open, after), possible), facts };
}

/** The stops that are not final yet. `trip` is the open one, which may be over already, as when a tracker fell silent. */
export function openStops(
  { open, switchedOff }: StopState,
  trips: TripState,
  trip: TripFact | null,
  inside: readonly string[],
): StopFact[] {
  if (trip === null) return open === null ? [] : [stopInProgress(open)];
  const facts = open === null ? [] : [stopOver(open, trip)];
  const after = switchedOff ?? silentStop(trips, trip, inside);
  return after === null ? facts : [...facts, stopInProgress(after)];
}

function stateOf(before: StopState, open: OpenStop | null, switchedOff: OpenStop | null): StopState {
  if (open === before.open && switchedOff === before.switchedOff) return before;
  return open === null && switchedOff === null ? initialStops : { open, switchedOff };
}

/** A frame from where the vehicle cannot be says nothing of the stop. */
function withFrame(
  stop: OpenStop,
  { frame, verdict, fix }: Sighting,
  { before, after, inside, crossings }: TripsAndFences,
): OpenStop {
  if (isFromElsewhere(verdict)) return stop;
  const { recordedAt, receivedAt } = frame;
  const isThere = fix !== null && restIn(after) !== null && metresBetween(fix, stop) <= stopMetres;
  const leg = { from: stop.lastAt, until: recordedAt, isSeen: !isGap(recordedAt - stop.lastAt, paceIn(before)) };
  // Each by name: most vehicles stand most of the time.
  return {
    tripFoundAt: stop.tripFoundAt,
    startedAt: stop.startedAt,
    latitude: stop.latitude,
    longitude: stop.longitude,
    fenceIds: isThere ? sameOr(stop.fenceIds, inside) : withLateCrossings(stop, crossings),
    ignition: ignitionWith(stop.ignition, leg, frame.ignition),
    isPartlyGone: stop.isPartlyGone,
    lastAt: recordedAt,
    updatedAt: Math.max(stop.updatedAt, receivedAt),
  };
}

/** After a trip that this frame completed. It may have ended some frames ago, and the engine may have run since. */
function begun(trip: TripFact, sighting: Sighting, found: TripsAndFences): OpenStop | null {
  const { before, insideBefore } = found;
  const stop = stopAfter(trip, insideBefore, sighting.frame.receivedAt);
  return stop && withFrame(sinceEnd(stop, before, trip), sighting, found);
}

/** What the trip's own state knows of the time since its end. */
function sinceEnd(stop: OpenStop, state: TripState, { idleMs }: TripFact): OpenStop {
  if (state.phase === "switched_off") return { ...stop, ignition: { ...stop.ignition, isOn: false } };
  if (state.phase !== "driving") return stop;
  const { ignition: isOn, course } = state;
  const lastAt = Math.max(stop.startedAt, course.last.at);
  const stoodMs = Math.min(Math.max(0, course.idleMs - idleMs), lastAt - stop.startedAt);
  const ignition: IgnitionTime = { isOn, countedMs: isOn === true ? stoodMs : 0, since: [] };
  return { ...stop, ignition, lastAt };
}

/** The ignition just went off. */
function switchedOffNow({ frame }: Sighting, { after, inside }: TripsAndFences): OpenStop | null {
  const trip = openTrip(after);
  const stop = trip && stopAfter(trip, inside, frame.receivedAt);
  return (
    stop && { ...stop, ignition: { ...stop.ignition, isOn: false }, lastAt: Math.max(stop.startedAt, frame.recordedAt) }
  );
}

/** The clock ended the trip: the vehicle is taken to stand where it was last seen. */
function silentStop(trips: TripState, trip: TripFact, inside: readonly string[]): OpenStop | null {
  const stop = stopAfter(trip, inside, trip.updatedAt);
  return stop && sinceEnd(stop, trips, trip);
}

function settled(stop: OpenStop, after: TripState): OpenStop {
  const ignition = ignitionSettled(stop.ignition, earliestStart(after) ?? 0);
  return ignition === stop.ignition ? stop : { ...stop, ignition };
}

/** The last crossing before the stop may be confirmed by the frame that shows the vehicle elsewhere. */
function withLateCrossings({ fenceIds, startedAt }: OpenStop, crossings: readonly CrossingFact[]): readonly string[] {
  const late = crossings.filter(({ occurredAt }) => occurredAt <= startedAt);
  if (late.length === 0) return fenceIds;
  const ids = new Set(fenceIds);
  for (const { eventType, fenceId } of late) {
    if (eventType === "enter") ids.add(fenceId);
    else ids.delete(fenceId);
  }
  return [...ids].sort();
}

function sameOr(before: readonly string[], now: readonly string[]): readonly string[] {
  return before.length === now.length && before.every((id, index) => id === now[index]) ? before : now;
}
