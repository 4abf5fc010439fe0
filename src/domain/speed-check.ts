import { metresPerDegree, radiansPerDegree } from "./geometry/bounding-box.ts";
import { metresBetween, type Place } from "./geometry/distance.ts";
import { degreesEast } from "./geometry/longitudes.ts";

/** What is known of the speeds that a tracker reports. */
export interface SpeedCheck extends Place {
  /** The most that the way since that place can have been by these speeds, which are rounded. */
  readonly mostMm: number;
  /** The last leg, in metres, if the vehicle moved on it. */
  readonly leg: LegVector | null;
  /** Legs that followed each other, counted up to `mostPairs`; then both sums and the count are halved. */
  readonly pairs: number;
  /** The sums of the products of such two legs: by the places, as vectors, and by the speeds. */
  readonly byPlaces: number;
  readonly bySpeeds: number;
}

interface LegVector {
  readonly east: number;
  readonly north: number;
  readonly bySpeed: number;
}

/** How often the way is held against the straight line. */
const slotMs = 20_000;
/** A vehicle that stands does not seem to go this far, even with errors of 200 m. */
const stretchMm = 1_000_000;

/**
 * Errors of the positions make each leg longer, but not the product of two: the error that one ends with, the next begins
 * with. So the product is larger than that of the speeds only if the speeds are too low. These ones are by a seventh.
 */
const lowShare = 1.3;
/** So many pairs of right ones are presumed. */
const presumedPairs = 24;
const mostPairs = 400;

/** In more time a vehicle may stop and start again: the speeds at both ends say little of the time between. */
export const longestSampledLegMs = 15_000;

/** Some trackers always report 0. One that has reported this speed does not. */
const movingKmh = 5;

/** Slower legs show little of the speeds. */
const clearKmh = 10;

/** Slower than this, the error of the positions outweighs that of the speeds. */
const crawlKmh = 15;
/** Faster, the speeds are only an upper bound, and many trackers round them down by up to this. */
const roundedKmh = 1;

interface Timed {
  readonly at: number;
  readonly speedKmh: number | null;
}

interface End extends Place, Timed {}

/** Whether the speeds show how far the vehicle came: not if they have lately been too low (knots or m/s, say). */
export function areTrusted(check: SpeedCheck | null): boolean {
  if (check === null) return false;
  const { pairs, byPlaces, bySpeeds } = check;
  return byPlaces * pairs <= lowShare * bySpeeds * (pairs + presumedPairs);
}

/** The check after one more leg, and by how much a stretch that it completes was longer than its speeds allow. */
export interface Checked {
  readonly check: SpeedCheck | null;
  /** Below 0 if it was shorter; 0 if the leg completes none. */
  readonly excessMm: number;
}

/** One more leg, or a frame that follows none. The check is null until the tracker has reported motion. */
export function checked(check: SpeedCheck | null, from: End | null, to: End): Checked {
  if (check === null) return onlyCheck(to.speedKmh !== null && to.speedKmh >= movingKmh ? begun(to, noPairs) : null);
  const bySpeedMm = from === null || to.at - from.at > longestSampledLegMs ? null : speedMmBetween(from, to);
  if (from === null || bySpeedMm === null) return onlyCheck(begun(to, check));
  const mostMm = check.mostMm + bySpeedMm + roundedMm(from, to);
  const { latitude, longitude } = check;
  const leg = vectorOf(from, to, bySpeedMm);
  const { pairs, byPlaces, bySpeeds } = withPair(check, leg);
  const next: SpeedCheck = { latitude, longitude, mostMm, leg, pairs, byPlaces, bySpeeds };
  if (slotOf(from.at) === slotOf(to.at)) return onlyCheck(next);
  const straightMm = Math.round(1000 * metresBetween(check, to));
  if (straightMm < stretchMm) return onlyCheck(next);
  return { check: { ...begun(to, next), leg }, excessMm: straightMm - mostMm };
}

function vectorOf(from: End, to: End, bySpeedMm: number): LegVector | null {
  if ((from.speedKmh ?? 0) + (to.speedKmh ?? 0) < 2 * clearKmh) return null;
  const metresEast = metresPerDegree * Math.cos(to.latitude * radiansPerDegree);
  return {
    east: Math.round(degreesEast(from.longitude, to.longitude) * metresEast),
    north: Math.round((to.latitude - from.latitude) * metresPerDegree),
    bySpeed: Math.round(bySpeedMm / 1000),
  };
}

type Pairs = Pick<SpeedCheck, "pairs" | "byPlaces" | "bySpeeds">;

const noPairs: Pairs = { pairs: 0, byPlaces: 0, bySpeeds: 0 };

function withPair(check: SpeedCheck, next: LegVector | null): Pairs {
  const { leg } = check;
  if (leg === null || next === null) return check;
  const pairs = check.pairs + 1;
  const byPlaces = check.byPlaces + leg.east * next.east + leg.north * next.north;
  const bySpeeds = check.bySpeeds + leg.bySpeed * next.bySpeed;
  if (pairs < mostPairs) return { pairs, byPlaces, bySpeeds };
  return { pairs: pairs / 2, byPlaces: Math.round(byPlaces / 2), bySpeeds: Math.round(bySpeeds / 2) };
}

/** What the mean of both speeds makes of a leg; null without both. */
export function speedMmBetween(from: Timed, to: Timed): number | null {
  if (from.speedKmh === null || to.speedKmh === null) return null;
  return Math.round(((from.speedKmh + to.speedKmh) / 7.2) * (to.at - from.at));
}

/** What the speeds may have been rounded down by. At a crawl they count as they are. */
export function roundedMm(from: Timed, to: Timed): number {
  return isCrawl(from, to) ? 0 : Math.round(((to.at - from.at) * roundedKmh) / 3.6);
}

export function isCrawl(from: Timed, to: Timed): boolean {
  return (from.speedKmh ?? 0) + (to.speedKmh ?? 0) < 2 * crawlKmh;
}

function onlyCheck(check: SpeedCheck | null): Checked {
  return { check, excessMm: 0 };
}

function begun({ latitude, longitude }: End, { pairs, byPlaces, bySpeeds }: Pairs): SpeedCheck {
  return { latitude, longitude, mostMm: 0, leg: null, pairs, byPlaces, bySpeeds };
}

function slotOf(at: number): number {
  return Math.floor(at / slotMs);
}
