import type { ExtraMembers } from "../formats/format.ts";
import { isWholeJson } from "../formats/shown-fields.ts";
import { lentListPage, writtenText } from "../records/body.ts";
import type { JsonWriter } from "../records/json-writer.ts";
import type { Answer, RouteCall } from "../route.ts";

type ListPage = Answer & { readonly body: string; readonly next: string | null };

/** A page of a list. `rows` has one row more than the page, so we know whether another page exists. */
export async function listPage<Row>(
  call: Pick<RouteCall, "format" | "open" | "withNames">,
  rows: readonly Row[],
  pageSize: number,
  json: (rows: readonly Row[]) => string,
  cursorAfter: (last: Row) => string,
): Promise<ListPage> {
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  const next = rows.length > pageSize && last !== undefined ? cursorAfter(last) : null;
  return listDocument(call, await call.withNames(json(shown)), next);
}

/** `extra`: further members of the envelope. A format without one has headers: `X-Resume-After`. */
export function listDocument(
  { format, open }: Pick<RouteCall, "format" | "open">,
  records: string,
  next: string | null,
  extra?: ExtraMembers,
): ListPage {
  const document = open();
  const body = document.start + document.records(records) + document.end(next, extra);
  return extra && format !== "json" ? { body, next, headers: asHeaders(extra) } : { body, next };
}

/** A page whose records are written as bytes. `write` returns where the next page begins. */
export async function writtenPage(
  call: Pick<RouteCall, "format" | "shown" | "open" | "withNames">,
  write: (json: JsonWriter) => string | null,
): Promise<Answer> {
  if (isWholeJson(call)) return lentListPage(write);
  let next: string | null = null;
  const records = writtenText((json) => {
    next = write(json);
  });
  return listDocument(call, await call.withNames(records), next);
}

function asHeaders(extra: ExtraMembers): Record<string, string> {
  const headerName = (name: string) =>
    `X-${name.replace(/(^|_)([a-z])/g, (_, before, letter) => (before && "-") + letter.toUpperCase())}`;
  return Object.fromEntries(Object.entries(extra).map(([name, value]) => [headerName(name), value]));
}
