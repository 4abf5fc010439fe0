/** Hashes whole numbers into one of 32 bits; neighbouring numbers have unrelated hashes. */
export function mixed(...numbers: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const number of numbers) {
    hash = Math.imul(hash ^ (number | 0), 0x85ebca6b);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** What random streams are for. Each is seeded by all it is about, so nothing depends on what was generated before. */
export const purposes = {
  region: 1,
  fleet: 2,
  works: 3,
  sleeps: 4,
  tour: 5,
  drive: 6,
  tracker: 7,
  faults: 8,
  identity: 9,
  people: 10,
} as const;

/** A stream of random numbers (mulberry32). */
export class Random {
  #state: number;

  constructor(...seeds: readonly number[]) {
    this.#state = mixed(...seeds);
  }

  /** From 0 up to but not including 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    const state = this.#state;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  /** Whole, both ends included. */
  whole(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  /** Around 0, two thirds of it within 1 and none beyond 3: near enough to a bell curve. */
  wobble(): number {
    return (this.next() + this.next() + this.next()) * 2 - 3;
  }
}
