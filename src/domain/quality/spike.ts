import { metresBetween } from "../geometry/distance.ts";
import { kmh } from "../sighting.ts";
import type { Waypoint } from "./waypoint.ts";

/** Shorter ways out and back are the drift of a parked vehicle, or a turn round a block. */
const shortestLegMetres = 200;

/** It comes back to within this share of the longer leg. */
const maxAcrossShare = 0.25;

/** Slower ways out and back were driven. */
const slowestKmh = 100;
const minTimesReported = 2;

/**
 * Whether a waypoint sticks out between two others: far from both, which are close together, and reached and left much
 * faster than any reported speed. `metresToAfter` is the distance from the suspect to the one after.
 */
export function isSpike(before: Waypoint, suspect: Waypoint, after: Waypoint, metresToAfter: number): boolean {
  if (metresToAfter < shortestLegMetres) return false;
  const reportedKmh = Math.max(before.speedKmh ?? 0, suspect.speedKmh ?? 0, after.speedKmh ?? 0);
  const leastKmh = Math.max(slowestKmh, minTimesReported * reportedKmh);
  if (kmh(metresToAfter, after.at - suspect.at) < leastKmh) return false;
  const metresFromBefore = metresBetween(before, suspect);
  if (metresFromBefore < shortestLegMetres || kmh(metresFromBefore, suspect.at - before.at) < leastKmh) return false;
  return metresBetween(before, after) <= maxAcrossShare * Math.max(metresFromBefore, metresToAfter);
}
