import { withoutFormula } from "../../domain/text/spreadsheet-text.ts";
import { dateOfDay, dayMs } from "../../domain/time/time.ts";
import type { FileFigure } from "../both-sides/reports/files/file-cells.ts";
import type { ShownCell, ShownTable } from "../both-sides/reports/files/shown-table.ts";
import { type Language, locales } from "../both-sides/texts/texts.ts";

/** What many mail servers still take with room to spare, since attachments grow by a third on their way. */
const maxFileBytes = 5_000_000;

/** Excel reads a file as UTF-8 only if it begins with this. */
const byteOrderMark = "\uFEFF";
const lineEnd = "\r\n";

export interface CsvFile {
  readonly text: string;
  /** How many rows of the table are in it: the last may be left out. */
  readonly rowCount: number;
}

/** A table as spreadsheets of a language read it: where the decimal sign is a comma, lists are separated by semicolons. */
export function csvFile({ heads, rows, totals }: ShownTable, language: Language, maxBytes = maxFileBytes): CsvFile {
  const decimal = decimalSign(language);
  const separator = decimal === "," ? ";" : ",";
  const line = (cells: readonly ShownCell[]) =>
    cells.map((cell) => quoted(textOf(cell, decimal), separator)).join(separator) + lineEnd;
  const last = totals === null ? "" : line(totals);
  const parts = [byteOrderMark + line(heads)];
  let bytes = Buffer.byteLength(parts[0] + last);
  for (const row of rows) {
    const text = line(row);
    bytes += Buffer.byteLength(text);
    if (bytes > maxBytes) break;
    parts.push(text);
  }
  return { text: parts.join("") + last, rowCount: parts.length - 1 };
}

function decimalSign(language: Language): string {
  const parts = new Intl.NumberFormat(locales[language]).formatToParts(1.5);
  return parts.find(({ type }) => type === "decimal")?.value ?? ".";
}

/** Blanks at either end are in quotes: many readers drop them otherwise. */
function quoted(text: string, separator: string): string {
  const needsQuotes = text.includes(separator) || /["\r\n]|^\s|\s$/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Days and minutes as every spreadsheet reads them, whatever its language; the format of the workbook says what a figure is. */
function textOf(cell: ShownCell, decimal: string): string {
  if (typeof cell === "string") return withoutFormula(cell);
  const { value, format } = cell;
  if (format.startsWith("#")) {
    const decimals = format.split(".")[1]?.length ?? 0;
    return value.toFixed(decimals).replace(".", decimal);
  }
  // Seconds are left out, as on the screen. A fraction of a day is never exact.
  const minutes = Math.floor(Math.round(value * secondsPerDay) / 60);
  if (format.startsWith("[h]")) return clockText(minutes);
  return dateText(cell, minutes);
}

const secondsPerDay = dayMs / 1_000;
const minutesPerDay = dayMs / 60_000;
/** 1970-01-01, in days of a spreadsheet. */
const firstDay = 25_569;

function dateText({ format }: FileFigure, minutes: number): string {
  const clock = clockText(minutes % minutesPerDay).padStart(5, "0");
  if (!format.includes("d")) return clock;
  const date = dateOfDay(Math.floor(minutes / minutesPerDay) - firstDay);
  return format.includes("h") ? `${date} ${clock}` : date;
}

function clockText(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}
