import { listBody } from "../records/body.ts";

/** A page of a list. `rows` has one row more than the page, so we know whether another page exists. */
export function listPage<Row>(
  rows: readonly Row[],
  pageSize: number,
  json: (rows: readonly Row[]) => string,
  cursorAfter: (last: Row) => string,
): string {
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  return listBody(json(shown), rows.length > pageSize && last !== undefined ? cursorAfter(last) : null);
}
