interface Entry<Value> {
  value: Value;
  readonly weight: number;
  /** Whether it was looked up since it was last considered for removal. */
  isUsed: boolean;
}

export interface WeightBounds<Key, Value> {
  /** The greatest total weight of all entries. */
  readonly max: number;
  /** By default each entry weighs 1, so `max` is the number of entries. */
  readonly weigh?: (key: Key, value: Value) => number;
}

/**
 * A map for data that grows with what callers send. When it is full, the oldest entries are removed one by one; an
 * entry that was looked up since gets another round. So entries in use stay, and a flood of new keys pushes out other
 * new keys.
 *
 * A look-up sets a flag and moves nothing: moving an entry to the end costs twice as much as finding it.
 */
export class BoundedMap<Key, Value> {
  readonly #max: number;
  readonly #weigh: (key: Key, value: Value) => number;
  readonly #entries = new Map<Key, Entry<Value>>();
  #weight = 0;

  constructor({ max, weigh = () => 1 }: WeightBounds<Key, Value>) {
    this.#max = max;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The total weight of all entries, never more than the bound. */
  get weight(): number {
    return this.#weight;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  /** A value heavier than the bound is not added; any earlier value under its key is removed. */
  set(key: Key, value: Value): void {
    const weight = this.#weigh(key, value);
    const entry = this.#entries.get(key);
    if (entry?.weight === weight) {
      entry.value = value;
      entry.isUsed = true;
      return;
    }
    this.delete(key);
    if (weight > this.#max) return;
    this.#weight += weight;
    // Room is made before it is added, so it cannot be removed itself.
    if (this.#weight > this.#max) this.#makeRoom();
    this.#entries.set(key, { value, weight, isUsed: false });
  }

  /** The value under the key, made first if there is none. */
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

  deleteIf(isConcerned: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) if (isConcerned(value)) this.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #makeRoom(): void {
    // Ends after at most two rounds: the first clears every flag. Entries moved to the end come up again.
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
