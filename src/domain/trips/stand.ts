import { metresBetween, type Place } from "../geometry/distance.ts";
import { degreesEast } from "../geometry/longitudes.ts";
import type { Fix, Leg } from "../sighting.ts";

/**
 * Where a vehicle stands, or has last stood for a moment. A position of it may be tens of metres off, so the place is the
 * middle of several: the first of each minute, the last nine of them. So it follows a slow drift, and no single position
 * moves it.
 */
export interface Stand {
  readonly places: readonly Place[];
  /** The minute of the last of them. */
  readonly minute: number;
}

const maxPlaces = 9;
const minuteMs = 60_000;
const repeatMs = 10_000;

/** So many positions in a row are no stray ones. Over some seconds, a receiver's errors are alike. */
const awayFrames = 3;
/** Reflections put a parked tracker off for up to three frames in a row. */
const surelyAwayFrames = 4;
const awayMs = 15_000;
const fewAwayFrames = 2;
const fewAwayMs = 20_000;

export function standAt({ at, latitude, longitude }: Place & { readonly at: number }): Stand {
  return { places: [{ latitude, longitude }], minute: minuteOf(at) };
}

/** One more position of a vehicle that stands. One that repeats the last place at once adds nothing. */
export function standWith(stand: Stand, { to, metres, ms }: Leg): Stand {
  const { at, latitude, longitude } = to;
  const minute = minuteOf(at);
  if (minute === stand.minute || (metres === 0 && ms < repeatMs)) return stand;
  return { places: [...stand.places.slice(1 - maxPlaces), { latitude, longitude }], minute };
}

/** Errors of 5 m at both ends explain less in nine of ten cases. */
const creptMetres = 15;

/**
 * Whether the vehicle has come on in the last two minutes, as in a queue before a light. Its first place does not count: it
 * may still have been driving there.
 */
export function isCreeping({ places }: Stand, fix: Place): boolean {
  const before = places[Math.max(1, places.length - 3)];
  return before !== undefined && metresBetween(before, fix) > creptMetres;
}

/** A stand changes once a minute at most, and several rules ask for its place at every frame. */
const placesOfStands = new WeakMap<Stand, Place>();

/** The middle of its places: half of them are north of it, half of them east of it. */
export function standPlace(stand: Stand): Place {
  const [first, second] = stand.places;
  if (first === undefined) throw new Error("a stand has a place");
  if (second === undefined) return first;
  const known = placesOfStands.get(stand);
  if (known !== undefined) return known;
  const place = middleOf(first, stand.places);
  placesOfStands.set(stand, place);
  return place;
}

function middleOf(first: Place, places: readonly Place[]): Place {
  return {
    latitude: middle(places.map(({ latitude }) => latitude)),
    longitude: degreesEast(
      0,
      first.longitude + middle(places.map(({ longitude }) => degreesEast(first.longitude, longitude))),
    ),
  };
}

export function metresFrom(stand: Stand, fix: Place): number {
  return metresBetween(standPlace(stand), fix);
}

/** Positions away from a stand, in a row. */
export interface Away {
  readonly since: number;
  /** Counted up to 4; more would not matter. */
  readonly frames: number;
}

export function awayWith(away: Away | null, at: number): Away {
  return away === null
    ? { since: at, frames: 1 }
    : { since: away.since, frames: Math.min(surelyAwayFrames, away.frames + 1) };
}

export function isAwayForGood({ since, frames }: Away, at: number): boolean {
  const ms = at - since;
  return (frames >= awayFrames && ms >= awayMs) || (frames >= fewAwayFrames && ms >= fewAwayMs);
}

/** The same for a vehicle that nothing shows to move but its positions. */
export function isSurelyAway({ since, frames }: Away, at: number): boolean {
  return frames >= surelyAwayFrames && at - since >= awayMs;
}

/** On a trip, motion shows that a position away from the stand is no error. */
export function isMoving({ from, to }: Leg): boolean {
  return from.motion === "moving" || to.motion === "moving";
}

/** Between trips, only a reported speed shows it: without one, motion is judged from the same positions. */
export function isReportedMoving({ from, to }: Leg): boolean {
  return isMovingBySpeed(from) || isMovingBySpeed(to);
}

/** Whether it reports that it moves. */
export function isMovingBySpeed({ speedKmh, motion }: Fix): boolean {
  return speedKmh !== null && motion === "moving";
}

function minuteOf(at: number): number {
  return Math.floor(at / minuteMs);
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
}
