import { fastestKmh } from "./believed-speed.ts";
import type { Waypoint } from "./waypoint.ts";

/**
 * How far two good fixes of one place lie apart, if the tracker does not say how far off it is. Even where each is 20 m
 * off on both axes (as between high houses), nine in ten pairs are closer.
 */
export const slackMetres = 60;

/** Trackers cut the time off to whole seconds. */
const shortestMs = 1000;

/** Over a longer time the speeds at both ends do not limit the speed between them. */
const longestForSpeedsMs = 60_000;

/** Within this time a vehicle cannot speed up and slow down again, so one known speed limits the leg. */
const longestForPaceMs = 10_000;

/**
 * How much faster than any known speed a vehicle is on average: no more than 80 km/h, since that is 160 km/h at one end,
 * and within seconds no more than the 10 m/s² allow that no vehicle of a fleet exceeds.
 */
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
  if (!areSpeedsKnown && (from.paceKmh === null || ms > longestForPaceMs)) return fastestKmh;
  const knownKmh = Math.max(from.paceKmh ?? 0, from.speedKmh ?? 0, to.speedKmh ?? 0);
  return Math.min(fastestKmh, knownKmh + Math.min(maxAboveSpeedsKmh, (maxAboveSpeedsKmhPerSecond * ms) / 1000));
}

function metresAt(speedKmh: number, ms: number): number {
  return (speedKmh * ms) / 3600;
}
