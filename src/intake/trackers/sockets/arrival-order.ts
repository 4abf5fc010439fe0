interface Standing<Item> {
  readonly item: Item;
  before: Standing<Item> | null;
  behind: Standing<Item> | null;
}

/** Items in the order in which they came. Any can leave, in a time that does not grow: a `Set` looks for its first among all that left. */
export class ArrivalOrder<Item> {
  readonly #standing = new Map<Item, Standing<Item>>();
  #first: Standing<Item> | null = null;
  #last: Standing<Item> | null = null;

  get size(): number {
    return this.#standing.size;
  }

  get first(): Item | null {
    return this.#first?.item ?? null;
  }

  has(item: Item): boolean {
    return this.#standing.has(item);
  }

  add(item: Item): void {
    if (this.has(item)) return;
    const standing: Standing<Item> = { item, before: this.#last, behind: null };
    if (this.#last === null) this.#first = standing;
    else this.#last.behind = standing;
    this.#last = standing;
    this.#standing.set(item, standing);
  }

  delete(item: Item): void {
    const standing = this.#standing.get(item);
    if (standing === undefined) return;
    this.#standing.delete(item);
    const { before, behind } = standing;
    if (before === null) this.#first = behind;
    else before.behind = behind;
    if (behind === null) this.#last = before;
    else behind.before = before;
  }
}
