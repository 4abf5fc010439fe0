import { viewerKey } from "../../domain/visibility.ts";
import type { ViewerCounters } from "../../store/changes/viewer-counters.ts";
import { showsNext } from "../formats/format.ts";
import { isWholeJson } from "../formats/shown-fields.ts";
import { copyOf, lentListPage } from "../records/body.ts";
import type { JsonWriter } from "../records/json-writer.ts";
import type { ApiRecord } from "../records/record.ts";
import type { Route, RouteCall } from "../route.ts";
import { listPage } from "./list-page.ts";
import { type LongList, largeRowsPerPart, longListBody, maxBodyLength } from "./long-list.ts";
import { type PagedList, type PageRequest, pagedRoute } from "./paging.ts";

/** A list of existing things, in ascending id. */
interface IdList<Row> extends PagedList {
  readonly record: Pick<ApiRecord<Row>, "name" | "schema" | "example" | "json">;
  readonly query: (call: RouteCall, page: PageRequest<string>, count: number) => Promise<Row[]>;
  readonly idOf: (row: Row) => string;
  /** Whether rows are large or slow to read: then they are read part by part. */
  readonly isLong?: boolean;
  /** For a long list whose pages may be too large to send at once: the ids alone of what `query` would give. */
  readonly ids?: (call: RouteCall, page: PageRequest<string>, count: number) => Promise<readonly string[]>;
  /** Where pages are cached, and what changes when they do. */
  readonly cached?: {
    readonly pages: "latestPages" | "devicePages";
    readonly revisionOf: (revisions: ViewerCounters, page: PageRequest<string>) => number;
    readonly isRepeated?: (page: PageRequest<string>) => boolean;
  };
  /** Writes rows as the bytes of JSON, where that must be fast. */
  readonly write?: (json: JsonWriter, rows: readonly Row[]) => void;
}

const encoder = new TextEncoder();

export function idList<Row>(list: IdList<Row>): Route {
  const { record, idOf, cached, write } = list;
  const route = pagedRoute<string>(list, async (call, page, cursorAfter) => {
    if (list.isLong) return longListBody(call, longListOf(call, list, page, cursorAfter));
    const read = () => list.query(call, page, page.limit + 1);
    const cursorOf = (last: Row) => cursorAfter(idOf(last));
    if (!cached || cached.isRepeated?.(page) === false) {
      return listPage(call, await read(), page.limit, record.json, cursorOf);
    }
    const { visibility, cache, format } = call;
    // The revision is read before the rows: a write in between makes the page newer than its revision, never older.
    const revision = cached.revisionOf(await call.counters(), page);
    const query = JSON.stringify([page.device?.id, page.filters, page.limit, page.after]);
    const key = `${viewerKey(visibility)} ${format} ${call.hasShortCursors ? "short " : ""}${query}`;
    const { body, next } = await cache[cached.pages].page(key, revision, async () => {
      const rows = await read();
      if (write && isWholeJson(call)) return cachedPage(rows, page.limit, write, cursorOf);
      const made = await listPage(call, rows, page.limit, record.json, cursorOf);
      return { bytes: encoder.encode(made.body), next: made.next, showsNext: showsNext(format) };
    });
    // Which device was meant, and whether it is seen, is asked again each time.
    if (page.device) return { body, next };
    return { body, next, isCurrent: (counters) => cached.revisionOf(counters, page) === revision };
  });
  return { ...route, isCached: cached !== undefined };
}

function cachedPage<Row>(
  rows: readonly Row[],
  pageSize: number,
  write: (json: JsonWriter, rows: readonly Row[]) => void,
  cursorOf: (last: Row) => string,
) {
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  const { body, next } = lentListPage((json) => {
    write(json, shown);
    return rows.length <= pageSize || last === undefined ? null : cursorOf(last);
  });
  return { bytes: copyOf(body), next, showsNext: true };
}

function longListOf<Row>(
  call: RouteCall,
  { record, query, idOf, ids }: IdList<Row>,
  page: PageRequest<string>,
  cursorAfter: (id: string) => string,
): LongList<Row> {
  const pageAfter = (row: Row | null) => (row === null ? page : { ...page, after: idOf(row) });
  return {
    read: (after, count) => query(call, pageAfter(after), count),
    rowsPerPart: largeRowsPerPart,
    maxBodyLength,
    json: record.json,
    pages: {
      limit: page.limit,
      idOf,
      cursorAfter,
      ...(ids && { ids: (after, count) => ids(call, pageAfter(after), count) }),
    },
  };
}
