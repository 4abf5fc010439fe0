import { lowerMedian } from "../lower-median.ts";
import type { Leg, Sighting } from "../sighting.ts";

/** Reported speeds near the limit or above it, newest last. Only while the vehicle is about that fast. */
export type SpeedSamples = readonly (readonly [at: number, kmh: number])[];

export const noSamples: SpeedSamples = [];

/** What a frame says about the speed. */
export interface SpeedEvidence {
  readonly kmh: number;
  /** Faster than the limit and what is tolerated above it. */
  readonly isAbove: boolean;
  /** Back at the limit. */
  readonly isBelow: boolean;
  /** It was so for longer than overtaking takes. */
  readonly isLasting: boolean;
}

/** Nobody knows how fast the vehicle was between frames further apart than this. */
export const longestGapMs = 300_000;

/** Enough to know a speed that scatters by 4 km/h to within the tolerance. */
const maxSamples = 10;
/** Speeds closer together err together. */
const slotMs = 3000;
/** Slower than this below the limit, speeds show how it came up to the limit, and nothing of how they scatter. */
const farBelowKmh = 20;

/** Speedometers and receivers are not exact: speeding begins this much above the limit. */
const toleratedKmh = 5;
/** The same for the speed by the places over 40 s and more: with errors of 15 m at each end it is 1.7 km/h off. */
const toleratedByPlacesKmh = 9;

/** By chance, the mean of some speeds is off by less than so many times its usual error. */
const maxTimesError = 4.5;
/** A receiver's speeds do not scatter more. If they do, the vehicle was driven so. */
const maxScatterKmh = 4.5;
/** Speeds that rise to another level are spread, but do not scatter: most neighbours are close together. */
const maxTimesStep = 3;

/**
 * Weighs a frame's speed against a limit. `isUnderWay`: something has begun that may end. No evidence: the frame does not
 * say how fast it is, or changes nothing.
 */
export function weigh(
  samples: SpeedSamples,
  { fix, leg }: Sighting,
  limitKmh: number,
  isUnderWay: boolean,
): { readonly samples: SpeedSamples; readonly evidence: SpeedEvidence | null } {
  if (fix === null) return { samples, evidence: null };
  const { at, speedKmh: kmh } = fix;
  if (kmh === null) return { samples, evidence: evidenceOfPlaces(leg, limitKmh) };
  if (leg !== null && isContradicted(leg)) return { samples, evidence: null };
  if (kmh < limitKmh - farBelowKmh) {
    const evidence = { kmh, isAbove: false, isBelow: true, isLasting: false };
    return { samples: samples.length === 0 ? samples : noSamples, evidence };
  }
  const last = samples.at(-1);
  if (last !== undefined && slotOf(last[0]) === slotOf(at)) return { samples, evidence: null };
  const isAfterGap = last !== undefined && at - last[0] > longestGapMs;
  const extended = isAfterGap ? [] : samples.slice(1 - maxSamples);
  extended.push([at, kmh]);
  // Nothing can begin with this frame.
  if (!isUnderWay && kmh <= limitKmh + toleratedKmh) return { samples: extended, evidence: null };
  return { samples: extended, evidence: evidenceOfMeans(extended, kmh, limitKmh) };
}

function slotOf(at: number): number {
  return Math.floor(at / slotMs);
}

/** In the last 40 s and more, on the whole and in each half of them. */
function evidenceOfPlaces(leg: Leg | null, limitKmh: number): SpeedEvidence | null {
  const kmh = leg?.byPlaces?.steadyKmh;
  if (kmh === undefined) return null;
  return { kmh, isAbove: kmh > limitKmh + toleratedByPlacesKmh, isBelow: kmh <= limitKmh, isLasting: true };
}

/** As few of the last speeds as say it clearly, by their mean: one of a good receiver, ten that scatter widely. */
function evidenceOfMeans(samples: SpeedSamples, kmh: number, limitKmh: number): SpeedEvidence {
  // No scatter explains as much.
  if (kmh > limitKmh + maxTimesError * maxScatterKmh) return { kmh, isAbove: true, isBelow: false, isLasting: false };
  const errorKmh = maxTimesError * scatterOf(samples);
  let sumKmh = 0;
  for (let count = 1; count <= samples.length; count++) {
    sumKmh += samples[samples.length - count]?.[1] ?? 0;
    const aboveKmh = sumKmh / count - limitKmh;
    const marginKmh = Math.max(toleratedKmh, errorKmh / Math.sqrt(count));
    // One that is back at the limit shows nothing above it, however fast those before it were.
    const isAbove = kmh > limitKmh && aboveKmh > marginKmh;
    const isBelow = aboveKmh <= toleratedKmh - marginKmh;
    if (isAbove || isBelow) return { kmh, isAbove, isBelow, isLasting: false };
  }
  return { kmh, isAbove: false, isBelow: false, isLasting: false };
}

/** How much the speeds of a vehicle that keeps its speed differ (a standard deviation). */
function scatterOf(samples: SpeedSamples): number {
  if (samples.length < 2) return 0;
  let sum = 0;
  let squares = 0;
  const steps: number[] = [];
  // From the first one, so that the squares are small numbers.
  const base = samples[0]?.[1] ?? 0;
  let before = base;
  for (let index = 1; index < samples.length; index++) {
    const kmh = samples[index]?.[1] ?? 0;
    sum += kmh - base;
    squares += (kmh - base) * (kmh - base);
    steps.push(Math.abs(kmh - before));
    before = kmh;
  }
  const variance = Math.max(0, squares - (sum * sum) / samples.length) / (samples.length - 1);
  return Math.min(maxScatterKmh, Math.sqrt(variance), maxTimesStep * lowerMedian(steps));
}

/** On a longer leg the vehicle may have stood, or turned back. */
const longestComparableMs = 45_000;
/** Both places may be off, and in this time a road winds so far that it is twice as long as the straight line. */
const slackMetres = 60;
const twiceAsFarMs = 180_000;

/** The speeds at both ends of a leg lead farther than the places do: wrong speeds come in pairs, too. */
function isContradicted({ from, to, metres, ms }: Leg): boolean {
  if (ms <= 0 || ms > longestComparableMs || to.speedKmh === null) return false;
  const meanKmh = ((from.speedKmh ?? to.speedKmh) + to.speedKmh) / 2;
  return (meanKmh * ms) / 3600 > metres * (1 + ms / twiceAsFarMs) + slackMetres;
}
