export interface LineBounds {
  /** How many may wait for one source. */
  readonly perSource: number;
  readonly together: number;
}

/**
 * Those who wait. The sources take turns, so one that sends many holds up itself more than others. One that has had no turn
 * since it came comes before all that had one.
 */
export class FairLine<Item> {
  readonly #bounds: LineBounds;
  /** Sources without a turn yet, then those that had one, each in the order of their turns. */
  readonly #lines = [new Map<string, Set<Item>>(), new Map<string, Set<Item>>()] as const;
  #size = 0;

  constructor(bounds: LineBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns whether there was room. */
  add(source: string, item: Item): boolean {
    const line = this.#lineOf(source);
    const ofSource = line.get(source) ?? new Set();
    if (ofSource.size >= this.#bounds.perSource || this.#size >= this.#bounds.together) return false;
    line.set(source, ofSource.add(item));
    this.#size++;
    return true;
  }

  remove(source: string, item: Item): void {
    const line = this.#lineOf(source);
    const ofSource = line.get(source);
    if (!ofSource?.delete(item)) return;
    this.#size--;
    if (ofSource.size === 0) line.delete(source);
  }

  /** The next one, who waits no more. */
  take(): Item | undefined {
    for (const line of this.#lines) {
      for (const [source, ofSource] of line) {
        for (const item of ofSource) {
          this.remove(source, item);
          // To the end, so that it is the others' turn.
          if (line.delete(source)) this.#lines[1].set(source, ofSource);
          return item;
        }
      }
    }
    return undefined;
  }

  #lineOf(source: string): Map<string, Set<Item>> {
    const [unserved, served] = this.#lines;
    return served.has(source) ? served : unserved;
  }
}
