/** The window that was read. */
export interface ReadWindow {
  readonly from: string;
  readonly to: string;
  /** Whether more was asked for than is allowed, so that `from` was moved forward. */
  readonly isClamped: boolean;
}

export interface Page<Row> {
  readonly data: Row[];
  /** Null: the last page. */
  readonly nextCursor: string | null;
  /** Null where the list has none. */
  readonly window: ReadWindow | null;
  /** Of changes: where to begin next time, once all pages are read. Null for every other list. */
  readonly resumeAfter: string | null;
}

/** A list, read page by page as it is gone through. Going through it again reads it again. */
export class Pages<Row> implements AsyncIterable<Row> {
  readonly #read: (cursor: string | null) => Promise<Page<Row>>;

  constructor(read: (cursor: string | null) => Promise<Page<Row>>) {
    this.#read = read;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  async *pages(): AsyncGenerator<Page<Row>, void, undefined> {
    let cursor: string | null = null;
    do {
      const page: Page<Row> = await this.#read(cursor);
      yield page;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** All of it at once: for lists that are known to be short. */
  async all(): Promise<Row[]> {
    const rows: Row[] = [];
    // Not `push(...page)`: a page may be long.
    for await (const row of this) rows.push(row);
    return rows;
  }
}

export function windowOf(headers: Headers): ReadWindow | null {
  const [from, to] = [headers.get("X-Window-From"), headers.get("X-Window-To")];
  if (from === null || to === null) return null;
  return { from, to, isClamped: headers.get("X-Window-Clamped") === "true" };
}
