import { type Visibility, withTag } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import type { TimePage } from "../../store/pages.ts";
import { tag } from "../input/filters.ts";
import { deviceId, from, imeiParameter, toTime } from "../input/parameters.ts";
import type { ApiRecord } from "../records/record.ts";
import type { Answer, Route, RouteCall } from "../route.ts";
import { listPage } from "./list-page.ts";
import { filterValue, type PagedList, type PageRequest, pagedRoute } from "./paging.ts";
import { windowHeaders } from "./window.ts";

/** A list of things that happened, in ascending time. */
interface WindowedList<Row, Key> extends Omit<WindowedRoute<Row[], Key>, "present"> {
  readonly record: ApiRecord<Row>;
  readonly keyOf: (row: Row) => Key;
}

interface WindowedRoute<Rows, Key> extends PagedList {
  readonly query: (
    reader: Reader,
    visibility: Visibility,
    page: TimePage<Key>,
    requested: PageRequest<Key>,
    call: RouteCall,
  ) => Promise<Rows>;
  /** A page. There is one row more than on the page if another page exists. */
  readonly present: (
    call: RouteCall,
    rows: Rows,
    page: PageRequest<Key>,
    cursorAfter: (key: Key) => string,
  ) => Answer | Promise<Answer>;
}

export function windowedList<Row, Key>({ keyOf, ...list }: WindowedList<Row, Key>): Route {
  const { json } = list.record;
  return windowedRoute({
    ...list,
    present: (call, rows, { limit }, cursorAfter) =>
      listPage(call, rows, limit, json, (last) => cursorAfter(keyOf(last))),
  });
}

export function windowedRoute<Rows, Key>(list: WindowedRoute<Rows, Key>): Route {
  const parameters = [...(list.parameters ?? []), tag, deviceId, imeiParameter, from, toTime];
  return pagedRoute<Key>({ ...list, parameters }, async (call, page, cursorAfter) => {
    const { fromMs, toMs } = page.window ?? { fromMs: 0, toMs: 0 };
    const device = page.device?.device ?? null;
    const devicesRevision = async () => (await call.counters()).devices;
    const wanted = { device, fromMs, toMs, after: page.after, count: page.limit + 1, devicesRevision };
    const visibility = withTag(call.visibility, filterValue(page, tag));
    const rows = await call.read((reader) => list.query(reader, visibility, wanted, page, call));
    const presented = await list.present(call, rows, page, cursorAfter);
    return page.window ? { ...presented, headers: windowHeaders(page.window) } : presented;
  });
}
