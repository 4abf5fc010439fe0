import { metresBetween } from "../geometry/distance.ts";
import { degreesEast } from "../geometry/longitudes.ts";
import { kmh } from "../sighting.ts";
import type { Footing } from "./footing.ts";
import type { Waypoint } from "./waypoint.ts";

/** A leg that a frame may have come by. */
export interface Leg {
  readonly from: Waypoint;
  readonly to: Waypoint;
  readonly metres: number;
}

/** How a vehicle moves, in degrees a millisecond. */
interface Course {
  readonly north: number;
  readonly east: number;
}

/** A frame this close to where it is expected fits, whatever else fits better: so far a good fix may be off. */
const fittingMetres = 30;

/** The other leg must explain the frame this much better. */
const maxShare = 0.5;

/** Over a longer time a vehicle may have turned off. */
const longestForCourseMs = 60_000;

/** Over a shorter time a vehicle moves less than its fix errs. */
const shortestForCourseMs = 1000;

/**
 * Whether a frame fits a leg much better than the one from the anchor: it takes less than half the speed, or misses the
 * place where the vehicle would be had it gone straight on by less than half as much.
 */
export function fitsBetter(leg: Leg, fromAnchor: Leg, { prev, anchor }: Footing): boolean {
  const isSlower = impliedKmh(leg) < maxShare * impliedKmh(fromAnchor);
  const course = prev === null || anchor === null ? null : courseOf(prev, anchor);
  if (course === null || fromAnchor.to.at - fromAnchor.from.at > longestForCourseMs) {
    return isSlower && fromAnchor.metres > fittingMetres;
  }
  const missMetres = missOf(fromAnchor, course);
  return missMetres > fittingMetres && (isSlower || missOf(leg, course) < maxShare * missMetres);
}

function impliedKmh({ from, to, metres }: Leg): number {
  return kmh(metres, to.at - from.at);
}

/** Null if the two are too close together or too far apart in time to say. */
function courseOf(from: Waypoint, to: Waypoint): Course | null {
  const ms = to.at - from.at;
  if (ms < shortestForCourseMs || ms > longestForCourseMs) return null;
  return {
    north: (to.latitude - from.latitude) / ms,
    east: degreesEast(from.longitude, to.longitude) / ms,
  };
}

function missOf({ from, to }: Leg, { north, east }: Course): number {
  const ms = to.at - from.at;
  const latitude = from.latitude + north * ms;
  const longitude = from.longitude + east * ms;
  return metresBetween({ latitude, longitude }, to);
}
