import type { Visibility } from "../../domain/visibility.ts";
import { type AccountWalk, accountWalk, leastPerDevice } from "../../store/account-walk.ts";
import type { Reader } from "../../store/database.ts";
import type { TimePage } from "../../store/pages.ts";
import { nextTurn } from "../turns.ts";

export interface RowsPart<Rows, Place> {
  readonly rows: Rows;
  /** Where the next part begins; null after the last one. */
  readonly next: Place | null;
}

/**
 * Reads part after part, one in each turn of the event loop: SQLite answers on the thread that serves all requests, and
 * between two parts others are answered. `read` returns the part that begins at a place; null is the beginning of the list.
 */
export async function* inParts<Rows, Place>(
  read: (place: Place | null) => Promise<RowsPart<Rows, Place>>,
): AsyncGenerator<RowsPart<Rows, Place>, void, void> {
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
  read: (place: Place | null) => Promise<RowsPart<readonly Row[], Place>>,
): Promise<Row[]> {
  const found: Row[] = [];
  for await (const { rows } of inParts(read)) {
    found.push(...rows);
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}

/** A list by time: its rows, and the time of the last row of the next part, whether it matches or not. Rows of one time are in one part. */
export interface SearchedList<Page, Rows> {
  readonly endOfPart: (reader: Reader, visibility: Visibility, rest: Page) => Promise<number | null>;
  readonly read: (reader: Reader, visibility: Visibility, part: Page) => Promise<Rows>;
  /** All rows of the page, if they can be found at once; null: they must be searched for. */
  readonly atOnce?: (reader: Reader, visibility: Visibility, page: Page) => Promise<Rows | null>;
  /** Whether a filter has no index. */
  readonly isScanned?: (page: Page) => boolean;
  /** Looking up the first row of a device takes as long as skipping so many rows. */
  readonly rowsPerDevice?: (reader: Reader, visibility: Visibility, page: Page) => Promise<number>;
}

/** The parts of a page in time order. `walkOf` says which; tests have very short ones. */
export async function* partsInSight<Page extends TimePage<unknown>, Rows>(
  reader: Reader,
  visibility: Visibility,
  page: Page,
  {
    endOfPart,
    read,
    atOnce,
    isScanned = () => false,
    rowsPerDevice = async () => leastPerDevice,
  }: SearchedList<Page, Rows>,
  walkOf: typeof accountWalk = accountWalk,
): AsyncGenerator<Rows, void, void> {
  const whole = await atOnce?.(reader, visibility, page);
  if (whole) return yield whole;
  const perDevice = () => rowsPerDevice(reader, visibility, page);
  const walk = (await walkOf(reader, visibility, page, isScanned(page), perDevice)) ?? noWalk;
  let { rowsOfFirstPart: count } = walk;
  let rest = { ...page, among: walk.among };
  for (let walked = 0; walked < walk.maxRows; count = Math.min(2 * count, walk.rowsPerPart)) {
    if (walked > 0) await nextTurn();
    walked += count;
    const end = await endOfPart(reader, visibility, { ...rest, count });
    const toMs = end === null ? page.toMs : end + 1;
    yield await read(reader, visibility, { ...rest, toMs, walksAccount: true });
    if (end === null) return;
    rest = { ...rest, fromMs: toMs, after: null, isLaterPart: true };
  }
  yield await read(reader, visibility, rest);
}

const noWalk: AccountWalk = { rowsOfFirstPart: 0, rowsPerPart: 0, maxRows: 0 };

/** The rows of such a page. */
export async function rowsInSight<Page extends TimePage<unknown>, Row>(
  reader: Reader,
  visibility: Visibility,
  page: Page,
  list: SearchedList<Page, readonly Row[]>,
  walkOf: typeof accountWalk = accountWalk,
): Promise<Row[]> {
  const found: Row[] = [];
  for await (const rows of partsInSight(reader, visibility, page, list, walkOf)) {
    found.push(...rows);
    if (found.length >= page.count) break;
  }
  return found.slice(0, page.count);
}
