import { lengthOf, type Offset, offsetBetween } from "../geometry/offset.ts";
import type { Leg } from "../sighting.ts";
import { longestSampledLegMs } from "../speed-check.ts";

/** How much longer than the straight line the way of a leg may be, and where the leg leads. */
export interface Winding {
  readonly moreMm: number;
  /** Null if it is too short to show that. */
  readonly heading: Offset | null;
}

/**
 * In this time a winding road may lead twice as far as the straight line. If the speeds say more, they are wrong. A road on
 * which one comes on fast winds less.
 */
const twiceAsFarMs = 90_000;
const straighterPerKmh = 0.012;
const leastWinding = 0.3;
/** In a queue it hardly comes round a bend, and its speeds at two moments say little. */
const queueKmh = 11;
/** Legs so short show most of the bends themselves. */
const sampledWinding = 0.4;

/** A shorter leg shows no direction: it may be the error of its positions. */
const headingMetres = 20;
/** Within so far a road hardly bends and bends back again. */
const bendMetres = 250;
/** All of a bend may be on one leg. */
const onOneLeg = 6;

/**
 * Where the road bends, the leg leads elsewhere than the one before it: straight over both, the way is shorter. On a straight
 * road it is not, and what the speeds at two moments say too much (they may be those of a green light each time) does not
 * count. `chordMm`: what of the leg counts straight.
 */
export function windingOf(leg: Leg, chordMm: number, before: Offset | null): Winding {
  const { from, to, ms, metres, impliedKmh } = leg;
  const isSampled = ms <= longestSampledLegMs;
  const share = isSampled ? sampledWinding * windingAt(impliedKmh) : queueOrWindingAt(impliedKmh);
  const usualMm = (chordMm * share * ms) / twiceAsFarMs;
  const heading = metres < headingMetres ? null : offsetBetween(from, to);
  if (heading === null || before === null || (!isSampled && metres > bendMetres)) return { moreMm: usualMm, heading };
  return { moreMm: Math.min(onOneLeg * usualMm, bentMm(before, heading)), heading };
}

function bentMm(one: Offset, other: Offset): number {
  const both = lengthOf(one.east, one.north) + lengthOf(other.east, other.north);
  return 1000 * (both - lengthOf(one.east + other.east, one.north + other.north));
}

function queueOrWindingAt(impliedKmh: number): number {
  return impliedKmh < queueKmh ? leastWinding : windingAt(impliedKmh);
}

function windingAt(impliedKmh: number): number {
  return Math.max(leastWinding, 1 - straighterPerKmh * impliedKmh);
}
