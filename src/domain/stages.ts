import { type AlertState, initialAlerts, openAlerts, stepAlerts } from "./alerts/alerts.ts";
import { type CrossingState, fencesInside, initialCrossings, stepCrossings } from "./crossings/crossings.ts";
import type { DeviceContext } from "./device-context.ts";
import type { Fact } from "./facts.ts";
import { initialLive, type LiveState, stepLive } from "./live.ts";
import { initialMileage, type MileageState, openDays, stepMileage } from "./mileage/mileage.ts";
import { type Fix, type Sighting, sight } from "./sighting.ts";
import {
  earliestStart,
  initialTrips,
  isTowed,
  openTrip,
  openTripStart,
  stepTrips,
  stopPlace,
  type TripState,
  tripUnderWay,
} from "./trips/trips.ts";
import type { JudgedFrame } from "./verdict.ts";

/** What the rules know of a device after some of its frames. Never changed in place, so that one can go back to it. */
export interface StagesState {
  /** The last valid frame. */
  readonly previous: Fix | null;
  readonly live: LiveState;
  readonly trips: TripState;
  readonly crossings: CrossingState;
  readonly mileage: MileageState;
  readonly alerts: AlertState;
}

export const initialStages: StagesState = {
  previous: null,
  live: initialLive,
  trips: initialTrips,
  crossings: initialCrossings,
  mileage: initialMileage,
  alerts: initialAlerts,
};

/** Takes one judged frame through all rules, in this order: each may use what those before it have found. */
export function stepStages(
  state: StagesState,
  judged: JudgedFrame,
  context: DeviceContext,
  facts: Fact[],
): StagesState {
  const sighting: Sighting = sight(judged, state.previous);
  const live = stepLive(state.live, sighting);
  const trips = stepTrips(state.trips, sighting, facts);
  const crossings = stepCrossings(state.crossings, sighting, stopPlace(trips), context.fences, facts);
  const tripStartedAt = openTripStart(trips);
  const mileage = stepMileage(state.mileage, sighting, tripStartedAt, facts, earliestStart(trips));
  const startedAt = tripUnderWay(trips);
  const trip = startedAt === null ? null : { startedAt, isTowed: isTowed(trips) };
  const inside = fencesInside(crossings);
  const alerts = stepAlerts(state.alerts, { sighting, context, trip, tripStartedAt, fencesInside: inside }, facts);
  return { previous: sighting.fix ?? state.previous, live, trips, crossings, mileage, alerts };
}

/** What holds so far, and may still change with the next frame. */
export function openFacts({ trips, mileage, alerts }: StagesState): Fact[] {
  const trip = openTrip(trips);
  const days = openDays(mileage, trip?.startedAt ?? null);
  return trip === null ? [...days, ...openAlerts(alerts)] : [trip, ...days, ...openAlerts(alerts)];
}
