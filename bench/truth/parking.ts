import type { Place } from "../../src/domain/geometry/distance.ts";
import type { Random } from "../../src/simulator/random.ts";
import { type ReceiverError, seenWith } from "./noise.ts";
import type { Moment } from "./track.ts";

export interface Parking {
  readonly place: Place;
  readonly from: number;
  readonly until: number;
  readonly stepMs: number;
  readonly error: ReceiverError;
  readonly ignition: boolean | null;
  /** The reported speed, once for each frame. */
  readonly kmh: () => number | null;
  readonly metres?: number;
}

/** What a tracker sends of a vehicle that does not move. */
export function parked(parking: Parking, random: Random): Moment[] {
  const { place, from, until, stepMs, error, ignition, kmh, metres = 0 } = parking;
  const { latitude, longitude } = place;
  const still: Moment[] = [];
  for (let at = from; at < until; at += stepMs) still.push({ at, latitude, longitude, kmh: kmh(), metres, ignition });
  return seenWith(still, random, [error]);
}

/** As a good receiver sees a parked vehicle under the open sky. */
export const heartbeatError: ReceiverError = { sigmaMetres: 4, memoryMs: 600_000 };
