import { type Place, toMm } from "../geometry/distance.ts";
import { lengthOf, offsetBetween } from "../geometry/offset.ts";

/**
 * What a vehicle without a reported speed does in one neighbourhood. One that drives goes on in the direction of its last
 * leg, mostly, or turns back on it, as in a field. Under a roof the positions of one that stands waver by a hundred metres,
 * and the next leg leads anywhere. Offsets are in whole metres from the first place.
 */
export interface Roaming extends Place {
  /** The last place, and the leg that led there. */
  readonly east: number;
  readonly north: number;
  readonly legEast: number;
  readonly legNorth: number;
  /** The sums of all places, for their middle. */
  readonly places: number;
  readonly sumEast: number;
  readonly sumNorth: number;
  /** Whether it drives at all: grows with each leg that leads elsewhere, and falls with each that leads on. */
  readonly doubt: number;
  /** It stands. */
  readonly isWavering: boolean;
  /** It has got away, or a leg was too long to say anything. */
  readonly isOver: boolean;
  /** The way since the doubt began: not counted yet. */
  readonly heldMm: number;
}

/** Errors of 60 m on both axes are never greater. */
const neighbourhoodMetres = 300;
/** In hundredths of the cosine between two legs: a turn of up to 60° leads on. */
const leadsOn = 50;
/** In the opposite direction, but for the width of a row: it turned round. */
const leadsBack = -95;
/** In a longer leg a vehicle may have turned more than once. */
const longestLegMs = 40_000;
/** About one turn. From here on the way is held back until the doubt is gone. */
const doubtful = 100;
/** Some thirty legs that lead anywhere. A road through a town turns, too, but leaves the neighbourhood before. */
const proven = 1200;
/** So that a vehicle that drives off is believed after some legs. */
const mostDoubt = 1800;

export function roamingFrom({ latitude, longitude }: Place): Roaming {
  const nowhere = { east: 0, north: 0, legEast: 0, legNorth: 0, places: 1, sumEast: 0, sumNorth: 0 };
  return { latitude, longitude, ...nowhere, doubt: 0, isWavering: false, isOver: false, heldMm: 0 };
}

/** One more corner of the way, after a leg that took so long. */
export function roamedTo(before: Roaming, to: Place, ms: number): Roaming {
  const { latitude, longitude, places, sumEast, sumNorth, heldMm } = before;
  if (ms > longestLegMs) return { ...before, isOver: true };
  const { east, north } = offsetBetween(before, to);
  if (fromMiddle(before, east, north) > neighbourhoodMetres) return { ...before, isOver: true };
  const legEast = east - before.east;
  const legNorth = north - before.north;
  const doubt = Math.min(mostDoubt, Math.max(0, before.doubt + doubtOf(before, legEast, legNorth)));
  return {
    latitude,
    longitude,
    east,
    north,
    legEast,
    legNorth,
    places: places + 1,
    sumEast: sumEast + east,
    sumNorth: sumNorth + north,
    doubt,
    isWavering: doubt > 0 && (before.isWavering || doubt >= proven),
    isOver: false,
    // It drives on from a stand: what was held back till then was none of its way.
    heldMm: doubt === 0 && before.isWavering ? 0 : heldMm,
  };
}

interface Counted {
  readonly roaming: Roaming;
  readonly countedMm: number;
}

/** A place was reached, by a way of so many millimetres. */
export function counted(roaming: Roaming, to: Place, mm: number): Counted {
  const { isOver, isWavering, heldMm, doubt } = roaming;
  if (isOver) {
    const { east, north } = offsetBetween(roaming, to);
    // It stood in the middle of where its positions wavered.
    const countedMm = isWavering && heldMm > 0 ? Math.max(mm, toMm(fromMiddle(roaming, east, north))) : mm + heldMm;
    return { roaming: roamingFrom(to), countedMm };
  }
  const isHeld = doubt >= doubtful || (doubt > 0 && heldMm > 0);
  if (isHeld) return { roaming: { ...roaming, heldMm: heldMm + mm }, countedMm: 0 };
  return { roaming: heldMm === 0 ? roaming : { ...roaming, heldMm: 0 }, countedMm: mm + heldIn(roaming) };
}

function fromMiddle({ places, sumEast, sumNorth }: Roaming, east: number, north: number): number {
  return lengthOf(east - sumEast / places, north - sumNorth / places);
}

function doubtOf({ legEast, legNorth }: Roaming, nextEast: number, nextNorth: number): number {
  const product = lengthOf(legEast, legNorth) * lengthOf(nextEast, nextNorth);
  if (product === 0) return 0;
  const onward = Math.round((100 * (legEast * nextEast + legNorth * nextNorth)) / product);
  return onward <= leadsBack ? 0 : leadsOn - onward;
}

/** What counts of the way held back when the trip ends, or the doubt. */
export function heldIn({ isWavering, heldMm }: Roaming): number {
  return isWavering ? 0 : heldMm;
}
