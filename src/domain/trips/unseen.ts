import { toMm } from "../geometry/distance.ts";
import type { Leg } from "../sighting.ts";
import { isGap, type Pace } from "./pace.ts";

/** What a vehicle may have driven in a gap of more than ten minutes. */
const shortestUnseenMs = 600_000;
export const fastestUnseenKmh = 150;
const farthestUnseenMetres = 500_000;

/** Whether a leg is so long that what was driven in it counts as unseen. */
export function isUnseen(ms: number, pace: Pace): boolean {
  return ms > shortestUnseenMs && isGap(ms, pace);
}

/** What an unseen leg counts for: nothing if no vehicle drives so fast or so far in one go. */
export function unseenMm({ metres, impliedKmh }: Pick<Leg, "metres" | "impliedKmh">): number {
  return impliedKmh > fastestUnseenKmh || metres > farthestUnseenMetres ? 0 : toMm(metres);
}
