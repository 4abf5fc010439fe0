/** A binary heap: nothing in it comes before its first item. */
export class Heap<Item> {
  readonly #items: Item[] = [];
  readonly #isBefore: (one: Item, other: Item) => boolean;

  constructor(isBefore: (one: Item, other: Item) => boolean) {
    this.#isBefore = isBefore;
  }

  get first(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    let index = this.#items.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(item, this.#items[parent] as Item)) break;
      this.#items[index] = this.#items[parent] as Item;
      index = parent;
    }
    this.#items[index] = item;
  }

  replaceFirst(item: Item): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#isBefore(items[child + 1] as Item, items[child] as Item)) child++;
      if (!this.#isBefore(items[child] as Item, item)) break;
      items[index] = items[child] as Item;
      index = child;
    }
    items[index] = item;
  }

  removeFirst(): void {
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) this.replaceFirst(last);
  }
}
