import { type Address, type CallTarget, type QueryValues, to, type Values } from "./address.ts";
import type { AnswerTo, ReadName } from "./contract/contract.ts";
import type { DataLists, ListName, ListRoute, Page } from "./contract/data.ts";

/** Reads what the contract says: the page asks the server, the server itself. */
export type ReadJson = <Name extends ReadName>(
  target: CallTarget<Name>,
  signal?: AbortSignal,
) => Promise<AnswerTo<Name>>;

/** The largest page that the API returns. */
export const pageLimit = 500;

/** The address of a list of the API, as the signed-in user sees it. */
function listAddress<Name extends ListName>(list: Name, values: QueryValues): Address<ListRoute<Name>> {
  return to(`GET /data/${list}` as ListRoute<Name>, values as Values<ListRoute<Name>>);
}

export function readPage<Name extends ListName>(
  read: ReadJson,
  list: Name,
  values: QueryValues,
  signal?: AbortSignal,
): Promise<Page<DataLists[Name]>> {
  // What the contract says of each list; the compiler does not look it up for a list that it does not know.
  return read(listAddress(list, values), signal) as unknown as Promise<Page<DataLists[Name]>>;
}

export interface Collected<Item> {
  readonly rows: readonly Item[];
  /** Whether there are more than `maxRows`. */
  readonly hasMore: boolean;
}

/** All rows of a list, page by page, up to about `maxRows`: a browser cannot hold millions. */
export async function collectRows<Name extends ListName>(
  read: ReadJson,
  list: Name,
  values: QueryValues,
  maxRows: number,
  signal?: AbortSignal,
): Promise<Collected<DataLists[Name]>> {
  const rows: DataLists[Name][] = [];
  let cursor: string | null = null;
  do {
    const page: Page<DataLists[Name]> = await readPage(read, list, { ...values, limit: pageLimit, cursor }, signal);
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.length < maxRows);
  return { rows, hasMore: cursor !== null };
}
