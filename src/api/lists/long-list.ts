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

export interface ListPart<Row> {
  readonly rows: readonly Row[];
  readonly isLast: boolean;
}

type Parts<Row> = AsyncGenerator<ListPart<Row>, void, void>;

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
    const part = await nextOf(parts);
    body += document.records(await call.withNames(list.json(part.rows)));
    if (part.isLast) {
      const next = reading.unread === 0 ? nextAfter(reading) : null;
      return { body: body + document.end(next), next };
    }
    if (body.length <= list.maxBodyLength || !mayStream(list)) continue;
    reading.end = await endOfPage(reading);
    const next = reading.end?.next ?? null;
    return { body: await streamed(call, { made: body, document, json: list.json, next, rest: parts }), next };
  }
}

/** A list without pages that is made part by part, some of which may have no rows. After some parts it is streamed. */
export async function partedBody<Row>(
  call: RouteCall,
  list: { readonly parts: Parts<Row>; readonly json: (rows: readonly Row[]) => string; readonly partsAtOnce: number },
): Promise<Answer> {
  const { parts: rest, json, partsAtOnce } = list;
  const document = call.open();
  let made = document.start;
  for (let count = 1; count <= partsAtOnce; count++) {
    const part = await nextOf(rest);
    made += document.records(await call.withNames(json(part.rows)));
    if (part.isLast) return { body: made + document.end(null), next: null };
  }
  return { body: await streamed(call, { made, document, json, next: null, rest }), next: null };
}

async function nextOf<Row>(parts: Parts<Row>): Promise<ListPart<Row>> {
  const { value: part } = await parts.next();
  if (part === undefined) throw new Error("a list ends with its last part");
  return part;
}

function mayStream<Row>({ pages }: LongList<Row>): boolean {
  return pages === null || pages.ids !== undefined;
}

function nextAfter<Row>({ list: { pages }, last }: Reading<Row>): string | null {
  return pages === null || last === null ? null : pages.cursorAfter(pages.idOf(last));
}

async function* partsOf<Row>(reading: Reading<Row>): Parts<Row> {
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

/** A document of which a part is made. */
interface Unfinished<Row> {
  readonly made: string;
  readonly document: DocumentWriter;
  readonly json: (rows: readonly Row[]) => string;
  readonly next: string | null;
  readonly rest: Parts<Row>;
}

/** Sends what is made, and makes the rest as it is read. Without a place for it the call is refused. */
async function streamed<Row>(
  call: RouteCall,
  { made, document, json, next, rest }: Unfinished<Row>,
): Promise<ReadableStream<Uint8Array>> {
  const { cache, caller, visibility, checkAccess } = call;
  const place = await cache.streams.enter({ caller, accountId: visibility.accountId, checkAccess });
  if (typeof place === "string") throw tooManyLongAnswers(place);
  let ahead = made;
  return place.body(async () => {
    let text = ahead;
    ahead = "";
    // An empty text would be taken for the end.
    while (text === "") {
      const part = (await rest.next()).value;
      if (part === undefined) return null;
      text = document.records(await call.withNames(json(part.rows))) + (part.isLast ? document.end(next) : "");
    }
    return encoder.encode(text);
  });
}
