import type { DocumentWriter } from "../formats/format.ts";
import { tooManyLongAnswers } from "../refusals.ts";
import type { Answer, RouteCall } from "../route.ts";
import { inParts } from "./parts.ts";

/** The largest records, fences with thousands of corners, are some 40 KB each: one part takes a few milliseconds. */
export const largeRowsPerPart = 25;

/** A longer body is streamed: compressing it at once would take too long. */
export const maxBodyLength = 1024 * 1024;

/** A list whose rows are large, many or slow to read. */
export interface LongList<Row> {
  readonly read: (after: Row | null, count: number) => Promise<readonly Row[]>;
  /** How many rows are read in one turn of the event loop. */
  readonly rowsPerPart: number;
  /** A longer body with more than one part is streamed. */
  readonly maxBodyLength: number;
  readonly json: (rows: readonly Row[]) => string;
  readonly pages: LongListPages<Row> | null;
}

export interface LongListPages<Row> {
  readonly limit: number;
  readonly idOf: (row: Row) => string;
  readonly cursorAfter: (id: string) => string;
  /** The ids of up to `count` rows after this one, without reading the rows. Absent: its pages are never streamed. */
  readonly ids?: (after: Row | null, count: number) => Promise<readonly string[]>;
}

/** How a page ends. It must be known before the first byte is sent, because the next page is named in a header. */
interface PageEnd {
  /** The ids that are still to be shown. A row that was added since is left to the next request. */
  readonly ids: ReadonlySet<string>;
  readonly lastId: string | null;
  readonly next: string | null;
}

interface Reading<Row> {
  readonly list: LongList<Row>;
  last: Row | null;
  /** One row more than the page, so we know whether another page exists. */
  unread: number;
  /** Set when the page is to be streamed. */
  end: PageEnd | null;
}

interface Part<Row> {
  readonly rows: readonly Row[];
  readonly isLast: boolean;
}

const encoder = new TextEncoder();

export async function longListBody<Row>(call: RouteCall, list: LongList<Row>): Promise<Answer> {
  const reading: Reading<Row> = {
    list,
    last: null,
    unread: (list.pages?.limit ?? Number.POSITIVE_INFINITY) + 1,
    end: null,
  };
  const parts = partsOf(reading);
  const document = call.open();
  let body = document.start;
  for (;;) {
    const { value: part } = await parts.next();
    if (part === undefined) throw new Error("a list ends with its last part");
    body += document.records(await call.withNames(list.json(part.rows)));
    if (part.isLast) {
      const next = reading.unread === 0 ? nextAfter(reading) : null;
      return { body: body + document.end(next), next };
    }
    if (body.length <= list.maxBodyLength || !mayStream(list)) continue;
    reading.end = await endOfPage(reading);
    return { body: await streamed(call, body, document, reading, parts), next: reading.end?.next ?? null };
  }
}

function mayStream<Row>({ pages }: LongList<Row>): boolean {
  return pages === null || pages.ids !== undefined;
}

function nextAfter<Row>({ list: { pages }, last }: Reading<Row>): string | null {
  return pages === null || last === null ? null : pages.cursorAfter(pages.idOf(last));
}

async function* partsOf<Row>(reading: Reading<Row>): AsyncGenerator<Part<Row>, void, void> {
  const { list } = reading;
  const parts = inParts<readonly Row[], Row>(async (after) => {
    const count = Math.min(list.rowsPerPart, reading.unread);
    const rows = await list.read(after, count);
    reading.unread -= rows.length;
    return { rows, next: rows.length < count || isOver(reading, rows) ? null : (rows.at(-1) ?? null) };
  });
  for await (const { rows, next } of parts) {
    const shown = rowsShown(reading, rows);
    reading.last = shown.at(-1) ?? reading.last;
    yield { rows: shown, isLast: next === null };
  }
}

function rowsShown<Row>({ list, unread, end }: Reading<Row>, rows: readonly Row[]): readonly Row[] {
  const { pages } = list;
  if (end !== null && pages !== null) return rows.filter((row) => end.ids.has(pages.idOf(row)));
  return unread === 0 ? rows.slice(0, -1) : rows;
}

function isOver<Row>({ list, unread, end }: Reading<Row>, rows: readonly Row[]): boolean {
  const last = rows.at(-1);
  if (end === null || list.pages === null || last === undefined) return unread === 0;
  return end.lastId === null || list.pages.idOf(last) >= end.lastId;
}

async function endOfPage<Row>({ list, last, unread }: Reading<Row>): Promise<PageEnd | null> {
  const { pages } = list;
  if (!pages?.ids) return null;
  const ids = await pages.ids(last, unread);
  const shown = ids.slice(0, unread - 1);
  const lastId = shown.at(-1) ?? null;
  return {
    ids: new Set(shown),
    lastId,
    next: ids.length === unread && lastId !== null ? pages.cursorAfter(lastId) : null,
  };
}

/** Sends what is made, and makes the rest as it is read. Without a place for it the call is refused. */
async function streamed<Row>(
  call: RouteCall,
  made: string,
  document: DocumentWriter,
  { list, end }: Reading<Row>,
  rest: AsyncGenerator<Part<Row>, void, void>,
): Promise<ReadableStream<Uint8Array>> {
  const { cache, caller, visibility, checkAccess } = call;
  const place = await cache.streams.enter({ caller, accountId: visibility.accountId, checkAccess });
  if (typeof place === "string") throw tooManyLongAnswers(place);
  let ahead: string | null = made;
  const nextText = async () => {
    const part = (await rest.next()).value;
    if (part === undefined) return null;
    const text = document.records(await call.withNames(list.json(part.rows)));
    return part.isLast ? text + document.end(end?.next ?? null) : text;
  };
  return place.body(async () => {
    const text = ahead ?? (await nextText());
    ahead = null;
    return text === null ? null : encoder.encode(text);
  });
}
