import { getPage, pageLimit } from "../api/pages.ts";
import type { Window } from "../common/days.ts";
import { ListSource, piecesOf, type RowSource } from "./row-source.ts";

const dayMs = 86_400_000;
/** The API reads this many days of what happened at once. */
const maxWindowMs = 31 * dayMs;

/** As many rows as are drawn at first. */
const firstLimit = 100;

/** What a report of a list asks for. */
export interface ListScope {
  readonly window: Window;
  /** The only vehicle; null: several, or all. */
  readonly deviceId: string | null;
  /** Those that the filters leave; null: all. */
  readonly ids: ReadonlySet<string> | null;
}

interface ListOptions<Item, Row> {
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string | null>>;
  readonly timeOf: (item: Item) => string;
  readonly rowsOf: (items: readonly Item[], window: Window) => readonly Row[];
  readonly lastRows?: () => readonly Row[];
}

/** A list of the API as a source of rows: one vehicle is asked for by name, several are picked from all. */
export function listSource<Item extends { readonly device_id: string }, Row>(
  { window, deviceId, ids }: ListScope,
  { path, parameters = {}, timeOf, rowsOf, lastRows }: ListOptions<Item, Row>,
): RowSource<Row> {
  const picked = (items: readonly Item[]) =>
    ids === null || deviceId !== null ? items : items.filter(({ device_id }) => ids.has(device_id));
  return new ListSource<Item, Row>({
    windows: ids?.size === 0 ? [] : piecesOf(window, maxWindowMs),
    read: ({ from, to }, cursor, signal) =>
      getPage<Item>(
        path,
        {
          ...parameters,
          device_id: deviceId,
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          // A short first page is there sooner.
          limit: String(cursor === null ? firstLimit : pageLimit),
          cursor,
        },
        signal,
      ),
    rowsOf: (items, piece) => rowsOf(picked(items), piece),
    ...(lastRows ? { lastRows } : {}),
    timeOf,
  });
}
