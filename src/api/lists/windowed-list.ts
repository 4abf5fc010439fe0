import type { z } from "zod";
import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import type { DeviceIdentity } from "../../store/devices.ts";
import type { TimePage } from "../../store/pages.ts";
import type { Parameter } from "../input/parameter.ts";
import { cursor, deviceId, from, imei, limit, to } from "../input/parameters.ts";
import type { LentBody } from "../records/body.ts";
import { listOf } from "../records/envelope.ts";
import type { WriteRecord } from "../records/json-writer.ts";
import { type Answer, type Route, type RouteCall, type RouteText, routeText } from "../route.ts";
import { listPage } from "./list-page.ts";
import { type ListRules, nextCursor, type PageRequest, pageProblems, readPage, windowHeaders } from "./paging.ts";

export const maxWindowDays = 31;

/** What a list's query may need beside its page. */
interface ListQuery {
  readonly filters: PageRequest<unknown>["filters"];
  readonly device: DeviceIdentity | null;
  readonly endpoint: string;
}

/** A list of things that happened, in ascending time. */
export interface WindowedList<Row, Key> extends Omit<WindowedRoute<Row[], Key>, "present"> {
  readonly keyOf: (row: Row) => Key;
  readonly write: WriteRecord<Row>;
}

/** The same, whatever form the rows are found in. */
interface WindowedRoute<Found, Key> extends RouteText {
  readonly name: string;
  readonly record: z.ZodType;
  readonly filters?: ListRules["filters"];
  readonly pathParameters?: readonly Parameter<string>[];
  readonly needsDevice?: boolean;
  /** The endpoint with its path parameters filled in, whether or not there is such a thing. */
  readonly endpointOf?: (call: RouteCall) => string;
  readonly query: (reader: Reader, visibility: Visibility, page: TimePage<Key>, asked: ListQuery) => Promise<Found>;
  /** The body of a page. What was found is one row more than it has, if there are as many. */
  readonly present: (found: Found, pageSize: number, cursorAfter: (key: Key) => string, asked: ListQuery) => LentBody;
}

export function windowedList<Row, Key>({ write, keyOf, ...list }: WindowedList<Row, Key>): Route {
  return windowedRoute({
    ...list,
    present: (rows, pageSize, cursorAfter) => listPage(rows, pageSize, write, (last) => cursorAfter(keyOf(last))),
  });
}

export function windowedRoute<Found, Key>(list: WindowedRoute<Found, Key>): Route {
  const filters = list.filters ?? [];
  const needsDevice = list.needsDevice ?? false;
  const rulesOf = (call: RouteCall): ListRules => {
    const endpoint = list.endpointOf?.(call) ?? list.path;
    return { endpoint, filters, maxSpanDays: maxWindowDays, needsDevice };
  };
  return {
    ...routeText(list),
    parameters: [
      ...(list.pathParameters ?? []),
      ...filters.map(({ parameter }) => parameter),
      ...[deviceId, imei, from, to, limit, cursor],
    ],
    response: listOf(list.record, list.name),
    conditional: false,
    windowed: true,
    needsDevice,
    problems: (call) => pageProblems(call, rulesOf(call)),
    answer: (call) => answerList(list, call, rulesOf(call)),
  };
}

async function answerList<Found, Key>(
  list: WindowedRoute<Found, Key>,
  call: RouteCall,
  rules: ListRules,
): Promise<Answer> {
  const page = await readPage<Key>(call, rules);
  const { fromMs, toMs } = page.window ?? { fromMs: 0, toMs: 0 };
  const wanted = { device: page.device?.device ?? null, fromMs, toMs, after: page.after, count: page.limit + 1 };
  const asked = { filters: page.filters, device: page.device, endpoint: rules.endpoint };
  const found = await list.query(call.database, call.visibility, wanted, asked);
  const cursorAfter = (key: Key) => nextCursor(call, rules, page, key);
  return {
    body: list.present(found, page.limit, cursorAfter, asked),
    headers: page.window ? windowHeaders(page.window) : {},
  };
}
