import type { Parameter } from "../input/parameter.ts";
import { cursor, limit } from "../input/parameters.ts";
import { listOf } from "../records/envelope.ts";
import type { ApiRecord } from "../records/record.ts";
import { type Answer, type Route, type RouteCall, type RouteText, routeText } from "../route.ts";
import { listPage } from "./list-page.ts";
import { largeRowsPerPart, longListBody, maxBodyLength } from "./long-list.ts";
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
  /** For a list whose pages are cached: the page, made by `make` if there is none. */
  readonly cached?: (
    call: RouteCall,
    page: PageRequest<string>,
    make: () => Promise<string>,
  ) => Promise<Answer["body"]>;
}

export function idList<Row>(list: IdList<Row>): Route {
  const { record, filters = [], idOf } = list;
  const rules: ListRules = { endpoint: list.path, filters, maxSpanDays: null, needsDevice: false };
  return {
    ...routeText(list),
    parameters: [...(list.parameters ?? []), ...filters.map(({ parameter }) => parameter), limit, cursor],
    response: listOf(record.schema, record.name),
    conditional: false,
    windowed: false,
    problems: (call) => pageProblems(call, rules),
    async answer(call) {
      const page = await readPage<string>(call, rules);
      const cursorAfter = (last: Row) => nextCursor(call, rules, page, idOf(last));
      if (list.isLong) {
        const read = (after: Row | null, count: number) =>
          list.query(call, after === null ? page : { ...page, after: idOf(after) }, count);
        const long = { read, rowsPerPart: largeRowsPerPart, maxBodyLength, limit: page.limit, json: record.json };
        return { body: await longListBody(call, { ...long, cursorAfter }) };
      }
      const make = async () => {
        const rows = await list.query(call, page, page.limit + 1);
        return listPage(rows, page.limit, record.json, cursorAfter);
      };
      return { body: await (list.cached?.(call, page, make) ?? make()) };
    },
  };
}
