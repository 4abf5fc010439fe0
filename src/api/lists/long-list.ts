import { listEnd, listStart } from "../records/body.ts";
import { tooManyLongAnswers } from "../refusals.ts";
import type { Answer, RouteCall } from "../route.ts";
import { inParts } from "./parts.ts";

/** The largest records, fences with thousands of corners, are some 40 KB each: a part of them takes a few milliseconds. */
export const largeRowsPerPart = 25;

/** A body that is longer is made while it is sent: compressing it at once would take too long. */
export const maxBodyLength = 1024 * 1024;

/** A list whose rows are large, many or slow to read. */
export interface LongList<Row> {
  /** Up to `count` rows after this one. */
  readonly read: (after: Row | null, count: number) => Promise<readonly Row[]>;
  /** How many rows are read in one turn of the event loop. */
  readonly rowsPerPart: number;
  /** A body that is longer, and has more than one part, is made while it is sent. */
  readonly maxBodyLength: number;
  /** How many rows the page may have. */
  readonly limit: number;
  readonly json: (row: Row) => string;
  /** Where the next page begins, if there is one after this row. */
  readonly cursorAfter: (last: Row) => string | null;
}

const encoder = new TextEncoder();

/** The body of a long list, or a stream of it. */
export async function longListBody<Row>(call: RouteCall, list: LongList<Row>): Promise<Answer["body"]> {
  const texts = textsOf(list);
  let body = "";
  for (;;) {
    const text = await texts.next();
    if (text.done) return body + text.value;
    if (body.length > list.maxBodyLength) return streamed(call, body + text.value, texts);
    body += text.value;
  }
}

/** The body of a list, part by part. */
async function* textsOf<Row>(list: LongList<Row>): AsyncGenerator<string, string, void> {
  const { read, rowsPerPart, limit, json, cursorAfter } = list;
  // One row more than the page, so we know whether another page exists.
  let unread = limit + 1;
  const parts = inParts<readonly Row[], Row>(async (after) => {
    const count = Math.min(rowsPerPart, unread);
    const rows = await read(after, count);
    unread -= rows.length;
    return { rows, next: rows.length < count || unread === 0 ? null : (rows.at(-1) ?? null) };
  });
  let separator = listStart;
  let unshown = limit;
  let last: Row | null = null;
  for await (const rows of parts) {
    const shown = rows.slice(0, unshown);
    unshown -= shown.length;
    last = shown.at(-1) ?? last;
    if (shown.length > 0) yield separator + shown.map(json).join(",");
    if (shown.length > 0) separator = ",";
  }
  const end = listEnd(unread > 0 || last === null ? null : cursorAfter(last));
  return separator === listStart ? listStart + end : end;
}

/** Sends what is made already, and makes the rest while it is read. Takes a place until then, or refuses the call. */
async function streamed(
  { kept, caller, visibility }: RouteCall,
  made: string,
  rest: AsyncGenerator<string, string, void>,
): Promise<ReadableStream<Uint8Array>> {
  const place = await kept.streams.enter({ caller, accountId: visibility.accountId });
  if (typeof place === "string") throw tooManyLongAnswers(place);
  const texts = joined(made, rest);
  return place.body(async () => {
    const text = await texts.next();
    return text.done ? null : encoder.encode(text.value);
  });
}

async function* joined(made: string, rest: AsyncGenerator<string, string, void>): AsyncGenerator<string, void, void> {
  yield made;
  const end = yield* rest;
  yield end;
}
