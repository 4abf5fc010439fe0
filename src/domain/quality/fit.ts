import { metresBetween } from "../geometry/distance.ts";
import { degreesEast } from "../geometry/longitudes.ts";
import { kmh } from "../sighting.ts";
import type { Footing } from "./footing.ts";
import type { PlacedFrame } from "./own-verdict.ts";
import { reaches, slackMetres, type Waypoint, waypointAfter } from "./waypoint.ts";

/** A leg that a frame may have come by. */
export interface PossibleLeg {
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
const maxStrayShare = 1 / 3;

/** Over a longer time a vehicle may have turned off. */
const longestForCourseMs = 60_000;

/** Over a shorter time a vehicle moves less than its fix errs. */
const shortestForCourseMs = 1000;

/** A leg this much longer than the one before is a silence. */
const minTimesBefore = 2;
/** In a longer one a vehicle may well have turned off, and one that reports seldom has lost but a frame or two. */
const longestForDoubtMs = 15_000;

/** Half of the 10 m/s² by which no vehicle of a fleet exceeds its course, to whichever side. */
const hardestMetresPerSquareSecond = 5;

/** Whether a frame fits a leg much better: at less than half the speed, or less than half as far off the course. */
export function fitsBetter(leg: PossibleLeg, fromAnchor: PossibleLeg, footing: Footing): boolean {
  const missMetres = missOf(fromAnchor, footing);
  if ((missMetres ?? fromAnchor.metres) <= fittingMetres) return false;
  if (impliedKmh(leg) < maxShare * impliedKmh(fromAnchor)) return true;
  return missMetres !== null && (missOf(leg, footing) ?? missMetres) < maxShare * missMetres;
}

/**
 * Whether the anchor is off the way from the frame before it to another one: that way takes less than a third of the
 * speed. (A good anchor and a bad frame have less than half, as the way has twice the time.)
 */
export function sticksOut({ anchor, prev }: Footing, frame: PlacedFrame): boolean {
  if (anchor === null || prev === null || anchor.isDiscontinuity) return false;
  if (metresBetween(prev, anchor) <= slackMetres) return false;
  const metres = metresBetween(prev, frame);
  const to = waypointAfter(prev, frame, metres);
  const fromAnchor = { from: anchor, to, metres: metresBetween(anchor, frame) };
  return reaches(prev, to, metres) && impliedKmh({ from: prev, to, metres }) < maxStrayShare * impliedKmh(fromAnchor);
}

/** Whether a vehicle would have had to leave its course harder than any does. No proof by itself: the course errs, too. */
export function isOffCourse(fromAnchor: PossibleLeg, footing: Footing): boolean {
  const seconds = (fromAnchor.to.at - fromAnchor.from.at) / 1000;
  const missMetres = missOf(fromAnchor, footing);
  return missMetres !== null && missMetres > slackMetres + hardestMetresPerSquareSecond * seconds * seconds;
}

/**
 * Whether a frame after a silence, twice as long as the leg before or longer, is off the course. A receiver that lost its
 * fix for some seconds often errs when it has one again.
 */
export function isInDoubt(fromAnchor: PossibleLeg, footing: Footing): boolean {
  const { anchor, prev } = footing;
  if (anchor === null || prev === null || anchor.isDiscontinuity) return false;
  const ms = fromAnchor.to.at - anchor.at;
  if (ms > longestForDoubtMs || ms < minTimesBefore * Math.max(shortestForCourseMs, anchor.at - prev.at)) return false;
  return (missOf(fromAnchor, footing) ?? 0) > slackMetres;
}

function impliedKmh({ from, to, metres }: PossibleLeg): number {
  return kmh(metres, to.at - from.at);
}

/** How far a leg's end is from where the course of the anchor leads; null if that is not known. */
function missOf(leg: PossibleLeg, { prev, anchor }: Footing): number | null {
  const ms = leg.to.at - leg.from.at;
  if (anchor === null || ms > longestForCourseMs) return null;
  const course = prev === null || anchor.isDiscontinuity ? null : courseOf(prev, anchor);
  if (course !== null) {
    const latitude = leg.from.latitude + course.north * ms;
    const longitude = leg.from.longitude + course.east * ms;
    return metresBetween({ latitude, longitude }, leg.to);
  }
  const speedKmh = anchor.speedKmh ?? anchor.paceKmh;
  return speedKmh === null ? null : Math.abs(leg.metres - (speedKmh * ms) / 3600);
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
