import { lowerMedian } from "../lower-median.ts";
import type { Leg } from "../sighting.ts";

/** How often a device reports while it moves: the seconds of its last few moving legs, newest last. */
export type Pace = readonly number[];

export const unknownPace: Pace = [];

/** A few legs, so that one long or short one among them does not count. */
const maxLegs = 5;
/** Slower trackers (one position every few hours) show no trips. */
const maxSeconds = 3600;
/** Slower than this, the vehicle stood for most of the leg: it shows how often a parked tracker reports. */
const movingKmh = 5;
/** Shorter legs may be the drift of a parked vehicle, unless a speed is reported. */
const drivenMetres = 100;

export function paceAfter(pace: Pace, { to, metres, ms, impliedKmh }: Leg): Pace {
  if (ms <= 0 || impliedKmh < movingKmh) return pace;
  if (metres < drivenMetres && to.motion !== "moving") return pace;
  const seconds = Math.min(Math.max(1, Math.round(ms / 1000)), maxSeconds);
  if (pace.length === maxLegs && pace.every((other) => other === seconds)) return pace;
  return [...pace.slice(1 - maxLegs), seconds];
}

/** The usual time between two frames of a moving vehicle; 0 if none has moved yet. */
export function usualMs(pace: Pace): number {
  return 1000 * lowerMedian(pace);
}

/** A longer leg is a gap: nobody knows what happened in it. One lost frame, or two, make no gap. */
export function gapMs(pace: Pace): number {
  return Math.max(shortestGapMs, 3 * usualMs(pace));
}

const shortestGapMs = 300_000;

/** Almost no leg is this long, so the usual time need not be found for each. */
export function isGap(ms: number, pace: Pace): boolean {
  return ms > shortestGapMs && ms > gapMs(pace);
}

export const shortestSilenceMs = 3_600_000;

/** From here on, a leg on which the vehicle hardly moved was a stop: as long as it must stand for a trip to end. */
export function slowGapMs(pace: Pace, isIgnitionOn: boolean): number {
  return Math.max(isIgnitionOn ? 300_000 : 180_000, 3 * usualMs(pace));
}

/** Over a gap, slower than this is a stop with some driving, faster is an unseen drive. */
export const slowestBridgeKmh = 10;

/** After a longer silence a trip is over, whatever comes next. */
export function silenceMs(pace: Pace): number {
  return Math.max(shortestSilenceMs, 4 * usualMs(pace));
}

/** A tracker that has sent nothing for this long is not sending any more: a frame may come a little late. */
export function stillSendingMs(pace: Pace): number {
  return Math.max(shortestSendingMs, 1.5 * usualMs(pace));
}

export const shortestSendingMs = 30_000;

/** How long a vehicle may have been driving when it is first seen away from its stop. */
export function longestUnseenStartMs(pace: Pace): number {
  return pace.length === 0 ? 600_000 : Math.max(60_000, 6 * usualMs(pace));
}
