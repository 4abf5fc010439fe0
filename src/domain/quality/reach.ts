import { fastestKmh } from "./believed-speed.ts";
import type { Waypoint } from "./waypoint.ts";

/** How far off a good receiver may be, plus what a vehicle drives between two seconds. */
const slackMetres = 100;

/** Over a longer time the speeds at both ends do not limit the speed between them. */
const longestForSpeedsMs = 60_000;
const maxAboveSpeedsKmh = 80;

/** Whether a vehicle can have come from one waypoint to a later one, `metres` away. Even in no time, a fix may drift. */
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
