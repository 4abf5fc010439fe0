import type { Page } from "../api/pages.ts";
import type { Window } from "../common/days.ts";

/** Rows of a report, read piece by piece in the server's order. A read that failed or was aborted can be tried again. */
export interface RowSource<Row> {
  next(signal: AbortSignal): Promise<readonly Row[]>;
  readonly isEnd: boolean;
  /** How much is read, from 0 to 1. */
  readonly share: number;
}

/** How a list of the API becomes rows. */
export interface ListRead<Item, Row> {
  /** Each as long as the API reads at once. */
  readonly windows: readonly Window[];
  readonly read: (window: Window, cursor: string | null, signal: AbortSignal) => Promise<Page<Item>>;
  readonly rowsOf: (items: readonly Item[], window: Window) => readonly Row[];
  /** What is known only at the end. */
  readonly lastRows?: () => readonly Row[];
  /** When an item is in a window; null if the list is not in the order of time. */
  readonly timeOf: ((item: Item) => string) | null;
}

export class ListSource<Item, Row> implements RowSource<Row> {
  readonly #list: ListRead<Item, Row>;
  #index = 0;
  #cursor: string | null = null;
  #readTo: number;
  isEnd: boolean;

  constructor(list: ListRead<Item, Row>) {
    this.#list = list;
    this.#readTo = list.windows[0]?.from ?? 0;
    this.isEnd = list.windows.length === 0;
  }

  get share(): number {
    const { windows } = this.#list;
    const [from, to] = [windows[0]?.from ?? 0, windows.at(-1)?.to ?? 0];
    return this.isEnd || to <= from ? 1 : Math.min(1, (this.#readTo - from) / (to - from));
  }

  /** The rows of the next page. */
  async next(signal: AbortSignal): Promise<readonly Row[]> {
    const { windows, read, rowsOf, lastRows, timeOf } = this.#list;
    const window = windows[this.#index];
    if (this.isEnd || window === undefined) return [];
    const { data, next_cursor } = await read(window, this.#cursor, signal);
    this.#cursor = next_cursor;
    const last = data.at(-1);
    if (next_cursor === null) {
      this.#index++;
      this.#readTo = window.to;
    } else if (last !== undefined && timeOf !== null) {
      this.#readTo = Math.max(this.#readTo, Date.parse(timeOf(last)));
    }
    const rows = rowsOf(data, window);
    if (this.#index < windows.length) return rows;
    this.isEnd = true;
    return lastRows ? [...rows, ...lastRows()] : rows;
  }
}

/** A window in pieces of at most so many milliseconds. Pure. */
export function piecesOf({ from, to }: Window, maxMs: number): Window[] {
  const pieces: Window[] = [];
  for (let start = from; start < to; start += maxMs) pieces.push({ from: start, to: Math.min(start + maxMs, to) });
  return pieces;
}
