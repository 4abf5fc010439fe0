import type { z } from "zod";
import type { Parameter } from "../input/parameter.ts";
import { cursor, limit } from "../input/parameters.ts";
import type { LentBody } from "../records/body.ts";
import { listOf } from "../records/envelope.ts";
import type { WriteRecord } from "../records/json-writer.ts";
import { type Answer, type Route, type RouteCall, type RouteText, routeText } from "../route.ts";
import { listPage } from "./list-page.ts";
import { type ListRules, nextCursor, type PageRequest, pageProblems, readPage } from "./paging.ts";
import { listInParts } from "./row-parts.ts";

/** A list of things that there are, in ascending id. */
export interface IdList<Row> extends RouteText {
  readonly name: string;
  readonly record: z.ZodType;
  readonly filters?: ListRules["filters"];
  /** Parameters that are not filters, such as those that narrow to one device. */
  readonly parameters?: readonly Parameter<unknown>[];
  /** Up to `count` rows after `page.after`. */
  readonly query: (call: RouteCall, page: PageRequest<string>, count: number) => Promise<Row[]>;
  readonly idOf: (row: Row) => string;
  readonly write: WriteRecord<Row>;
  /** For a list whose rows may be large, or take long to read: what the record of one takes, roughly. */
  readonly bytesOf?: (row: Row) => number;
  /** For a list whose pages are kept ready: the page, made by `make` where there is none. */
  readonly ready?: (
    call: RouteCall,
    page: PageRequest<string>,
    make: () => Promise<LentBody>,
  ) => Promise<Answer["body"]>;
}

export function idList<Row>(list: IdList<Row>): Route {
  const filters = list.filters ?? [];
  const rules: ListRules = { endpoint: list.path, filters, maxSpanDays: null, needsDevice: false };
  return {
    ...routeText(list),
    parameters: [
      ...(list.parameters ?? []),
      ...filters.map(({ parameter }): Parameter<unknown> => parameter),
      ...[limit, cursor],
    ],
    response: listOf(list.record, list.name),
    conditional: false,
    windowed: false,
    problems: (call) => pageProblems(call, rules),
    async answer(call) {
      const page = await readPage<string>(call, rules);
      const cursorAfter = (last: Row) => nextCursor(call, rules, page, list.idOf(last));
      if (list.bytesOf) {
        const read = (after: Row | null, count: number) =>
          list.query(call, after === null ? page : { ...page, after: list.idOf(after) }, count);
        const { bytesOf, write } = list;
        return { body: await listInParts(call, { read, limit: page.limit, write, bytesOf, cursorAfter }) };
      }
      const make = async () => {
        const rows = await list.query(call, page, page.limit + 1);
        return listPage(rows, page.limit, list.write, cursorAfter);
      };
      return { body: await (list.ready?.(call, page, make) ?? make()) };
    },
  };
}
