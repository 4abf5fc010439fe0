import { believedSpeedKmh } from "./believed-speed.ts";
import { knownAccuracyM, type PlacedFrame } from "./own-verdict.ts";

/** What is remembered of a frame to judge those after it. */
export interface Waypoint {
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Believed, or null. */
  readonly speedKmh: number | null;
  /** 0 if the tracker did not say. */
  readonly accuracyM: number;
}

/** A frame as the next one after another, `metres` away, or as the first of its kind. */
export function waypointAfter(before: Waypoint | null, frame: PlacedFrame, metres: number): Waypoint {
  return {
    at: frame.recordedAt,
    latitude: frame.latitude,
    longitude: frame.longitude,
    speedKmh: believedSpeedKmh(frame.speed_kmh, frame.recordedAt, before, metres),
    accuracyM: knownAccuracyM(frame) ?? 0,
  };
}
