import type { QueryValues } from "../../both-sides/address.ts";
import type { DataLists, ListName, Page } from "../../both-sides/contract/data.ts";
import { type Collected, collectRows, readPage } from "../../both-sides/lists.ts";
import { getJson } from "./request.ts";

/** A page of a list of the API, as the signed-in user sees it. */
export function getPage<Name extends ListName>(
  list: Name,
  values: QueryValues,
  signal?: AbortSignal,
): Promise<Page<DataLists[Name]>> {
  return readPage(getJson, list, values, signal);
}

/** All rows of a list, up to about `maxRows`. */
export function collect<Name extends ListName>(
  list: Name,
  values: QueryValues,
  maxRows: number,
  signal?: AbortSignal,
): Promise<Collected<DataLists[Name]>> {
  return collectRows(getJson, list, values, maxRows, signal);
}
