import type { Random } from "../../src/simulator/random.ts";
import { type Moment, moved, type Track } from "./track.ts";

/** A bell curve without a bound (Box and Muller). */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** How a receiver errs, on each axis. */
export interface ReceiverError {
  readonly sigmaMetres: number;
  /** After this time an error is forgotten (Gauss and Markov); 0: each one is new. */
  readonly memoryMs: number;
  /** The receiver's filter takes this long to follow; none: 0. */
  readonly smoothMs?: number;
}

/** A stream of errors at ascending times. */
export class Drift {
  readonly #random: Random;
  readonly #error: ReceiverError;
  #at: number | null = null;
  #value = 0;
  #smooth = 0;

  constructor(random: Random, error: ReceiverError) {
    this.#random = random;
    this.#error = error;
  }

  next(at: number): number {
    const { sigmaMetres, memoryMs, smoothMs = 0 } = this.#error;
    const kept = this.#at === null || memoryMs === 0 ? 0 : Math.exp((this.#at - at) / memoryMs);
    this.#value = kept * this.#value + Math.sqrt(1 - kept * kept) * sigmaMetres * normal(this.#random);
    const followed = this.#at === null || smoothMs === 0 ? 1 : 1 - Math.exp((this.#at - at) / smoothMs);
    this.#smooth += followed * (this.#value - this.#smooth);
    this.#at = at;
    // What the filter takes from the size of the errors is given back.
    return this.#smooth * Math.sqrt(1 + smoothMs / Math.max(1, memoryMs));
  }
}

/** The track as a receiver with these errors sees it. */
export function seenWith(track: Track, random: Random, errors: readonly ReceiverError[]): Moment[] {
  const drifts = errors.map((error) => ({ east: new Drift(random, error), north: new Drift(random, error) }));
  return track.map((moment) => {
    let seen = moment;
    for (const { east, north } of drifts) seen = moved(seen, east.next(moment.at), north.next(moment.at));
    return seen;
  });
}

/**
 * As a receiver of today sees it from a moving vehicle: its filter leaves an error of some metres that changes slowly,
 * by some decimetres from second to second (the recorded car, standing, wanders 0.1 m a second). It tells whole kilometres an hour;
 * if it wavers, a little speed even while the vehicle stands.
 */
export function seenFromVehicle(track: Track, random: Random, wavers = false): Moment[] {
  const sigmaMetres = random.between(2, 4);
  const seen = seenWith(track, random, [
    { sigmaMetres, memoryMs: random.between(30_000, 120_000), smoothMs: 10_000 },
    { sigmaMetres: 0.1, memoryMs: 0 },
  ]);
  return seen.map((moment) => ({ ...moment, kmh: moment.kmh === null ? null : speedTold(moment.kmh, random, wavers) }));
}

function speedTold(kmh: number, random: Random, wavers: boolean): number {
  if (kmh < 1 && wavers) return Math.round(Math.abs(1.5 * normal(random)));
  return kmh < 1 ? 0 : Math.max(0, Math.round(kmh + 0.7 * normal(random)));
}
