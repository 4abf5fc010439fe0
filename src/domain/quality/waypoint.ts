import { believedSpeedKmh } from "./believed-speed.ts";
import { knownAccuracyM, type PlacedFrame } from "./own-verdict.ts";

/** What is remembered of a frame to judge those after it. */
export interface Waypoint {
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Believed, or null. */
  readonly speedKmh: number | null;
  /** 0 if not reported. */
  readonly accuracyM: number;
}

/** The waypoint of a frame that follows another, `metres` away, or is the first. */
export function waypointAfter(before: Waypoint | null, frame: PlacedFrame, metres: number): Waypoint {
  return {
    at: frame.recordedAt,
    latitude: frame.latitude,
    longitude: frame.longitude,
    speedKmh: believedSpeedKmh(frame.speed_kmh, frame.recordedAt, before, metres),
    accuracyM: knownAccuracyM(frame) ?? 0,
  };
}
