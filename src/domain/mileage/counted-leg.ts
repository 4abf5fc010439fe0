import { isDriven, type Leg } from "../sighting.ts";
import { type LegPart, nothing } from "./day-tally.ts";

/** A longer leg is a gap: nobody knows how it was driven. */
const longestSeenMs = 600_000;
/** What a vehicle may have driven unseen. */
const fastestUnseenKmh = 150;
const farthestUnseenMetres = 500_000;

/** While a vehicle stands, no leg leads farther. */
const standingMetres = 50;

/** What a leg counts for. A parked vehicle drives nowhere, however its position drifts. */
export function countLeg(leg: Leg): LegPart {
  const { from, to, metres, ms, impliedKmh } = leg;
  const isGap = ms > longestSeenMs;
  if (isDriven(leg)) {
    if (isGap && (impliedKmh > fastestUnseenKmh || metres > farthestUnseenMetres)) return nothing;
    const distanceMm = Math.round(metres * 1000);
    return { distanceMm, gapMm: isGap ? distanceMm : 0, drivingMs: isGap ? 0 : ms, idleMs: 0 };
  }
  const isStanding = from.motion === "still" && to.motion === "still" && metres <= standingMetres;
  const isOn = from.ignition === true && to.ignition === true;
  return isStanding && isOn && !isGap ? { distanceMm: 0, gapMm: 0, drivingMs: 0, idleMs: ms } : nothing;
}

/**
 * The part of a leg between two moments, by time. Adjacent parts add up exactly to the whole: each is the leg's count
 * up to its end minus the count up to its beginning.
 */
export function partOf(whole: LegPart, { from, ms }: Leg, begin: number, end: number): LegPart {
  const before = (begin - from.at) / ms;
  const until = (end - from.at) / ms;
  return {
    distanceMm: between(whole.distanceMm, before, until),
    gapMm: between(whole.gapMm, before, until),
    drivingMs: between(whole.drivingMs, before, until),
    idleMs: between(whole.idleMs, before, until),
  };
}

function between(whole: number, before: number, until: number): number {
  return Math.round(whole * until) - Math.round(whole * before);
}
