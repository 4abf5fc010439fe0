import { randomNumbers } from "../../test/support/random-drive.ts";

/** Choices that are the same for the same seed. */
export class Chance {
  readonly number: () => number;

  constructor(seed: number) {
    this.number = randomNumbers(seed);
  }

  /** Whether something of this probability happens. */
  is(probability: number): boolean {
    return this.number() < probability;
  }

  /** A whole number, both ends included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.number() * (max - min + 1));
  }

  of<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.number() * items.length)];
    if (item === undefined) throw new Error("there is nothing to choose from");
    return item;
  }

  /** One of several things, each as often as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, item: T])[]): T {
    let left = this.number() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, item] of choices) {
      left -= weight;
      if (left < 0) return item;
    }
    throw new Error("there is nothing to choose from");
  }
}
