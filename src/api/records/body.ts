import { z } from "zod";
import { JsonWriter } from "./json-writer.ts";

export function listBody(record: z.ZodType, name: string): z.ZodType {
  return z
    .strictObject({
      data: z.array(record).describe("The records of the page."),
      next_cursor: z.string().nullable().describe("Opaque; pass it as `cursor`. Null: the end has been reached."),
    })
    .meta({ id: `${name}List` });
}

/** A list that has no pages. */
export function wholeListOf(record: z.ZodType, name: string): z.ZodType {
  return z
    .strictObject({
      data: z.array(record).describe("All records."),
      next_cursor: z.null().describe("Always null: this list has no pages."),
    })
    .meta({ id: `${name}List` });
}

export function singleOf(record: z.ZodType, name: string): z.ZodType {
  return z.strictObject({ data: record }).meta({ id: `${name}Answer` });
}

/** The text before the records of a list, and after them. */
export const listStart = '{"data":[';

/** `extra`: what some lists say besides. */
export function listEnd(nextCursor: string | null, extra: Readonly<Record<string, string>> = {}): string {
  const others = Object.entries(extra).map(([name, value]) => `,"${name}":${JSON.stringify(value)}`);
  return `],"next_cursor":${JSON.stringify(nextCursor)}${others.join("")}}`;
}

export function singleBody(record: string): string {
  return `{"data":${record}}`;
}

/** Bytes in a reused buffer: a copy would cost as much as sending. The caller releases it when they are used up. */
export interface LentBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  release(): void;
}

/** Free writers: as many as there were concurrent bodies. */
const idle: JsonWriter[] = [];

/** A page of a list whose records are written as bytes. `write` returns where the next page begins. */
export function lentListPage(write: (json: JsonWriter) => string | null): { body: LentBody; next: string | null } {
  let next: string | null = null;
  const body = lend((json) => {
    json.json(listStart);
    next = write(json);
    json.json(listEnd(next));
  });
  return { body, next };
}

export function writtenText(write: (json: JsonWriter) => void): string {
  const body = lend(write);
  const text = Buffer.from(body.bytes).toString();
  body.release();
  return text;
}

/** A copy that does not change when the buffer is used again. */
export function copyOf(body: LentBody): Uint8Array<ArrayBuffer> {
  const bytes = body.bytes.slice();
  body.release();
  return bytes;
}

function lend(write: (json: JsonWriter) => void): LentBody {
  const json = idle.pop() ?? new JsonWriter();
  json.start();
  write(json);
  let isLent = true;
  return {
    bytes: json.written(),
    release() {
      if (isLent) idle.push(json);
      isLent = false;
    },
  };
}
