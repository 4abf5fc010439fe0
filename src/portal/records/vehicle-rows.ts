import { isImei } from "../../domain/text/identifiers.ts";
import { isText, turnsTextAround } from "../../domain/text/text.ts";
import { CsvRows } from "../../intake/formats/csv-rows.ts";

/** A vehicle as a row of a spreadsheet has it. */
export interface VehicleRow {
  readonly line: number;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
}

/** What is wrong with a row; the page says it in the person's language. */
export interface RowProblem {
  readonly line: number;
  readonly problem: "unreadable" | "imei" | "name" | "plate" | "twice" | "taken";
}

export interface VehicleRows {
  readonly rows: readonly VehicleRow[];
  readonly problems: readonly RowProblem[];
}

/** What people call the columns, in the languages of the portal. */
const columnNames: readonly (readonly [Column, RegExp])[] = [
  ["imei", /^imei\b/i],
  ["name", /^(name|nombre|nome|bezeichnung|vehicle|vehículo|veículo|fahrzeug)\b/i],
  ["plate", /^(plate|matr[ií]cula|placa|kennzeichen|registration)\b/i],
];

type Column = "imei" | "name" | "plate";

const usualOrder: readonly (Column | null)[] = ["imei", "name", "plate"];

/** Far more than the rows that are taken at once have. */
const maxLines = 5_000;
const maxCells = 100_000;

/** To find the end of a quote that nothing closes, many lines are read. After so many of them the rest is not. */
const maxUnreadable = 50;

class Unreadable extends Error {}

/** Whether there are more lines, blank or not, or more cells than are worth reading. It takes a moment only. */
export function isTooLong(text: string): boolean {
  let lines = 0;
  let cells = 0;
  for (const [character] of text.matchAll(/[\n,;\t]/g)) {
    if (character === "\n") lines++;
    else cells++;
    if (lines >= maxLines || cells >= maxCells) return true;
  }
  return false;
}

/** Reads the cells of a spreadsheet: with a header the columns are found by name, without they are IMEI, name, plate. */
export function readVehicleRows(text: string): VehicleRows {
  const rows: VehicleRow[] = [];
  const problems: RowProblem[] = [];
  const seen = new Set<string>();
  let unreadable = 0;
  let columns: readonly (Column | null)[] | null = null;
  const csv = new CsvRows({
    row({ line, cells, lineCount }) {
      if (lineCount > 1) return false;
      if (columns === null) {
        columns = headerOf(cells);
        if (columns !== null) return true;
        columns = usualOrder;
      }
      const row = rowOf(line, cells, columns);
      const problem = problemOf(row, seen);
      if (problem === null) rows.push(row);
      else problems.push({ line, problem });
      seen.add(row.imei);
      return true;
    },
    refused(line) {
      problems.push({ line, problem: "unreadable" });
      if (++unreadable === maxUnreadable) throw new Unreadable();
    },
  });
  try {
    csv.push(text);
    csv.end();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
  return { rows, problems };
}

/** Null: the first row is a vehicle already. */
function headerOf(cells: readonly string[]): readonly (Column | null)[] | null {
  const columns = cells.map((cell) => columnNames.find(([, pattern]) => pattern.test(cell.trim()))?.[0] ?? null);
  return columns.includes("imei") ? columns : null;
}

function rowOf(line: number, cells: readonly string[], columns: readonly (Column | null)[]): VehicleRow {
  const cell = (column: Column) => (cells[columns.indexOf(column)] ?? "").trim();
  // As labels and spreadsheets print it.
  return { line, imei: cell("imei").replaceAll(/[\s'-]/g, ""), name: cell("name"), plate: cell("plate") || null };
}

function problemOf({ imei, name, plate }: VehicleRow, seen: ReadonlySet<string>): RowProblem["problem"] | null {
  if (!isImei(imei)) return "imei";
  if (seen.has(imei)) return "twice";
  if (!isText(name, 1, 200) || turnsTextAround(name)) return "name";
  return plate !== null && !isText(plate, 1, 32) ? "plate" : null;
}
