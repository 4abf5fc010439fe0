import { listBody } from "../records/body.ts";
import type { WriteRecord } from "../records/json-writer.ts";
import type { Answer, RouteCall } from "../route.ts";
import { nextTurn } from "../turns.ts";
import { listParts, type RowsOfPart } from "./list-parts.ts";
import { longAnswer } from "./long-answer.ts";

/** The largest records, fences with thousands of corners, are some 40 KB each: a part of them takes a few milliseconds. */
const rowsPerPart = 25;

/** A body that is larger is made while it is sent, for to compress it would take too long. */
const maxBodyBytes = 1024 * 1024;

export interface RowsInParts<Row> {
  /** Up to `count` rows after this one. */
  readonly read: (after: Row | null, count: number) => Promise<readonly Row[]>;
  /** How many there may be. */
  readonly limit: number;
  readonly write: WriteRecord<Row>;
  /** What the record of a row takes, roughly. */
  readonly bytesOf: (row: Row) => number;
  /** Where the next page begins, if there is one after this row. */
  readonly cursorAfter: (last: Row) => string | null;
}

/** The body of a list whose rows are large or take long to read: a few are read in each turn of the event loop. */
export async function listInParts<Row>(call: RouteCall, list: RowsInParts<Row>): Promise<Answer["body"]> {
  const rows: Row[] = [];
  let bytes = 0;
  const readPart = partReader(list);
  for (;;) {
    const part = await readPart(rows.at(-1) ?? null);
    for (const row of part.rows) {
      rows.push(row);
      bytes += list.bytesOf(row);
    }
    if (part.nextCursor !== undefined) return listBody(rows, rows.length, list.write, part.nextCursor);
    if (bytes > maxBodyBytes) break;
    await nextTurn();
  }
  // What has been read is the first part; whoever waits for a place has no more than this in memory.
  let first: RowsOfPart<Row> | null = { rows, nextCursor: undefined };
  const parts = async (after: Row | null) => {
    const part = first ?? (await readPart(after));
    first = null;
    return part;
  };
  return longAnswer(call, listParts(parts, list.write));
}

/** Reads one row more than a part shows, so we know whether there is another. */
function partReader<Row>({ read, limit, cursorAfter }: RowsInParts<Row>) {
  let left = limit;
  return async (after: Row | null): Promise<RowsOfPart<Row>> => {
    const count = Math.min(rowsPerPart, left);
    const found = await read(after, count + 1);
    const rows = found.slice(0, count);
    left -= rows.length;
    const last = rows.at(-1);
    if (found.length <= count || last === undefined) return { rows, nextCursor: null };
    return { rows, nextCursor: left === 0 ? cursorAfter(last) : undefined };
  };
}
