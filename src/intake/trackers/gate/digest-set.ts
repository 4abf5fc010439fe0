/** Slots that a new set has. */
const fewestSlots = 1_024;

/**
 * A set of short digests of texts, in 8 bytes each: 11 to 22 bytes of memory with the free slots, however long the texts. It
 * may say of a text that it is there though only one with the same digest is: of a million texts, one time in 18 million million.
 */
export class DigestSet {
  /** Two for each slot, both 0 where it is free. */
  #halves: Uint32Array;
  // Others cannot work out which texts share a digest.
  readonly #seeds = crypto.getRandomValues(new Uint32Array(2));
  #size = 0;

  /** With room for so many; it grows if there are more, which takes some 50 ms for a million. */
  constructor(expected = 0) {
    let slots = fewestSlots;
    while (4 * expected >= 3 * slots) slots *= 2;
    this.#halves = new Uint32Array(2 * slots);
  }

  get size(): number {
    return this.#size;
  }

  add(text: string): void {
    // Above three quarters, looking for a free slot takes long.
    if (8 * this.#size >= 3 * this.#halves.length) this.#grow();
    this.#put(...this.#digestOf(text));
  }

  has(text: string): boolean {
    const [high, low] = this.#digestOf(text);
    return this.#halves[this.#placeOf(high, low) + 1] !== 0;
  }

  #digestOf(text: string): readonly [high: number, low: number] {
    const [one = 0, other = 0] = this.#seeds;
    // Never 0, which is a free slot.
    return [Bun.hash.xxHash32(text, one), Bun.hash.xxHash32(text, other) || 1];
  }

  #put(high: number, low: number): void {
    const place = this.#placeOf(high, low);
    if (this.#halves[place + 1] !== 0) return;
    this.#halves[place] = high;
    this.#halves[place + 1] = low;
    this.#size++;
  }

  /** Where it is, or else where it would be. */
  #placeOf(high: number, low: number): number {
    const halves = this.#halves;
    const last = halves.length / 2 - 1;
    let slot = high & last;
    while (halves[2 * slot + 1] !== 0 && (halves[2 * slot] !== high || halves[2 * slot + 1] !== low)) {
      slot = (slot + 1) & last;
    }
    return 2 * slot;
  }

  #grow(): void {
    const before = this.#halves;
    this.#halves = new Uint32Array(2 * before.length);
    this.#size = 0;
    for (let place = 0; place < before.length; place += 2) {
      const low = before[place + 1] ?? 0;
      if (low !== 0) this.#put(before[place] ?? 0, low);
    }
  }
}
