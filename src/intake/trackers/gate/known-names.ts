import { trackerKey } from "../../../domain/text/identifiers.ts";
import type { NamesPage, NamesPlace } from "../../../store/fleet/name-changes.ts";
import { DigestSet } from "./digest-set.ts";

/** Names that devices no longer have are forgotten as often. Until then such a tracker costs a look-up each time. */
const readAllMs = 60 * 60_000;

/** The names of devices after a place; null: from the beginning. */
export type ReadNames = (after: NamesPlace | null) => Promise<NamesPage>;

interface NamesSoFar {
  readonly digests: DigestSet;
  place: NamesPlace | null;
}

/**
 * Which IMEIs and tracker ids some device has, as digests in memory: so strangers cost no query, and those that are no strangers are
 * never taken for some. It is read in pages after the start, and followed by `refresh`.
 */
export class KnownNames {
  readonly #read: ReadNames;
  readonly #now: () => number;
  #known = noNames();
  /** When all were read; null: not yet. */
  #wholeAt: number | null = null;
  /** Those who wait until all are read. */
  #waiting: PromiseWithResolvers<void> | null = null;

  /** `now` only measures. */
  constructor(read: ReadNames, now: () => number = () => performance.now()) {
    this.#read = read;
    this.#now = now;
  }

  /** Whether a device has this name, as far as they are read. */
  has(name: string): boolean {
    return this.#known.digests.has(trackerKey(name));
  }

  get isWhole(): boolean {
    return this.#wholeAt !== null;
  }

  /** Resolves when all names are read. Rejects if they cannot be read now. */
  whole(): Promise<void> {
    if (this.isWhole) return Promise.resolve();
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** Reads what is new; returns whether there was something. If it fails, the next goes on where it ended. */
  async refresh(): Promise<boolean> {
    const isDue = this.#wholeAt !== null && this.#now() - this.#wholeAt >= readAllMs;
    const known = isDue ? noNames(this.#known.digests.size) : this.#known;
    const waiting = () => {
      const those = this.#waiting;
      this.#waiting = null;
      return those;
    };
    try {
      const count = await this.#readInto(known);
      this.#known = known;
      if (isDue || this.#wholeAt === null) this.#wholeAt = this.#now();
      waiting()?.resolve();
      return count > 0;
    } catch (error) {
      waiting()?.reject(error);
      throw error;
    }
  }

  async #readInto(known: NamesSoFar): Promise<number> {
    let count = 0;
    for (let isLast = false; !isLast; ) {
      const page = await this.#read(known.place);
      for (const key of page.keys) known.digests.add(key);
      count += page.keys.length;
      known.place = page.place;
      isLast = page.isLast;
      // An embedded store answers at once: all else would wait until the last page is read.
      if (!isLast) await new Promise((resolve) => setImmediate(resolve));
    }
    return count;
  }
}

function noNames(expected = 0): NamesSoFar {
  return { digests: new DigestSet(expected), place: null };
}
