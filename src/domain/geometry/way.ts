import type { Place } from "./distance.ts";
import { degreesEast } from "./longitudes.ts";

/**
 * The place at a fraction of the way. The way is straight in longitude and latitude, like a fence's edge, and takes the
 * shorter way round the globe.
 */
export function placeBetween(from: Place, to: Place, fraction: number): Place {
  const longitude = from.longitude + fraction * degreesEast(from.longitude, to.longitude);
  return {
    latitude: from.latitude + fraction * (to.latitude - from.latitude),
    longitude: degreesEast(0, longitude),
  };
}
