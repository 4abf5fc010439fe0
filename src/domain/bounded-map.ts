interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  /** Whether it was looked up since it was last considered for removal. */
  isUsed: boolean;
}

export interface Bounds<Key, Value> {
  /** What all entries together may weigh. */
  readonly max: number;
  /** 1 for each entry where it is not given: then `max` is how many there may be. */
  readonly weigh?: (key: Key, value: Value) => number;
}

/**
 * A map for what grows with what callers send. When it is full, entries go one by one, the oldest first; one that was looked
 * up since gets another round. So what is in use stays, and a flood of new keys pushes out other new keys.
 *
 * A look-up sets a flag and moves nothing: moving an entry to the end costs twice as much as finding it.
 */
export class BoundedMap<Key, Value> {
  readonly #max: number;
  readonly #weigh: (key: Key, value: Value) => number;
  readonly #entries = new Map<Key, Entry<Value>>();
  #weight = 0;

  constructor({ max, weigh = () => 1 }: Bounds<Key, Value>) {
    this.#max = max;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** What all entries weigh together, never more than the bound. */
  get weight(): number {
    return this.#weight;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  /** A value heavier than the bound is not added, and the one under its key before is removed. */
  set(key: Key, value: Value): void {
    this.delete(key);
    const weight = this.#weigh(key, value);
    if (weight > this.#max) return;
    this.#weight += weight;
    // Others make room before it comes in, so it is not among those that may go.
    if (this.#weight > this.#max) this.#makeRoom();
    this.#entries.set(key, { value, weight, isUsed: false });
  }

  /** The value under the key; it is made first if there is none. */
  getOrMake(key: Key, make: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = make();
    this.set(key, value);
    return value;
  }

  delete(key: Key): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#weight -= entry.weight;
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #makeRoom(): void {
    // Ends after at most two rounds: in the first every flag is cleared. Entries that are moved come again at the end.
    for (const [key, entry] of this.#entries) {
      if (this.#weight <= this.#max) return;
      this.#entries.delete(key);
      if (entry.isUsed) {
        entry.isUsed = false;
        this.#entries.set(key, entry);
      } else {
        this.#weight -= entry.weight;
      }
    }
  }
}
