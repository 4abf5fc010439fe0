import { JsonWriter, type WriteRecord } from "./json-writer.ts";
import { closeBrace, Literal } from "./literal.ts";

/** One for all: writing a body never waits for anything, so that no other can begin before it is taken. */
const json = new JsonWriter();

const listStart = new Literal('{"data":[');
const listSeparator = new Literal(",");
const listEnd = new Literal('],"next_cursor":');
const singleStart = new Literal('{"data":');

/** The body of a list: the first `count` rows, and where the next page begins. */
export function listBody<Row>(
  rows: readonly Row[],
  count: number,
  write: WriteRecord<Row>,
  nextCursor: string | null,
): Uint8Array<ArrayBuffer> {
  json.start();
  json.literal(listStart);
  for (let index = 0; index < count; index++) {
    if (index > 0) json.literal(listSeparator);
    json.record(write, rows[index] as Row);
  }
  json.literal(listEnd);
  json.text(nextCursor);
  json.literal(closeBrace);
  return json.take();
}

/** The body of a single record. */
export function singleBody<Row>(row: Row, write: WriteRecord<Row>): Uint8Array<ArrayBuffer> {
  json.start();
  json.literal(singleStart);
  json.record(write, row);
  json.literal(closeBrace);
  return json.take();
}

/** A record by itself, as text. */
export function presenter<Row>(write: WriteRecord<Row>): (row: Row) => string {
  return (row) => {
    json.start();
    json.record(write, row);
    return json.takeText();
  };
}
