import { z } from "zod";
import { withoutFormula } from "../../domain/spreadsheet-text.ts";
import { type OpenDocument, parsedRecords, type ShownRecord } from "./format.ts";

interface Column {
  readonly name: string;
  readonly of: (record: ShownRecord) => unknown;
}

const lineEnd = "\r\n";

/** Of the texts in one cell, such as tags. */
const itemSeparator = ";";

/** A table (RFC 4180) with a column for each field of the schema, in its order, whatever the records hold. */
export function csvOf(schema: z.ZodType): OpenDocument {
  const columns = columnsOf(schema);
  const start = rowOf(columns.map(({ name }) => name));
  return () => ({
    start,
    hasRecords: false,
    records: (json) =>
      parsedRecords(json)
        .map((record) => rowOf(columns.map(({ of }) => of(record))))
        .join(""),
    end: () => "",
  });
}

/** A field that is an object with known members, such as a place, has a column for each of these: `start_latitude`. */
function columnsOf(schema: z.ZodType): readonly Column[] {
  const record = withoutNull(schema);
  if (!(record instanceof z.ZodObject)) throw new Error("a table needs records with known fields");
  return Object.entries(record.shape).flatMap(([name, field]): Column[] => {
    const inner = withoutNull(field as z.ZodType);
    if (!(inner instanceof z.ZodObject)) return [{ name, of: (shown) => shown[name] }];
    const member = (shown: ShownRecord, part: string) => (shown[name] as ShownRecord | null)?.[part];
    return Object.keys(inner.shape).map((part) => ({ name: `${name}_${part}`, of: (shown) => member(shown, part) }));
  });
}

function withoutNull(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodNullable ? withoutNull(schema.unwrap() as z.ZodType) : schema;
}

function rowOf(values: readonly unknown[]): string {
  return values.map(cell).join(",") + lineEnd;
}

/** Null is an empty cell, a list of texts is joined, any other nested value is JSON. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return quoted(withoutFormula(value));
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === "string");
  return quoted(withoutFormula(isTexts ? value.join(itemSeparator) : JSON.stringify(value)));
}

/** Blanks at either end are in quotes: many readers drop them otherwise. */
function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
