import { fastestKmh } from "./believed-speed.ts";
import type { Waypoint } from "./waypoint.ts";

/** What a good receiver may be off, and what a vehicle does between two seconds. */
const slackMetres = 100;

/** Over a longer time the speeds at both ends do not show how fast it was between them. */
const longestForSpeedsMs = 60_000;
const maxAboveSpeedsKmh = 80;

/** Whether a vehicle can have come from one waypoint to a later one, `metres` away. In no time it may still stray. */
export function reaches(from: Waypoint, to: Waypoint, metres: number): boolean {
  const ms = to.at - from.at;
  if (metres > metresAt(fastestKmh, ms) + slackMetres + from.accuracyM + to.accuracyM) return false;
  if (ms > longestForSpeedsMs || from.speedKmh === null || to.speedKmh === null) return true;
  const topKmh = Math.max(from.speedKmh, to.speedKmh) + maxAboveSpeedsKmh;
  return metres <= metresAt(topKmh, ms) + slackMetres;
}

function metresAt(speedKmh: number, ms: number): number {
  return (speedKmh * ms) / 3600;
}
