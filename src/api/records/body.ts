import { JsonWriter, type WriteRecord } from "./json-writer.ts";
import { closeBrace, Literal } from "./literal.ts";

/**
 * Bytes in a buffer that is used over and over: copying each page out of it would cost as much as sending it. Whoever has
 * them gives the buffer back when they are used up, and nobody else writes into it before.
 */
export interface LentBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  giveBack(): void;
}

/** Writers that nobody has. There are as many as bodies were under way at once. */
const idle: JsonWriter[] = [];

const listStart = new Literal('{"data":[');
const listSeparator = new Literal(",");
const listClose = new Literal('],"next_cursor":');
const singleStart = new Literal('{"data":');

/** The body of a list: the first `count` rows, and where the next page begins. */
export function listBody<Row>(
  rows: readonly Row[],
  count: number,
  write: WriteRecord<Row>,
  nextCursor: string | null,
): LentBody {
  return lend((json) => {
    writeRows(json, listStart, rows, count, write);
    endList(json, nextCursor);
  });
}

/** The same for records that are written all at once: `write` gives where the next page begins. */
export function listBodyOf(write: (json: JsonWriter) => string | null): LentBody {
  return lend((json) => {
    json.literal(listStart);
    endList(json, write(json));
  });
}

/** A part of a list that is too long for one buffer: the first opens it, and `listEnd` closes it. No other may be empty. */
export function listRows<Row>(
  rows: readonly Row[],
  write: WriteRecord<Row>,
  { isFirst }: { readonly isFirst: boolean },
): Uint8Array<ArrayBuffer> {
  return keep(lend((json) => writeRows(json, isFirst ? listStart : listSeparator, rows, rows.length, write)));
}

export function listEnd(nextCursor: string | null): Uint8Array<ArrayBuffer> {
  return keep(lend((json) => endList(json, nextCursor)));
}

function writeRows<Row>(
  json: JsonWriter,
  start: Literal,
  rows: readonly Row[],
  count: number,
  write: WriteRecord<Row>,
): void {
  json.literal(start);
  for (let index = 0; index < count; index++) {
    if (index > 0) json.literal(listSeparator);
    json.record(write, rows[index] as Row);
  }
}

function endList(json: JsonWriter, nextCursor: string | null): void {
  json.literal(listClose);
  json.text(nextCursor);
  json.literal(closeBrace);
}

/** The body of a single record. */
export function singleBody<Row>(row: Row, write: WriteRecord<Row>): LentBody {
  return lend((json) => {
    json.literal(singleStart);
    json.record(write, row);
    json.literal(closeBrace);
  });
}

/** A record by itself, as text. */
export function presenter<Row>(write: WriteRecord<Row>): (row: Row) => string {
  return (row) => {
    const json = idle.pop() ?? new JsonWriter();
    json.start();
    json.record(write, row);
    const text = json.takeText();
    idle.push(json);
    return text;
  };
}

/** A body of one's own, to be kept. */
export function keep(body: LentBody): Uint8Array<ArrayBuffer> {
  const bytes = body.bytes.slice();
  body.giveBack();
  return bytes;
}

function lend(write: (json: JsonWriter) => void): LentBody {
  const json = idle.pop() ?? new JsonWriter();
  json.start();
  write(json);
  let isLent = true;
  return {
    bytes: json.written(),
    giveBack() {
      if (isLent) idle.push(json);
      isLent = false;
    },
  };
}
