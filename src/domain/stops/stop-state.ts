import type { StopFact, TripFact } from "../facts.ts";
import type { Place } from "../geometry/distance.ts";
import { type IgnitionTime, ignitionOnMs, neverReported } from "./ignition-time.ts";

/** The stands between trips, as of the last frame. */
export interface StopState {
  /** After the last trip, until the next one is certain to be reported. Null before the first trip, and on a trip. */
  readonly open: OpenStop | null;
  /** After a trip that ended with the ignition off, as long as it may still go on. */
  readonly switchedOff: OpenStop | null;
}

export interface OpenStop extends Place {
  /** What the trip before it is known by. */
  readonly tripFoundAt: number;
  readonly startedAt: number;
  /** The fences that the vehicle was inside of when it was last seen standing there, in ascending order. */
  readonly fenceIds: readonly string[];
  readonly ignition: IgnitionTime;
  /** Some of its frames were dropped before stops were derived, so nobody knows how long the ignition was on. */
  readonly isPartlyGone: boolean;
  /** The newest frame. */
  readonly lastAt: number;
  /** When the last of its frames was received. */
  readonly updatedAt: number;
}

export const initialStops: StopState = { open: null, switchedOff: null };

/** The stand after a trip that is over; null while it is in progress. */
export function stopAfter(trip: TripFact, fenceIds: readonly string[], updatedAt: number): OpenStop | null {
  const { foundAt: tripFoundAt, endedAt, end } = trip;
  if (endedAt === null || end === null) return null;
  return {
    tripFoundAt,
    startedAt: endedAt,
    latitude: end.latitude,
    longitude: end.longitude,
    fenceIds,
    ignition: neverReported,
    isPartlyGone: false,
    lastAt: endedAt,
    updatedAt,
  };
}

export function stopInProgress(stop: OpenStop): StopFact {
  return stopFactOf(stop, null, stop.lastAt);
}

type NextTrip = Pick<TripFact, "startedAt" | "foundAt">;

/** A stop that a trip ended. */
export function stopOver(stop: OpenStop, next: NextTrip): StopFact {
  return stopFactOf(stop, next, next.startedAt);
}

function stopFactOf(stop: OpenStop, next: NextTrip | null, until: number): StopFact {
  const { tripFoundAt, startedAt, latitude, longitude, fenceIds, ignition, isPartlyGone, updatedAt } = stop;
  return {
    kind: "stop",
    startedAt,
    endedAt: next?.startedAt ?? null,
    latitude,
    longitude,
    durationMs: Math.max(0, until - startedAt),
    fenceIds,
    ignitionOnMs: isPartlyGone ? null : ignitionOnMs(ignition, until),
    tripBeforeFoundAt: tripFoundAt,
    tripAfterFoundAt: next?.foundAt ?? null,
    updatedAt,
  };
}
