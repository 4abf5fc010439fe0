import { type LentBody, listBody } from "../records/body.ts";
import type { WriteRecord } from "../records/json-writer.ts";

/** The list envelope. `rows` holds one more than the page if there is a next one. */
export function listPage<Row>(
  rows: readonly Row[],
  pageSize: number,
  write: WriteRecord<Row>,
  cursorAfter: (last: Row) => string,
): LentBody {
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
  const next = last === undefined ? null : cursorAfter(last);
  return listBody(rows, Math.min(rows.length, pageSize), write, next);
}
