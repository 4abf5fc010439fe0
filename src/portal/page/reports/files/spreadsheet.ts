import writeXlsxFile from "write-excel-file/universal";
import type { ShownCell, ShownTable } from "../../../both-sides/reports/files/shown-table.ts";

/** Spreadsheets refuse other names of sheets. */
const maxNameLength = 31;
const notInNames = /[\\/?*[\]:]/g;

/** Wide enough for most; narrow enough for a screen. In characters. */
const [leastWidth, mostWidth] = [8, 40];

/**
 * A workbook with one sheet: the name and what it is about, an empty row, and the table, whose head stays in sight. Texts are
 * texts there: a spreadsheet runs none of them, whatever they begin with.
 */
export function spreadsheetOf(name: string, above: readonly string[], table: ShownTable): Promise<Blob> {
  const { heads, rows, totals } = table;
  const title = [{ value: name, type: String, fontWeight: "bold" as const }];
  const top = [title, ...above.map((value) => [{ value, type: String }]), []];
  const head = heads.map((value) => ({ value, type: String, fontWeight: "bold" as const }));
  const body = rows.map((row) => row.map(cellOf));
  const foot = totals === null ? [] : [totals.map((cell) => ({ ...cellOf(cell), fontWeight: "bold" as const }))];
  const sheet = name.replace(notInNames, " ").slice(0, maxNameLength);
  const columns = heads.map((title, index) => ({ width: widthOf(title, rows, index) }));
  return writeXlsxFile([...top, head, ...body, ...foot], { sheet, columns, stickyRowsCount: top.length + 1 }).toBlob();
}

function cellOf(cell: ShownCell) {
  return typeof cell === "string" ? { value: cell, type: String } : { ...cell, type: Number };
}

/** Enough rows to know what a column looks like. */
const rowsLookedAt = 100;

function widthOf(title: string, rows: ShownTable["rows"], index: number): number {
  const lengths = rows.slice(0, rowsLookedAt).map((row) => lengthOf(row[index] ?? ""));
  return Math.min(mostWidth, Math.max(leastWidth, title.length + 2, ...lengths));
}

function lengthOf(cell: ShownCell): number {
  return typeof cell === "string" ? cell.length : Math.max(cell.format.length, leastWidth) + 2;
}
