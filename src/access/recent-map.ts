/** A map of bounded size: when it is full, what was not asked for longest is forgotten. */
export class RecentMap<Value> {
  readonly #most: number;
  readonly #entries = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  /** What is kept under the key, made first if there is nothing. */
  entry(key: string, make: () => Value): Value {
    const value = this.#entries.get(key) ?? make();
    // A map keeps its order, so what is used goes to the end.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#most) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
    return value;
  }

  get size(): number {
    return this.#entries.size;
  }
}
