import type { TimePage } from "../../store/pages.ts";
import { nextTurn } from "../turns.ts";

export interface Part<Rows, Place> {
  readonly rows: Rows;
  /** Where the next part begins; null after the last one. */
  readonly next: Place | null;
}

/**
 * Reads part after part, one in each turn of the event loop: SQLite answers on the thread that serves all requests, and
 * between two parts others are answered. `read` returns the part that begins at a place; null is the beginning of the list.
 */
export async function* inParts<Rows, Place>(
  read: (place: Place | null) => Promise<Part<Rows, Place>>,
): AsyncGenerator<Part<Rows, Place>, void, void> {
  for (let place: Place | null = null; ; await nextTurn()) {
    const part = await read(place);
    yield part;
    if (part.next === null) return;
    place = part.next;
  }
}

/** Up to `count` rows of a list that is searched part by part, and no part after the last of them. */
export async function firstRows<Row, Place>(
  count: number,
  read: (place: Place | null) => Promise<Part<readonly Row[], Place>>,
): Promise<Row[]> {
  const found: Row[] = [];
  for await (const { rows } of inParts(read)) {
    found.push(...rows);
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}

/**
 * Reads the parts of a page in time order. `endOfPart` returns the time of the last row of the next part, whether it
 * matches or not; null if the rest is short. Rows of one time are in one part.
 */
export function byTime<Page extends Omit<TimePage<unknown>, "device">, Rows>(
  page: Page,
  endOfPart: (rest: Page) => Promise<number | null>,
  read: (part: Page) => Promise<Rows>,
): (fromMs: number | null) => Promise<Part<Rows, number>> {
  return async (fromMs) => {
    const rest = fromMs === null ? page : { ...page, fromMs, after: null };
    const end = await endOfPart(rest);
    if (end === null) return { rows: await read(rest), next: null };
    return { rows: await read({ ...rest, toMs: end + 1 }), next: end + 1 };
  };
}
