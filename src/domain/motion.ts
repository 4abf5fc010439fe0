import type { Frame } from "./frame.ts";
import { metresBetween, type Place } from "./geometry/distance.ts";

export type Motion = "still" | "moving" | "unclear";

/** A place where a tracker that reports no speed was a moment ago. */
export interface TrailPlace extends Place {
  readonly at: number;
}

/** The last minute of a tracker that reports no speed, one place for every ten seconds; empty for any other. */
export type Trail = readonly TrailPlace[];

export const noTrail: Trail = [];

/** Still up to 3 km/h, moving from 5 km/h; in between it is unclear. A receiver at rest reports up to 2 km/h. */
const stillKmh = 3;
const movingKmh = 5;

/** Without a reported speed, motion is how far it came in this time. In less, errors (40 m) would pass for a speed. */
const windowMs = 30_000;
const longestWindowMs = 60_000;
const trailStepMs = 10_000;

/** Two positions of a parked vehicle, each with an error of 20 m, are farther apart once in 500 times. */
const movedMetres = 100;
/** With errors of 10 m they are never this far apart. */
const restMetres = 50;

export function motionAt(speedKmh: number): Motion {
  if (speedKmh >= movingKmh) return "moving";
  return speedKmh <= stillKmh ? "still" : "unclear";
}

/** Whether a vehicle is under way, by its live position: one without a speed is while its trip lasts. */
export function isUnderWay(live: {
  readonly speed_kmh: number | null;
  readonly ignition: boolean | null;
  readonly trip_id: string | null;
}): boolean {
  const { speed_kmh, ignition, trip_id } = live;
  return speed_kmh === null ? trip_id !== null && ignition !== false : motionAt(speed_kmh) === "moving";
}

/** The motion of a vehicle without a reported speed, by where it was half a minute ago. */
export function motionAlong(trail: Trail, at: number, place: Place): Motion {
  const before = placeBefore(trail, at, windowMs);
  if (before === undefined) return "unclear";
  const metres = metresBetween(before, place);
  const kmh = (metres / (at - before.at)) * 3600;
  if (metres >= movedMetres && kmh >= movingKmh) return "moving";
  return metres <= restMetres || kmh <= stillKmh ? "still" : "unclear";
}

/** How fast a vehicle without a reported speed is by its places. */
export interface PlacesSpeed {
  /** The speed over the last 20 s or more, as far as a vehicle can have come up to it. */
  readonly peakKmh: number;
  /** The mean of that time and as long before, where both halves agree on it. */
  readonly steadyKmh: number;
}

/** The error of two places (20 m each) is 5 km/h in this time. */
const speedWindowMs = 20_000;
/** It is no more than this faster than in the time before: a receiver that fell behind catches up in one leap. */
const maxFasterKmh = 40;
/** No vehicle of a fleet is faster. */
const fastestKmh = 250;
/** Each half of what counts as steady may be this much slower than the whole. */
const steadyWithinKmh = 9;

/** Once for each place of the trail. Null until there are places to measure from, and where they are farther apart than any vehicle drives. */
export function speedAlong(trail: Trail, at: number, place: Place): PlacesSpeed | null {
  const last = trail.at(-1);
  if (last === undefined || slotOf(last.at) === slotOf(at)) return null;
  const middle = placeBefore(trail, at, speedWindowMs);
  if (middle === undefined) return null;
  const first = placeBefore(trail, middle.at, speedWindowMs);
  const lastMs = at - middle.at;
  const lastMetres = metresBetween(middle, place);
  const lastKmh = (lastMetres / lastMs) * 3600;
  if (lastKmh > fastestKmh) return null;
  const earlierMs = first === undefined ? lastMs : middle.at - first.at;
  const earlierMetres = first === undefined ? 0 : metresBetween(first, middle);
  const earlierKmh = (earlierMetres / earlierMs) * 3600;
  const meanKmh = ((earlierMetres + lastMetres) / (earlierMs + lastMs)) * 3600;
  return {
    peakKmh: Math.min(lastKmh, earlierKmh + maxFasterKmh),
    steadyKmh: Math.min(meanKmh, Math.min(lastKmh, earlierKmh) + steadyWithinKmh),
  };
}

/** The newest place that is at least so old. */
function placeBefore(trail: Trail, at: number, ms: number): TrailPlace | undefined {
  let index = trail.length - 1;
  while (index >= 0 && at - (trail[index]?.at ?? 0) < ms) index--;
  return trail[index];
}

/** The trail with one more place, and without those that are too old to matter. The last one stays, however old. */
export function trailAfter(trail: Trail, at: number, { latitude, longitude }: Place): Trail {
  const last = trail.at(-1);
  if (last !== undefined && slotOf(last.at) === slotOf(at)) return trail;
  let oldest = 0;
  while (oldest < trail.length - 1 && at - (trail[oldest]?.at ?? 0) > longestWindowMs) oldest++;
  const next = trail.slice(oldest);
  next.push({ at, latitude, longitude });
  return next;
}

function slotOf(at: number): number {
  return Math.floor(at / trailStepMs);
}

/** At this speed a vehicle does not stay where it is. A parked receiver may report a little less. */
const frozenKmh = 10;
/** No tunnel takes longer: what stays for longer stands, and its speed is an old one. */
const longestFrozenMs = 900_000;

/**
 * Whether a frame repeats the exact coordinates of the one before, at a speed. The receiver has lost its fix, in a tunnel
 * say, and repeats the last one; or the vehicle stands, and the speed is the old one. So the frame shows no new place.
 * What comes next decides: the vehicle goes on elsewhere, or from here.
 */
export function isFrozen(
  before: TrailPlace,
  frame: Pick<Frame, "recordedAt" | "latitude" | "longitude" | "speed_kmh" | "ignition">,
): boolean {
  return (
    frame.latitude === before.latitude &&
    frame.longitude === before.longitude &&
    frame.speed_kmh !== null &&
    frame.speed_kmh >= frozenKmh &&
    frame.ignition !== false &&
    frame.recordedAt > before.at &&
    frame.recordedAt - before.at < longestFrozenMs
  );
}
