/** Tracks as a table: one row a frame, with a header that names the columns. */
import { Failure } from "../../domain/errors.ts";
import { withFormula } from "../../domain/text/spreadsheet-text.ts";
import type { ImportedPoint } from "../incoming-frame.ts";
import { type CsvColumn, columnsOfExport, csvColumnsOf } from "./csv-columns.ts";
import { type CsvRow, CsvRows } from "./csv-rows.ts";
import {
  asExported,
  convertedNumber,
  exportedTimes,
  importedPoint,
  isOwnHeader,
  isUnknown,
  saidByReason,
} from "./imported-point.ts";
import { instantOrEpoch } from "./instants.ts";
import type { SpeedUnit } from "./units.ts";

const trueWords = ["true", "1", "on", "yes", "y", "t"];
const falseWords = ["false", "0", "off", "no", "n", "f"];
/** Receivers number the quality of a fix, name its kind, or write A for a fix and V for none. */
const fixWords = [...trueWords, "2", "3", "4", "5", "6", "2d", "3d", "dgps", "a"];
const noFixWords = [...falseWords, "v"];

const expectedHeader = "expected a header row with names of columns, such as time,lat,lon";

export interface CsvOptions {
  readonly imei: string;
  /** Of a column that is only called `speed`. */
  readonly speedUnit: SpeedUnit;
}

interface Table {
  readonly columns: readonly (CsvColumn | null)[];
  /** Where another character separates the cells, a comma may be the decimal point. */
  readonly hasDecimalComma: boolean;
  /** Whether we exported it: then a text may be any, also one that others write for an unknown value. */
  readonly isOwn: boolean;
}

/** Yields rows and refusals in order. Throws a `Failure` for a file whose header lacks the time or the place. */
export async function* readCsv(
  pieces: AsyncIterable<string> | Iterable<string>,
  options: CsvOptions,
): AsyncGenerator<ImportedPoint> {
  const points: ImportedPoint[] = [];
  let table: Table | null = null;
  const rows = new CsvRows({
    row(row) {
      if (table === null) table = readHeader(row, options.speedUnit);
      else if (row.lineCount > 1 && !mayHoldLineBreaks(row, table)) return false;
      else points.push(readRow(row, table, options.imei));
      return true;
    },
    refused(line, reason) {
      if (table === null) throw new Failure("FILE_UNREADABLE", `line ${line}: ${expectedHeader}: ${reason}`);
      points.push({ line, reason });
    },
  });
  for await (const piece of pieces) {
    try {
      rows.push(piece);
    } finally {
      yield* points.splice(0); // those before a failure, too
    }
  }
  rows.end();
  yield* points;
  if (table === null) throw new Failure("FILE_UNREADABLE", "expected a header row, got an empty file");
}

function readHeader({ line, cells, separator }: CsvRow, speedUnit: SpeedUnit): Table {
  const isOwn = isOwnHeader(cells);
  const columns = isOwn ? columnsOfExport(cells) : csvColumnsOf(cells, speedUnit);
  const has = (...kinds: readonly string[]) =>
    columns.some((column) => column !== null && kinds.includes(column.kind === "number" ? column.field : column.kind));
  const missing = [
    has("time", "date") ? "" : "a time (time, timestamp, recorded_at)",
    has("latitude") ? "" : "a latitude (lat, latitude)",
    has("longitude") ? "" : "a longitude (lon, lng, longitude)",
  ].filter((text) => text !== "");
  if (missing.length > 0) {
    throw new Failure("FILE_UNREADABLE", `line ${line}: expected a header row with ${missing.join(", ")}`);
  }
  return { columns, hasDecimalComma: separator !== ",", isOwn };
}

/** Only text does: a number or a time with a line break shows that a quote was opened by mistake. */
function mayHoldLineBreaks({ cells }: CsvRow, { columns }: Table): boolean {
  const mayHold = (column: CsvColumn | null | undefined) => column === null || isText(column);
  return (
    cells.length === columns.length && cells.every((cell, index) => mayHold(columns[index]) || !cell.includes("\n"))
  );
}

function isText(column: CsvColumn | undefined): column is CsvColumn & { kind: "event" | "driver_id" } {
  return column?.kind === "event" || column?.kind === "driver_id";
}

function readRow({ line, cells }: CsvRow, { columns, hasDecimalComma, isOwn }: Table, imei: string): ImportedPoint {
  if (cells.length !== columns.length) {
    return { line, reason: `expected ${columns.length} columns as in the header, got ${cells.length}` };
  }
  const fields: Record<string, unknown> = {};
  let date: string | undefined;
  let time: string | undefined;
  let received: string | undefined;
  let rejectReason: string | undefined;
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index] ?? null;
    const text = cells[index] ?? "";
    if (column === null) continue;
    if (isOwn && isText(column)) fields[column.kind] = text === "" ? null : withFormula(text);
    else if (isUnknown(text)) continue;
    else if (column.kind === "date") date = text;
    else if (column.kind === "time") time = text;
    else if (column.kind === "received_at") received = text;
    else if (column.kind === "reject_reason") rejectReason = text;
    else if (column.kind === "number") {
      fields[column.field] = convertedNumber(hasDecimalComma ? text.replace(",", ".") : text, column.convert);
    } else if (column.kind === "ignition") fields.ignition = booleanFrom(text, trueWords, falseWords);
    else if (column.kind === "fix") fields.fix = booleanFrom(text, fixWords, noFixWords);
    else fields[column.kind] = column.kind === "source" ? text.toLowerCase() : text;
  }
  const timeText = date === undefined || (time !== undefined && readTime(time) !== null) ? time : joined(date, time);
  const recordedAt = timeText === undefined ? null : readTime(timeText);
  const times = isOwn ? exportedTimes(recordedAt, received, rejectReason) : {};
  const said = saidByReason(rejectReason);
  const point = importedPoint(line, imei, recordedAt, timeText, { ...fields, ...said }, times);
  return isOwn ? asExported(point, recordedAt, rejectReason, "driver_id" in fields) : point;
}

function joined(date: string, time: string | undefined): string {
  return time === undefined ? date : `${date} ${time}`;
}

/** ISO 8601, also with slashes in the date, or a count since 1970. Other orders of day and month would be a guess. */
function readTime(text: string): number | null {
  return instantOrEpoch(text.replace(/^(\d{4})\/(\d{2})\/(\d{2})/, "$1-$2-$3"));
}

/** A word that means neither is returned as it is, and then refused. */
function booleanFrom(text: string, yes: readonly string[], no: readonly string[]): boolean | string {
  const word = text.toLowerCase();
  if (yes.includes(word)) return true;
  return no.includes(word) ? false : text;
}
