import { kmh } from "../sighting.ts";
import { believedSpeedKmh, fastestKmh } from "./believed-speed.ts";
import { knownAccuracyM, type PlacedFrame } from "./own-verdict.ts";

/** What is remembered of a frame to judge those after it. */
export interface Waypoint {
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Reported and believed, or null. */
  readonly speedKmh: number | null;
  /** 0 if not reported. */
  readonly accuracyM: number;
  /** How fast the vehicle came here by its positions; null if it follows no frame, or one too long ago to say. */
  readonly paceKmh: number | null;
}

/** Over a longer leg a vehicle may have stood for most of the time: its pace at the end is unknown. */
const longestForPaceMs = 120_000;

/** Within less time a vehicle moves less than its fix errs, so the pace changes only in part. */
const shortestForPaceMs = 1000;

/** The waypoint of a frame that follows another, `metres` away, or is the first. */
export function waypointAfter(before: Waypoint | null, frame: PlacedFrame, metres: number): Waypoint {
  return {
    at: frame.recordedAt,
    latitude: frame.latitude,
    longitude: frame.longitude,
    speedKmh: believedSpeedKmh(frame.speed_kmh, frame.recordedAt, before, metres),
    accuracyM: knownAccuracyM(frame) ?? 0,
    paceKmh: before === null ? null : paceAfter(before, frame.recordedAt - before.at, metres),
  };
}

/**
 * The waypoint of a frame that is out of reach: nothing confirms its speed yet, so its speed does not limit what it
 * reaches. Else a tracker that reports 0 all the time would never be believed in another place.
 */
export function waypointOutOfReach(frame: PlacedFrame): Waypoint {
  return { ...waypointAfter(null, frame, 0), speedKmh: null };
}

function paceAfter({ paceKmh }: Waypoint, ms: number, metres: number): number | null {
  if (ms > longestForPaceMs) return null;
  if (ms <= 0) return paceKmh;
  const impliedKmh = Math.min(fastestKmh, kmh(metres, ms));
  if (paceKmh === null || ms >= shortestForPaceMs) return impliedKmh;
  return paceKmh + ((impliedKmh - paceKmh) * ms) / shortestForPaceMs;
}
