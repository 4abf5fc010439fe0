import type { DataLists, ListName, Page } from "../contract/data.ts";
import { pageLimit, type ReadJson, readPage } from "../lists.ts";
import type { DayWindow } from "../periods/days.ts";

/** Rows of a report, read piece by piece in the server's order. A read that failed or was aborted can be tried again. */
export interface RowSource<Row, Sums = Row> {
  next(signal: AbortSignal): Promise<readonly Row[]>;
  readonly isEnd: boolean;
  /** How much is read, from 0 to 1. */
  readonly share: number;
  /** What the server added up of all rows; null: the page adds up those it has. */
  readonly totals: Sums | null;
}

/** How a list of the API becomes rows. */
interface ListRead<Item, Row> {
  /** Each as long as the API reads at once. */
  readonly windows: readonly DayWindow[];
  readonly read: (window: DayWindow, cursor: string | null, signal: AbortSignal) => Promise<Page<Item>>;
  readonly rowsOf: (items: readonly Item[], window: DayWindow) => readonly Row[];
  /** When an item is in a window; null if the list is not in the order of time. */
  readonly timeOf: ((item: Item) => string) | null;
}

export class ListSource<Item, Row, Sums = Row> implements RowSource<Row, Sums> {
  readonly #list: ListRead<Item, Row>;
  #index = 0;
  #cursor: string | null = null;
  #readTo: number;
  isEnd: boolean;
  totals: Sums | null = null;

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

  async next(signal: AbortSignal): Promise<readonly Row[]> {
    const { windows, read, rowsOf, timeOf } = this.#list;
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
    this.isEnd = this.#index >= windows.length;
    return rows;
  }
}

/** A window in pieces of at most so many milliseconds. Pure. */
export function piecesOf({ from, to }: DayWindow, maxMs: number): DayWindow[] {
  const pieces: DayWindow[] = [];
  for (let start = from; start < to; start += maxMs) pieces.push({ from: start, to: Math.min(start + maxMs, to) });
  return pieces;
}

/** The API reads 31 days of what happened at once. */
export const maxWindowMs = 31 * 86_400_000;

/** As many rows as are drawn at first. */
const firstLimit = 100;

export interface ListScope {
  readonly get: ReadJson;
  readonly window: DayWindow;
  /** The only vehicle; null: several, or all. */
  readonly deviceId: string | null;
  /** Those that the filters leave; null: all. */
  readonly ids: ReadonlySet<string> | null;
  /** Only trips of this driver, as `driverOf` names them; null: of all. */
  readonly driver: string | null;
  /** The only fence that crossings are shown of; absent or null: all. */
  readonly fence?: string | null;
}

export type Parameters = Readonly<Record<string, string>>;

/** Lists of what vehicles did. */
type VehicleList = {
  [Name in ListName]: DataLists[Name] extends { readonly device_id: string } ? Name : never;
}[ListName];

interface ApiList<Name extends VehicleList, Row> extends Pick<ListRead<DataLists[Name], Row>, "rowsOf"> {
  readonly name: Name;
  readonly parameters?: Parameters;
  readonly timeOf: (item: DataLists[Name]) => string;
}

/** A list of the API as a source of rows: one vehicle is asked for by name, several are picked from all. */
export function listSource<Name extends VehicleList, Row>(
  { get, window, deviceId, ids }: Omit<ListScope, "driver">,
  { name, parameters = {}, rowsOf, ...list }: ApiList<Name, Row>,
): RowSource<Row> {
  const picked = (items: readonly DataLists[Name][]) =>
    ids === null || deviceId !== null ? items : items.filter(({ device_id }) => ids.has(device_id));
  return new ListSource<DataLists[Name], Row>({
    ...list,
    windows: ids?.size === 0 ? [] : piecesOf(window, maxWindowMs),
    read({ from, to }, cursor, signal) {
      const query = {
        ...parameters,
        device_id: deviceId,
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        // A short first page is there sooner.
        limit: cursor === null ? firstLimit : pageLimit,
        cursor,
      };
      return readPage(get, name, query, signal);
    },
    rowsOf: (items, piece) => rowsOf(picked(items), piece),
  });
}

/** Alerts as rows. */
export function alertSource(list: ListScope, parameters: Parameters): RowSource<DataLists["alerts"]> {
  return listSource(list, {
    name: "alerts",
    parameters,
    timeOf: ({ occurred_at }) => occurred_at,
    rowsOf: (alerts) => alerts,
  });
}
