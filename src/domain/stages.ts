import { type AlertState, initialAlerts, openAlerts, stepAlerts } from "./alerts/alerts.ts";
import { rulesInForce } from "./alerts/rules-in-force.ts";
import { type CrossingState, fencesInside, initialCrossings, stepCrossings } from "./crossings/crossings.ts";
import type { DeviceContext } from "./device-context.ts";
import type { Fact } from "./facts.ts";
import { type Frame, nothingReported } from "./frame.ts";
import { initialMileage, type MileageState, openDays, stepMileage } from "./mileage/mileage.ts";
import { noTrail, type Trail } from "./motion.ts";
import { type Fix, type Frozen, nextPrevious, nextTrail, type Sighting, sight } from "./sighting.ts";
import type { SpeedCheck } from "./speed-check.ts";
import { joinedLists, onlyState, type Step } from "./step.ts";
import { initialStops, type StopState } from "./stops/stop-state.ts";
import { openStops, stepStops } from "./stops/stops.ts";
import { relocationBy } from "./trips/relocation.ts";
import {
  countedUntil,
  earliestStart,
  initialTrips,
  isTowed,
  openDeltas,
  openTrip,
  openTripStart,
  restIn,
  stepTrips,
  stopPlace,
  type TripState,
  tripUnderWay,
} from "./trips/trips.ts";
import { isFromElsewhere, type JudgedFrame } from "./verdict.ts";

/** The live state of a device, without its trip and its fences. */
interface LiveState {
  /** The newest valid frame. */
  readonly frame: Frame | null;
  readonly discontinuity: boolean;
  /** Since when the ignition has been on or off; null until a frame reports it. */
  readonly ignition: { readonly on: boolean; readonly since: number } | null;
  /** The newest reported, perhaps by an earlier frame. */
  readonly odometerKm: number | null;
}

const initialLive: LiveState = { frame: null, discontinuity: false, ignition: null, odometerKm: null };

function stepLive(state: LiveState, { frame, fix, verdict }: Sighting): LiveState {
  if (fix === null) return state;
  const { ignition } = state;
  return {
    frame,
    discontinuity: verdict.discontinuity,
    ignition:
      fix.ignition === null || fix.ignition === ignition?.on ? ignition : { on: fix.ignition, since: frame.recordedAt },
    odometerKm: fix.odometerKm ?? state.odometerKm,
  };
}

/** What the stages know of a device after some of its frames. Never changed in place, so the fold can return to it. */
export interface StagesState {
  /** The last valid frame. */
  readonly previous: Fix | null;
  readonly trail: Trail;
  readonly speedCheck: SpeedCheck | null;
  readonly frozen: Frozen | null;
  readonly live: LiveState;
  readonly trips: TripState;
  readonly stops: StopState;
  readonly crossings: CrossingState;
  readonly mileage: MileageState;
  readonly alerts: AlertState;
}

export const initialStages: StagesState = {
  previous: null,
  trail: noTrail,
  speedCheck: null,
  frozen: null,
  live: initialLive,
  trips: initialTrips,
  stops: initialStops,
  crossings: initialCrossings,
  mileage: initialMileage,
  alerts: initialAlerts,
};

/** Passes one judged frame through all stages, in this order: each may use what earlier ones returned. */
export function stepStages(state: StagesState, judged: JudgedFrame, context: DeviceContext): Step<StagesState, Fact> {
  const seen = seenByRules(judged);
  if (seen === null) return onlyState(state);
  const sighting: Sighting = sight(seen, state.previous, state.trail, state.speedCheck, state.frozen);
  const live = stepLive(state.live, sighting);
  const { state: trips, facts: endedTrips, deltas } = stepTrips(state.trips, sighting);
  const crossings = stepCrossings(state.crossings, sighting, stopPlace(trips), context.fences);
  const insideBefore = fencesInside(state.crossings);
  const inside = crossings.state === state.crossings ? insideBefore : fencesInside(crossings.state);
  const seenOfStop = {
    before: state.trips,
    after: trips,
    endedTrips,
    insideBefore,
    inside,
    crossings: crossings.facts,
  };
  const stops = stepStops(state.stops, sighting, seenOfStop);
  const tripsSoFar = {
    ended: endedTrips,
    deltas,
    isUnderWay: trips.phase === "driving",
    earliestStart: earliestStart(trips),
    countedUntil: countedUntil(trips),
  };
  const mileage = stepMileage(state.mileage, sighting, tripsSoFar, context.zone);
  const startedAt = tripUnderWay(trips);
  const tripStartedAt = openTripStart(trips);
  const alerts = stepAlerts(state.alerts, {
    sighting,
    context,
    trip: startedAt === null ? null : { startedAt, isTowed: isTowed(trips) },
    rest: restIn(trips),
    relocation: relocationBy(state.trips, trips, sighting),
    tripStartedAt,
    tripFoundAt: tripStartedAt === null ? null : foundAtIn(trips),
    movedUntil: tripsSoFar.isUnderWay ? tripsSoFar.countedUntil : null,
    endedTrips,
    crossings: crossings.facts,
    rules: rulesInForce(context, judged.frame.recordedAt, inside),
    inside,
    completed: [],
  });
  return {
    state: {
      previous: nextPrevious(sighting),
      trail: nextTrail(state.trail, sighting),
      speedCheck: sighting.speedCheck,
      frozen: sighting.frozen,
      live,
      trips,
      stops: stops.state,
      crossings: crossings.state,
      mileage: mileage.state,
      alerts: alerts.state,
    },
    facts: joinedLists(
      joinedLists(joinedLists(endedTrips, stops.facts), crossings.facts),
      joinedLists(mileage.facts, alerts.facts),
    ),
  };
}

function foundAtIn(trips: TripState): number | null {
  return trips.phase === "driving" || trips.phase === "switched_off" ? trips.foundAt : null;
}

/**
 * What of a frame counts for the rules; null: nothing. A frame from where the vehicle cannot be counts for none: all it
 * reports may be another tracker's. Only an event is raised: a panic button must always be heard.
 */
export function seenByRules(judged: JudgedFrame): JudgedFrame | null {
  const { frame, verdict } = judged;
  if (!isFromElsewhere(verdict)) return judged;
  const { event, recordedAt, digest, receivedAt } = frame;
  if (event === null) return null;
  return { frame: { ...nothingReported, event, recordedAt, digest, receivedAt }, verdict, speedKmh: null };
}

/** The facts that are open: the next frame may still change them. `silentAt`: see `silentFrom`. */
export function openFacts(
  { trips, stops, crossings, mileage, alerts }: StagesState,
  { zone }: DeviceContext,
  silentAt: number | null,
): Fact[] {
  const trip = openTrip(trips, silentAt);
  const days = openDays(mileage, trip, openDeltas(trips, silentAt), zone);
  const facts = [...openStops(stops, trips, trip, fencesInside(crossings)), ...days, ...openAlerts(alerts, zone, trip)];
  return trip === null ? facts : [trip, ...facts];
}
