import { type DeclaredFormats, listFormats } from "../formats/list-formats.ts";
import type { Parameter } from "../input/parameter.ts";
import { cursor, limit } from "../input/parameters.ts";
import { listOf } from "../records/envelope.ts";
import type { ApiRecord } from "../records/record.ts";
import { type Answer, type Route, type RouteCall, type RouteText, routeText } from "../route.ts";
import { listPage } from "./list-page.ts";
import { type LongList, largeRowsPerPart, longListBody, maxBodyLength } from "./long-list.ts";
import { type ListRules, nextCursor, type PageRequest, pageProblems, readPage } from "./paging.ts";

/** A list of existing things, in ascending id. */
export interface IdList<Row> extends RouteText {
  readonly record: Pick<ApiRecord<Row>, "name" | "schema" | "json">;
  readonly filters?: ListRules["filters"];
  /** Parameters that are not filters, such as those that narrow to one device. */
  readonly parameters?: readonly Parameter<unknown>[];
  /** Up to `count` rows after `page.after`. */
  readonly query: (call: RouteCall, page: PageRequest<string>, count: number) => Promise<Row[]>;
  readonly idOf: (row: Row) => string;
  /** Whether rows are large or slow to read: then they are read part by part. */
  readonly isLong?: boolean;
  /** For a long list whose pages may be too large to send at once: the ids alone of what `query` would give. */
  readonly ids?: (call: RouteCall, page: PageRequest<string>, count: number) => Promise<readonly string[]>;
  /** For a list whose pages are cached: the page, made by `make` if there is none. */
  readonly cached?: (call: RouteCall, page: PageRequest<string>, make: () => Promise<MadePage>) => Promise<Answer>;
  /** What its records are in formats that need to know more than their fields. */
  readonly formats?: Omit<DeclaredFormats, "schema">;
}

interface MadePage {
  readonly body: string;
  readonly next: string | null;
}

export function idList<Row>(list: IdList<Row>): Route {
  const { record, filters = [], idOf } = list;
  const formats = listFormats({ schema: record.schema, ...list.formats });
  const rules: ListRules = { endpoint: list.path, filters, maxSpanDays: null, needsDevice: false };
  return {
    ...routeText(list),
    parameters: [
      ...(list.parameters ?? []),
      ...filters.map(({ parameter }) => parameter),
      limit,
      cursor,
      formats.parameter,
    ],
    response: listOf(record.schema, record.name),
    formats,
    conditional: false,
    windowed: false,
    problems: (call) => pageProblems(call, rules),
    async answer(call) {
      const page = await readPage<string>(call, rules);
      const cursorAfter = (id: string) => nextCursor(call, rules, page, id);
      if (list.isLong) return longListBody(call, longListOf(call, list, page, cursorAfter));
      const make = async () => {
        const rows = await list.query(call, page, page.limit + 1);
        return listPage(call, rows, page.limit, record.json, (last) => cursorAfter(idOf(last)));
      };
      return list.cached?.(call, page, make) ?? make();
    },
  };
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
