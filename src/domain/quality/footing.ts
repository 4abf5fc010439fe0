import { metresBetween } from "../geometry/distance.ts";
import { kmh } from "../sighting.ts";
import type { Waypoint } from "./waypoint.ts";

/** The waypoint of a frame that was accepted. */
export interface Foothold extends Waypoint {
  /** How many frames support each other here: since the first, a long leg or a discontinuity. Counted up to 5. */
  readonly support: number;
  /** It does not follow from the one before. */
  readonly isDiscontinuity: boolean;
}

/** What new frames are measured from. */
export interface Footing {
  /** The last frame accepted. */
  readonly anchor: Foothold | null;
  /** The one accepted before it. */
  readonly prev: Foothold | null;
  /** The last one before those that support the anchor; null if there is none, or they are enough. */
  readonly base: Foothold | null;
}

/** Over a longer leg a vehicle can get nearly anywhere, so the leg proves little. */
const longestFirmLegMs = 600_000;

/** So many frames that support each other are no accident: bad fixes rarely come in more than three at once. */
export const firmSupport = 5;

/** Accepts a waypoint that follows from the anchor, or is the first. One in doubt is not supported by those before it. */
export function stepOn({ anchor, base }: Footing, to: Waypoint, isInDoubt: boolean): Footing {
  if (anchor === null || isInDoubt || to.at - anchor.at > longestFirmLegMs) {
    return { anchor: foothold(to, 1, false), prev: anchor, base: anchor };
  }
  const support = Math.min(firmSupport, anchor.support + 1);
  return { anchor: foothold(to, support, false), prev: anchor, base: support < firmSupport ? base : null };
}

/** Accepts a waypoint that does not follow from the anchor. */
export function stepAcross({ anchor }: Footing, to: Waypoint): Footing {
  return { anchor: foothold(to, 1, true), prev: anchor, base: anchor };
}

/** As if the anchor had never been accepted. What came before `prev` is not known, and never needed after this. */
export function stepBack({ prev, base }: Footing): Footing {
  return { anchor: prev, prev: null, base };
}

/** As if none of the frames that support the anchor had been accepted, nor the anchor. */
export function stepBackToBase({ base }: Footing): Footing {
  return { anchor: base, prev: null, base: null };
}

/** Whether a waypoint shows that the anchor was a spike. After a discontinuity there is no way out to compare with. */
export function isAnchorSpike({ prev, anchor }: Footing, to: Waypoint, metres: number): boolean {
  return prev !== null && anchor !== null && !anchor.isDiscontinuity && isSpike(prev, anchor, to, metres);
}

/** Always in the same order of keys, so that equal states have equal JSON. */
function foothold(waypoint: Waypoint, support: number, isDiscontinuity: boolean): Foothold {
  const { at, latitude, longitude, speedKmh, accuracyM, paceKmh } = waypoint;
  return { at, latitude, longitude, speedKmh, accuracyM, paceKmh, support, isDiscontinuity };
}

/** Shorter ways out and back are the drift of a parked vehicle, or a turn round a block. */
const shortestLegMetres = 200;

/** It comes back to within this share of the longer leg. */
const maxAcrossShare = 0.25;

/** Slower ways out and back were driven. */
const slowestKmh = 100;
const minTimesReported = 2;

/** Whether a waypoint is far from two others that are close together, and reached and left faster than any speed. */
export function isSpike(before: Waypoint, suspect: Waypoint, after: Waypoint, metresToAfter: number): boolean {
  if (metresToAfter < shortestLegMetres) return false;
  const reportedKmh = Math.max(before.speedKmh ?? 0, suspect.speedKmh ?? 0, after.speedKmh ?? 0);
  const leastKmh = Math.max(slowestKmh, minTimesReported * reportedKmh);
  if (kmh(metresToAfter, after.at - suspect.at) < leastKmh) return false;
  const metresFromBefore = metresBetween(before, suspect);
  if (metresFromBefore < shortestLegMetres || kmh(metresFromBefore, suspect.at - before.at) < leastKmh) return false;
  return metresBetween(before, after) <= maxAcrossShare * Math.max(metresFromBefore, metresToAfter);
}
