import { metresBetween, type Place } from "./geometry/distance.ts";

/** The way by the reported speeds since a place, to hold against the straight line from there. */
export interface SpeedCheck extends Place {
  /** The three minutes that it is about. */
  readonly slot: number;
  readonly speedMm: number;
  /** By how much the speeds have lately been less than the straight lines, all in all. */
  readonly missingMm: number;
}

const slotMs = 180_000;

/** A vehicle that stands does not seem to go this far, even with errors of 200 m. */
const leastMm = 1_000_000;
/** Speeds may be off by so much. Roads wind: over some kilometres, right speeds show more than that above the line. */
const allowedShare = 1.1;
/** Errors of 200 m do not add up to this, since what is too far once is too near afterwards. */
const mostMissingMm = 800_000;

/** In more time a vehicle may stop and start again: the speeds at both ends say little of the time between. */
export const longestSampledLegMs = 15_000;

/** Some trackers always report 0. One that has reported this speed does not. */
const movingKmh = 5;

interface End extends Place {
  readonly at: number;
  readonly speedKmh: number | null;
}

/**
 * Whether the speeds show how far the vehicle came. No way is shorter than the straight line: speeds that keep adding up to
 * less are too low (knots or m/s, say).
 */
export function areTrusted(check: SpeedCheck | null): boolean {
  return check !== null && check.missingMm < mostMissingMm;
}

/** The check after one more leg, or after a frame that follows none; null until the tracker has reported motion. */
export function checkAfter(check: SpeedCheck | null, from: End | null, to: End): SpeedCheck | null {
  if (check === null) return to.speedKmh !== null && to.speedKmh >= movingKmh ? begun(to, 0) : null;
  const { latitude, longitude, slot, missingMm } = check;
  const isSampled = from !== null && to.at - from.at <= longestSampledLegMs;
  const bySpeedMm = isSampled ? speedMmBetween(from, to) : null;
  if (bySpeedMm === null) return begun(to, missingMm);
  const speedMm = check.speedMm + bySpeedMm;
  if (slot === slotOf(to.at)) return { latitude, longitude, slot, speedMm, missingMm };
  const straightMm = 1000 * metresBetween(check, to);
  if (straightMm < leastMm) return begun(to, missingMm);
  const moreMm = missingMm + Math.round(straightMm - allowedShare * speedMm);
  return begun(to, Math.min(Math.max(0, moreMm), 2 * mostMissingMm));
}

/** What the mean of both speeds makes of a leg; null without both. */
export function speedMmBetween(from: End, to: End): number | null {
  if (from.speedKmh === null || to.speedKmh === null) return null;
  return Math.round(((from.speedKmh + to.speedKmh) / 7.2) * (to.at - from.at));
}

function begun({ at, latitude, longitude }: End, missingMm: number): SpeedCheck {
  return { latitude, longitude, slot: slotOf(at), speedMm: 0, missingMm };
}

function slotOf(at: number): number {
  return Math.floor(at / slotMs);
}
