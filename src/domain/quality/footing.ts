import { isSpike } from "./spike.ts";
import type { Waypoint } from "./waypoint.ts";

/** The waypoint of a frame that was accepted. */
export interface Foothold extends Waypoint {
  /** It is the first, or follows a long leg or a discontinuity: nothing near it in time supports it. */
  readonly isAlone: boolean;
  /** It does not follow from the one before: a discontinuity. */
  readonly isElsewhere: boolean;
}

/** What new frames are measured from. */
export interface Footing {
  /** The last frame accepted. */
  readonly anchor: Foothold | null;
  /** The one accepted before it. */
  readonly prev: Foothold | null;
}

/** Over a longer leg a vehicle can get nearly anywhere, so the leg proves little. */
const longestFirmLegMs = 600_000;

/** Accepts a waypoint that follows from the anchor, or is the first. */
export function stepOn({ anchor }: Footing, to: Waypoint): Footing {
  const isAlone = anchor === null || to.at - anchor.at > longestFirmLegMs;
  return { anchor: foothold(to, isAlone, false), prev: anchor };
}

/** Accepts a waypoint that does not follow from the anchor. */
export function stepElsewhere({ anchor }: Footing, to: Waypoint): Footing {
  return { anchor: foothold(to, true, true), prev: anchor };
}

/** As if the anchor had never been accepted. What came before `prev` is not known, and never needed after this. */
export function stepBack({ prev }: Footing): Footing {
  return { anchor: prev, prev: null };
}

/**
 * Whether a waypoint that follows from the anchor, `metres` away, shows that the anchor was a spike. After a
 * discontinuity it is none: there is no way out to compare with the way back.
 */
export function isAnchorSpike({ prev, anchor }: Footing, to: Waypoint, metres: number): boolean {
  return prev !== null && anchor !== null && !anchor.isElsewhere && isSpike(prev, anchor, to, metres);
}

/** Always in the same order of keys, so that equal states have equal JSON. */
function foothold(waypoint: Waypoint, isAlone: boolean, isElsewhere: boolean): Foothold {
  const { at, latitude, longitude, speedKmh, accuracyM } = waypoint;
  return { at, latitude, longitude, speedKmh, accuracyM, isAlone, isElsewhere };
}
