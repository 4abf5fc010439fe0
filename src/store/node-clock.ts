import type { Observe } from "../observe/observation.ts";
import { repeat } from "../observe/repeat.ts";
import { storeNow } from "./clock.ts";
import { isEmbedded, type Reader } from "./database.ts";

/**
 * Machines that keep their time differ by far less. Within this, a node goes by its own clock: a correction would only add the
 * time that the store takes to answer.
 */
const toleratedMs = 5_000;

const compareEveryMs = 60 * 1000;
const warnEveryMs = 10 * 60 * 1000;

/**
 * The time of a node: when frames are received and keys, sessions and links expire. All nodes of a store must agree on it: one
 * whose clock is an hour behind would take every frame for one from the future. So a node whose clock is wrong follows that
 * of the store.
 */
export class NodeClock {
  readonly #reader: Reader;
  readonly #observe: Observe;
  /** The store's time when this process's own counter had a value; null: this machine's clock is right. */
  #followed: { readonly storeAt: number; readonly counter: number } | null = null;
  #warnAt = Number.NEGATIVE_INFINITY;

  constructor(reader: Reader, observe: Observe) {
    this.#reader = reader;
    this.#observe = observe;
  }

  /** By the counter, which nobody sets: a clock that is set right meanwhile must not be corrected a second time. */
  readonly now = (): number =>
    this.#followed ? Math.round(this.#followed.storeAt + performance.now() - this.#followed.counter) : Date.now();

  async compare(): Promise<void> {
    const aheadMs = await clockDifferenceMs(this.#reader);
    const differs = Math.abs(aheadMs) > toleratedMs;
    this.#followed = differs ? { storeAt: Date.now() - aheadMs, counter: performance.now() } : null;
    this.#observe({ kind: "clock_compared", aheadSeconds: aheadMs / 1000 });
    if (differs) this.#warn(aheadMs);
    else this.#warnAt = Number.NEGATIVE_INFINITY;
  }

  /** Compares the clocks once a minute. Returns the function that ends it. */
  keepComparing(): () => Promise<void> {
    return repeat("clock of the store", compareEveryMs, this.#observe, () => this.compare());
  }

  #warn(aheadMs: number): void {
    const now = performance.now();
    if (now < this.#warnAt) return;
    this.#warnAt = now + warnEveryMs;
    this.#observe({ kind: "clock_differs", aheadSeconds: Math.round(aheadMs / 1000) });
  }
}

/**
 * How far this machine's clock is ahead of the store's, in milliseconds. The question and its answer take time, and the
 * store's clock was read at some moment between; so it is at least this far ahead, or behind if it is negative, and 0 if
 * the two may agree. An embedded store has no clock of its own.
 */
async function clockDifferenceMs(reader: Reader): Promise<number> {
  if (isEmbedded(reader)) return 0;
  const askedAt = Date.now();
  const storeAt = await storeNow(reader);
  const answeredAt = Date.now();
  if (askedAt > storeAt) return askedAt - storeAt;
  return Math.min(0, answeredAt - storeAt);
}
