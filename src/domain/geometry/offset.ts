import { metresPerDegree, radiansPerDegree } from "./bounding-box.ts";
import type { Place } from "./distance.ts";
import { degreesEast } from "./longitudes.ts";

/** From one place to another close by, in whole metres. */
export interface Offset {
  readonly east: number;
  readonly north: number;
}

/** A sum with 0 has no sign of zero, which JSON would lose. */
export function offsetBetween(from: Place, to: Place): Offset {
  const metresEast = metresPerDegree * Math.cos(from.latitude * radiansPerDegree);
  return {
    east: Math.round(degreesEast(from.longitude, to.longitude) * metresEast) + 0,
    north: Math.round((to.latitude - from.latitude) * metresPerDegree) + 0,
  };
}

/** `Math.hypot` takes several times as long. */
export function lengthOf(east: number, north: number): number {
  return Math.sqrt(east * east + north * north);
}
