import { listEnd, listStart } from "../records/body.ts";
import { tooManyLongAnswers } from "../refusals.ts";
import type { Answer, RouteCall } from "../route.ts";
import { inParts } from "./parts.ts";

/** The largest records, fences with thousands of corners, are some 40 KB each: one part takes a few milliseconds. */
export const largeRowsPerPart = 25;

/** A longer body is streamed: compressing it at once would take too long. */
export const maxBodyLength = 1024 * 1024;

/** A list whose rows are large, many or slow to read. */
export interface LongList<Row> {
  /** Up to `count` rows after this one. */
  readonly read: (after: Row | null, count: number) => Promise<readonly Row[]>;
  /** How many rows are read in one turn of the event loop. */
  readonly rowsPerPart: number;
  /** A longer body with more than one part is streamed. */
  readonly maxBodyLength: number;
  /** How many rows the page may have. */
  readonly limit: number;
  readonly json: (rows: readonly Row[]) => string;
  /** Where the next page begins, if there is one after this row. */
  readonly cursorAfter: (last: Row) => string | null;
}

/** The part of a list that is sent at a time. */
interface Chunk {
  readonly text: string;
  readonly isLast: boolean;
}

const encoder = new TextEncoder();

/** The body of a long list, or a stream of it. */
export async function longListBody<Row>(call: RouteCall, list: LongList<Row>): Promise<Answer["body"]> {
  const chunks = chunksOf(list);
  let body = "";
  for (let chunk = await chunks.next(); !chunk.done; chunk = await chunks.next()) {
    const { text, isLast } = chunk.value;
    body += text;
    if (!isLast && body.length > list.maxBodyLength) return streamed(call, body, chunks);
  }
  return body;
}

async function* chunksOf<Row>(list: LongList<Row>): AsyncGenerator<Chunk, void, void> {
  const { read, rowsPerPart, limit, json, cursorAfter } = list;
  // One row more than the page, so we know whether another page exists.
  let unread = limit + 1;
  const parts = inParts<readonly Row[], Row>(async (after) => {
    const count = Math.min(rowsPerPart, unread);
    const rows = await read(after, count);
    unread -= rows.length;
    return { rows, next: rows.length < count || unread === 0 ? null : (rows.at(-1) ?? null) };
  });
  let last: Row | null = null;
  for await (const { rows, next } of parts) {
    const shown = unread === 0 ? rows.slice(0, -1) : rows;
    const before = last === null ? listStart : shown.length > 0 ? "," : "";
    last = shown.at(-1) ?? last;
    const text = before + json(shown);
    if (next !== null) yield { text, isLast: false };
    else yield { text: text + listEnd(unread === 0 && last !== null ? cursorAfter(last) : null), isLast: true };
  }
}

/**
 * Sends what is made already, and makes the rest as it is read. It has a place until the end; without one the call is
 * refused.
 */
async function streamed(
  { cache, caller, visibility }: RouteCall,
  made: string,
  rest: AsyncGenerator<Chunk, void, void>,
): Promise<ReadableStream<Uint8Array>> {
  const place = await cache.streams.enter({ caller, accountId: visibility.accountId });
  if (typeof place === "string") throw tooManyLongAnswers(place);
  let ahead: string | null = made;
  return place.body(async () => {
    const text = ahead ?? (await rest.next()).value?.text ?? null;
    ahead = null;
    return text === null ? null : encoder.encode(text);
  });
}
