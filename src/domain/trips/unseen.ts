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

/** Whether a vehicle may have driven an unseen leg: faster, or farther in one go, it was carried. */
export function isRoadSpeed({ metres, impliedKmh }: Pick<Leg, "metres" | "impliedKmh">): boolean {
  return impliedKmh <= fastestUnseenKmh && metres <= farthestUnseenMetres;
}

/** What an unseen leg counts for. */
export function unseenMm(leg: Pick<Leg, "metres" | "impliedKmh">): number {
  return isRoadSpeed(leg) ? toMm(leg.metres) : 0;
}
