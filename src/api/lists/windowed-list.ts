import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import type { DeviceIdentity } from "../../store/fleet/devices.ts";
import type { TimePage } from "../../store/pages.ts";
import { type DeclaredFormats, listFormats } from "../formats/list-formats.ts";
import type { Parameter } from "../input/parameter.ts";
import { cursor, deviceId, from, imei, limit, to } from "../input/parameters.ts";
import { listOf } from "../records/envelope.ts";
import type { ApiRecord } from "../records/record.ts";
import { type Answer, type Route, type RouteCall, type RouteText, routeText } from "../route.ts";
import { listPage } from "./list-page.ts";
import { type ListRules, nextCursor, type PageRequest, pageProblems, readPage, windowHeaders } from "./paging.ts";

export const maxWindowDays = 31;

/** What a list's query may need besides its page. */
interface ListQuery {
  readonly filters: PageRequest<unknown>["filters"];
  readonly device: DeviceIdentity | null;
  readonly endpoint: string;
}

/** A list of things that happened, in ascending time. */
export interface WindowedList<Row, Key> extends Omit<WindowedRoute<Row[], Key>, "present"> {
  readonly record: ApiRecord<Row>;
  readonly keyOf: (row: Row) => Key;
}

/** The same, for rows in any form. */
interface WindowedRoute<Found, Key> extends RouteText {
  readonly record: Pick<ApiRecord<never>, "name" | "schema">;
  readonly filters?: ListRules["filters"];
  readonly pathParameters?: readonly Parameter<string>[];
  readonly needsDevice?: boolean;
  /** The endpoint with its path parameters filled in, whether or not the resource exists. */
  readonly endpointOf?: (call: RouteCall) => string;
  /** What its records are in formats that need to know more than their fields. */
  readonly formats?: Omit<DeclaredFormats, "schema">;
  readonly query: (reader: Reader, visibility: Visibility, page: TimePage<Key>, listQuery: ListQuery) => Promise<Found>;
  /** A page. `found` has one row more than the page if another page exists. */
  readonly present: (
    call: RouteCall,
    found: Found,
    pageSize: number,
    cursorAfter: (key: Key) => string,
    listQuery: ListQuery,
  ) => Answer;
}

export function windowedList<Row, Key>({ keyOf, ...list }: WindowedList<Row, Key>): Route {
  const { json } = list.record;
  return windowedRoute({
    ...list,
    present: (call, rows, pageSize, cursorAfter) =>
      listPage(call, rows, pageSize, json, (last) => cursorAfter(keyOf(last))),
  });
}

export function windowedRoute<Found, Key>(list: WindowedRoute<Found, Key>): Route {
  const { filters = [], needsDevice = false } = list;
  const formats = listFormats({ schema: list.record.schema, ...list.formats });
  const rulesOf = (call: RouteCall): ListRules => {
    const endpoint = list.endpointOf?.(call) ?? list.path;
    return { endpoint, filters, maxSpanDays: maxWindowDays, needsDevice };
  };
  return {
    ...routeText(list),
    parameters: [
      ...(list.pathParameters ?? []),
      ...filters.map(({ parameter }) => parameter),
      ...[deviceId, imei, from, to, limit, cursor, formats.parameter],
    ],
    response: listOf(list.record.schema, list.record.name),
    formats,
    conditional: false,
    windowed: true,
    needsDevice,
    problems: (call) => pageProblems(call, rulesOf(call)),
    async answer(call) {
      const rules = rulesOf(call);
      const page = await readPage<Key>(call, rules);
      const { fromMs, toMs } = page.window ?? { fromMs: 0, toMs: 0 };
      const wanted = { device: page.device?.device ?? null, fromMs, toMs, after: page.after, count: page.limit + 1 };
      const listQuery = { filters: page.filters, device: page.device, endpoint: rules.endpoint };
      const found = await call.read((reader) => list.query(reader, call.visibility, wanted, listQuery));
      const cursorAfter = (key: Key) => nextCursor(call, rules, page, key);
      const presented = list.present(call, found, page.limit, cursorAfter, listQuery);
      return page.window ? { ...presented, headers: windowHeaders(page.window) } : presented;
    },
  };
}
