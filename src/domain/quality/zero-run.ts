import { metresBetween, type Place } from "../geometry/distance.ts";
import { kmh } from "../sighting.ts";
import type { Waypoint } from "./waypoint.ts";

/** A way that the positions show while each frame reports that the vehicle stands. */
export interface ZeroRun extends Place {
  /** When and where it began. */
  readonly at: number;
  /** Counted up to 4; more would not matter. */
  readonly legs: number;
  /** The speed is stuck: a report that the vehicle stands is not believed until another speed is reported. */
  readonly isStuck: boolean;
}

/** A vehicle that stands reports no more. */
const standingKmh = 3;

/** No parked vehicle drifts so fast, and none is pushed. */
const drivingKmh = 30;

/** A vehicle in traffic may stand at both ends of a leg and have driven between them, but not of all legs in a row. */
const legsToConvince = 4;
const msToConvince = 60_000;

/** Over a longer leg nothing is known of the speed at its ends: some trackers report only where the vehicle stops. */
const longestLegMs = 60_000;

/** What is known after a frame was accepted that follows the anchor, `metres` away. */
export function zeroRunAfter(
  run: ZeroRun | null,
  anchor: Waypoint | null,
  to: Waypoint,
  reportedKmh: number | null,
  metres: number,
): ZeroRun | null {
  if (reportedKmh !== null && reportedKmh > standingKmh) return null;
  if (run?.isStuck) return run;
  if (reportedKmh === null || anchor === null) return null;
  const ms = to.at - anchor.at;
  if (ms <= 0) return run;
  if (ms > longestLegMs || kmh(metres, ms) < drivingKmh || !isStanding(anchor)) return null;
  const { at, latitude, longitude, legs } = run ?? { ...anchor, legs: 0 };
  const lastsMs = to.at - at;
  const isStuck =
    legs + 1 >= legsToConvince &&
    lastsMs >= msToConvince &&
    kmh(metresBetween({ latitude, longitude }, to), lastsMs) >= drivingKmh;
  return { at, latitude, longitude, legs: Math.min(legsToConvince, legs + 1), isStuck };
}

export function withoutStuckSpeed(waypoint: Waypoint, run: ZeroRun | null): Waypoint {
  return run?.isStuck && isStanding(waypoint) ? { ...waypoint, speedKmh: null } : waypoint;
}

function isStanding({ speedKmh }: Waypoint): boolean {
  return speedKmh !== null && speedKmh <= standingKmh;
}
