/** Rows of an ordered source, read some at a time. */
export class Buffered<Row> {
  readonly #read: (after: Row | null) => Promise<readonly Row[]>;
  readonly #count: number;
  #rows: readonly Row[] = [];
  #next = 0;
  #isOver = false;

  /** `read` returns up to `count` rows after one. */
  constructor(count: number, read: (after: Row | null, count: number) => Promise<readonly Row[]>) {
    this.#count = count;
    this.#read = (after) => read(after, count);
  }

  /** The next row; null at the end. */
  async peek(): Promise<Row | null> {
    if (this.#next === this.#rows.length && !this.#isOver) {
      this.#rows = await this.#read(this.#rows.at(-1) ?? null);
      this.#next = 0;
      this.#isOver = this.#rows.length < this.#count;
    }
    return this.#rows[this.#next] ?? null;
  }

  skip(): void {
    this.#next++;
  }
}
