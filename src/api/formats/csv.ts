import type { z } from "zod";
import { withoutFormula } from "../../domain/text/spreadsheet-text.ts";
import { cellOf, formatColumnsOf } from "./columns.ts";
import { type OpenDocument, parsedRecords, type ShownFields } from "./format.ts";

const lineEnd = "\r\n";

/** A table (RFC 4180) with a header row, also of an empty page. */
export function csvOf(schema: z.ZodType, shown?: ShownFields): OpenDocument {
  const columns = formatColumnsOf(schema, shown);
  const start = csvRow(columns.map(({ name }) => name));
  return () => ({
    start,
    hasRecords: false,
    records: (json) =>
      parsedRecords(json)
        .map((record) => csvRow(columns.map(({ of }) => of(record))))
        .join(""),
    end: () => "",
  });
}

export function csvRow(values: readonly unknown[]): string {
  return values.map(cell).join(",") + lineEnd;
}

function cell(value: unknown): string {
  const shown = cellOf(value);
  if (shown === null) return "";
  return typeof shown === "string" ? quoted(withoutFormula(shown)) : String(shown);
}

/** Blanks at either end are in quotes: many readers drop them otherwise. */
function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
