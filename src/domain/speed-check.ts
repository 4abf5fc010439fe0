import { metresBetween, type Place } from "./geometry/distance.ts";
import { type Offset, offsetBetween } from "./geometry/offset.ts";

/** What is known of the speeds that a tracker reports. */
export interface SpeedCheck extends Place, Pairs {
  /** The most that the way since that place can have been by these speeds, which are rounded. */
  readonly mostMm: number;
  /** The last leg, if the vehicle moved on it. */
  readonly leg: CheckedLeg | null;
}

/** Pairs of legs that followed each other. Of a check: counted up to `mostPairs`; then both sums and the count are halved. */
export interface Pairs {
  readonly pairs: number;
  /** The sums of the products of such two legs: by the places, as vectors, and by the speeds. */
  readonly byPlaces: number;
  readonly bySpeeds: number;
}

/** A leg, in metres. */
interface CheckedLeg extends Offset {
  readonly bySpeed: number;
  /** So short that the speeds at both ends say much of the time between. */
  readonly isSampled: boolean;
  /** Both speeds are much the same. */
  readonly isSteady: boolean;
  /** How many legs before it led straight on, counted up to 4. */
  readonly straightOn: number;
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

/** On straight ways at a steady speed longer legs show the speeds as well, and smaller errors of them. */
const longestPairedLegMs = 65_000;
const steadyShare = 0.8;
/** The square of the cosine of 13°: positions that err lead straight on for some legs, but not for five. */
const straightShare = 0.95;
const straightLegs = 4;
/** So much is presumed to be right, in square metres: the shorter the legs, the more of them it takes against their errors. */
const presumedStraight = 1_000_000;
/** The square of what the speeds are too low by at least: 1.5 %. */
const leastMore = 0.03;

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

/**
 * By what the speeds must be multiplied to be right: 1 unless straight ways at a steady speed show them to be too low. Errors of
 * the positions and bends that are missed make it less, not more.
 */
export function scaleOf({ byPlaces, bySpeeds }: Pairs): number {
  const more = (byPlaces - bySpeeds) / (bySpeeds + presumedStraight);
  return more < leastMore ? 1 : Math.sqrt(1 + more);
}

/** The check after one more leg, and by how much a stretch that it completes was longer than its speeds allow. */
export interface Checked {
  readonly check: SpeedCheck | null;
  /** Below 0 if it was shorter; 0 if the leg completes none. */
  readonly excessMm: number;
  /** With the leg before, if the way is straight and the speed is steady. */
  readonly straightPair: Pairs | null;
}

/** One more leg, or a frame that follows none. The check is null until the tracker has reported motion. */
export function checked(check: SpeedCheck | null, from: End | null, to: End): Checked {
  if (check === null) return onlyCheck(to.speedKmh !== null && to.speedKmh >= movingKmh ? begun(to, noPairs) : null);
  const bySpeedMm = from === null || to.at - from.at > longestPairedLegMs ? null : speedMmBetween(from, to);
  if (from === null || bySpeedMm === null) return onlyCheck(begun(to, check));
  const leg = legOf(check.leg, from, to, bySpeedMm);
  const { pairs, byPlaces, bySpeeds } = withLeg(check, leg);
  const straightPair = straightPairOf(check.leg, leg);
  if (to.at - from.at > longestSampledLegMs) return { check: { ...begun(to, check), leg }, excessMm: 0, straightPair };
  const { latitude, longitude } = check;
  const mostMm = check.mostMm + bySpeedMm + roundedMm(from, to);
  const next: SpeedCheck = { latitude, longitude, mostMm, leg, pairs, byPlaces, bySpeeds };
  if (slotOf(from.at) === slotOf(to.at)) return { check: next, excessMm: 0, straightPair };
  const straightMm = Math.round(1000 * metresBetween(check, to));
  if (straightMm < stretchMm) return { check: next, excessMm: 0, straightPair };
  return { check: { ...begun(to, next), leg }, excessMm: straightMm - mostMm, straightPair };
}

function legOf(before: CheckedLeg | null, from: End, to: End, bySpeedMm: number): CheckedLeg | null {
  const [one, other] = [from.speedKmh ?? 0, to.speedKmh ?? 0];
  if (one + other < 2 * clearKmh) return null;
  const { east, north } = offsetBetween(from, to);
  const isOn = before !== null && leadsOn(before, east, north);
  return {
    east,
    north,
    bySpeed: Math.round(bySpeedMm / 1000),
    isSampled: to.at - from.at <= longestSampledLegMs,
    isSteady: Math.min(one, other) >= steadyShare * Math.max(one, other),
    straightOn: isOn ? Math.min(straightLegs, before.straightOn + 1) : 0,
  };
}

function leadsOn(before: Offset, east: number, north: number): boolean {
  const product = before.east * east + before.north * north;
  const squares = (before.east * before.east + before.north * before.north) * (east * east + north * north);
  return product > 0 && product * product >= straightShare * squares;
}

export const noPairs: Pairs = { pairs: 0, byPlaces: 0, bySpeeds: 0 };

function withLeg(check: SpeedCheck, next: CheckedLeg | null): Pairs {
  const { leg } = check;
  if (leg === null || next === null || !leg.isSampled || !next.isSampled) return check;
  const pairs = check.pairs + 1;
  const byPlaces = check.byPlaces + leg.east * next.east + leg.north * next.north;
  const bySpeeds = check.bySpeeds + leg.bySpeed * next.bySpeed;
  if (pairs < mostPairs) return { pairs, byPlaces, bySpeeds };
  return { pairs: pairs / 2, byPlaces: Math.round(byPlaces / 2), bySpeeds: Math.round(bySpeeds / 2) };
}

/** Whether the second leg leads on does not matter: it must not be chosen by its errors. */
function straightPairOf(leg: CheckedLeg | null, next: CheckedLeg | null): Pairs | null {
  if (leg === null || next === null || leg.straightOn < straightLegs || !leg.isSteady || !next.isSteady) return null;
  const byPlaces = leg.east * next.east + leg.north * next.north;
  return { pairs: 1, byPlaces, bySpeeds: leg.bySpeed * next.bySpeed };
}

export function sumOf(one: Pairs, other: Pairs): Pairs {
  return {
    pairs: one.pairs + other.pairs,
    byPlaces: one.byPlaces + other.byPlaces,
    bySpeeds: one.bySpeeds + other.bySpeeds,
  };
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
  return { check, excessMm: 0, straightPair: null };
}

function begun({ latitude, longitude }: End, { pairs, byPlaces, bySpeeds }: Pairs): SpeedCheck {
  return { latitude, longitude, mostMm: 0, leg: null, pairs, byPlaces, bySpeeds };
}

function slotOf(at: number): number {
  return Math.floor(at / slotMs);
}
