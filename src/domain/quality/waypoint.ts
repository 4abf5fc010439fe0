import { kmh } from "../sighting.ts";
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

/** Out of reach nothing confirms a speed: else a tracker that always reports 0 would never be believed elsewhere. */
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

/** No vehicle of a fleet is faster, whether by its reported speed or by its positions. */
const fastestKmh = 250;

/** 10 m/s² (as km/h per second): no vehicle of a fleet brakes or accelerates harder. */
const hardestKmhPerSecond = 36;
const longestForAccelerationMs = 10_000;

/** Over a longer time the road may have turned back, so that the leg is short; then only a vehicle at rest is clear. */
const longestForRoadMs = 20_000;
const restMetres = 50;
/** Over a longer time yet a vehicle may have stood for most of it. */
const longestForImpliedMs = 120_000;
const maxRatioToImplied = 2;
const maxAboveImpliedKmh = 30;

/**
 * The speed that a frame reports, or null if it is not to be believed: negative, faster than any vehicle, out of reach
 * of the speed before, or far above the speed that its leg implies. `before` is the accepted frame it follows, `metres`
 * away; null if it follows none, as after a discontinuity. Two frames of one moment say nothing about each other's speed.
 */
export function believedSpeedKmh(
  reportedKmh: number | null,
  at: number,
  before: { readonly at: number; readonly speedKmh: number | null } | null,
  metres: number,
): number | null {
  if (reportedKmh === null || reportedKmh < 0 || reportedKmh > fastestKmh) return null;
  if (before === null) return reportedKmh;
  const ms = at - before.at;
  if (ms <= 0 || ms > longestForImpliedMs) return reportedKmh;
  const isComparable = ms <= longestForRoadMs || metres <= restMetres;
  if (isComparable && reportedKmh > maxRatioToImplied * kmh(metres, ms) + maxAboveImpliedKmh) return null;
  if (ms > longestForAccelerationMs || before.speedKmh === null) return reportedKmh;
  const changeKmh = Math.abs(reportedKmh - before.speedKmh);
  return changeKmh * 1000 > hardestKmhPerSecond * ms ? null : reportedKmh;
}

/** How far two good fixes of one place lie apart, if no accuracy is reported: nine in ten pairs, 20 m off, are closer. */
export const slackMetres = 60;

/** Trackers cut the time off to whole seconds. */
const shortestMs = 1000;

/** Over a longer time the speeds at both ends do not limit the speed between them. */
const longestForSpeedsMs = 60_000;

/** Within this time a vehicle cannot speed up and slow down again, so one known speed limits the leg. */
const longestForOneSpeedMs = 10_000;

/** How much faster than a known speed it is on average: 80 km/h is 160 at one end; within seconds by 10 m/s². */
const maxAboveSpeedsKmh = 80;
const maxAboveSpeedsKmhPerSecond = 18;

/** Whether a vehicle can have come from one waypoint to a later one, `metres` away. Even in no time, a fix may drift. */
export function reaches(from: Waypoint, to: Waypoint, metres: number): boolean {
  const ms = Math.max(shortestMs, to.at - from.at);
  return metres <= metresAt(topKmh(from, to, ms), ms) + Math.max(slackMetres, from.accuracyM + to.accuracyM);
}

/** The highest average speed. The pace counts as well as the speeds, since some trackers report 0 all the time. */
function topKmh(from: Waypoint, to: Waypoint, ms: number): number {
  if (ms > longestForSpeedsMs) return fastestKmh;
  const areSpeedsKnown = from.speedKmh !== null && to.speedKmh !== null;
  if (!areSpeedsKnown && (from.paceKmh === null || ms > longestForOneSpeedMs)) return fastestKmh;
  const knownKmh = Math.max(from.paceKmh ?? 0, from.speedKmh ?? 0, to.speedKmh ?? 0);
  return Math.min(fastestKmh, knownKmh + Math.min(maxAboveSpeedsKmh, (maxAboveSpeedsKmhPerSecond * ms) / 1000));
}

function metresAt(speedKmh: number, ms: number): number {
  return (speedKmh * ms) / 3600;
}
