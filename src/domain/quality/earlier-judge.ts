import type { Chain } from "./chains.ts";
import { type Foothold, firmSupport } from "./footing.ts";
import type { JudgeState } from "./judge-state.ts";
import { countsSatellites } from "./own-verdict.ts";
import type { PendingFrame } from "./pending.ts";
import type { Rival } from "./rival.ts";
import type { Waypoint } from "./waypoint.ts";

type EarlierWaypoint = Omit<Waypoint, "paceKmh">;

interface EarlierFoothold extends EarlierWaypoint {
  /** Nothing near it in time supports it. */
  readonly isAlone: boolean;
  /** It does not follow from the one before. */
  readonly isElsewhere: boolean;
}

/** A state as the first rules stored it. */
export interface EarlierJudgeState {
  readonly anchor: EarlierFoothold | null;
  readonly prev: EarlierFoothold | null;
  readonly chains: readonly (Omit<Chain, "last"> & { readonly last: EarlierWaypoint })[];
  /** The oldest states have none. */
  readonly rival?: (Omit<Rival, "last"> & { readonly last: EarlierWaypoint }) | null;
  readonly pending: readonly PendingFrame[];
}

/**
 * A state of the first rules in the present form. What they did not remember is unknown: the pace of the positions, whether
 * the speed is stuck, and whether the tracker counts satellites, unless a pending frame shows it.
 */
export function judgeFromEarlierRules(earlier: EarlierJudgeState): JudgeState {
  const { anchor, prev, chains, rival = null, pending } = earlier;
  return {
    anchor: anchor && foothold(anchor),
    prev: prev && foothold(prev),
    base: anchor?.isAlone && prev !== null ? foothold(prev) : null,
    chains: chains.map(({ id, firstAt, frames, last }) => ({ id, firstAt, frames, last: waypoint(last) })),
    rival: rival && {
      firstAt: rival.firstAt,
      latitude: rival.latitude,
      longitude: rival.longitude,
      frames: rival.frames,
      last: waypoint(rival.last),
    },
    zeroRun: null,
    countsSatellites: pending.some(({ frame }) => countsSatellites(frame)),
    pending,
  };
}

function waypoint({ at, latitude, longitude, speedKmh, accuracyM }: EarlierWaypoint): Waypoint {
  return { at, latitude, longitude, speedKmh, accuracyM, paceKmh: null };
}

function foothold({ isAlone, isElsewhere, ...rest }: EarlierFoothold): Foothold {
  return { ...waypoint(rest), support: isAlone ? 1 : firmSupport, isDiscontinuity: isElsewhere };
}
