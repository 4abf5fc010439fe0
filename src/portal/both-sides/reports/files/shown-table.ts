import type { Place } from "../../../../domain/geometry/distance.ts";
import type { FileCell, FileFigure } from "./file-cells.ts";

/** What a column says of itself for a file. */
export interface FileColumn<Row, Sums = Row> {
  readonly title: string;
  /** The unit of its figures or the zone of its times: cells do not repeat it. */
  readonly unit?: string | undefined;
  readonly file: (row: Row) => FileCell;
  readonly fileTotal?: (rows: readonly Sums[]) => FileCell;
  /** What a file has in the next column: what the screen shows in the same cell, or has no room for. */
  readonly beside?: FileColumn<Row, Sums>;
}

/** A report as it is shown, for a spreadsheet: heads with units, rows, and a row of totals where there is one. */
export interface ShownTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ShownCell[])[];
  readonly totals: readonly ShownCell[] | null;
}

export type ShownCell = string | FileFigure;

export interface LabelledTotals<Sums> {
  readonly label: string;
  readonly summed: readonly Sums[];
}

/** All places are asked for at once: what names them asks the server for several in one call. */
export async function shownTable<Row, Sums>(
  shown: readonly FileColumn<Row, Sums>[],
  rows: readonly Row[],
  totals: LabelledTotals<Sums> | null,
  nameOf: (place: Place) => string | Promise<string>,
): Promise<ShownTable> {
  const columns = shown.flatMap((column) => (column.beside ? [column, column.beside] : [column]));
  const cellsOf = (row: Row) =>
    columns.map(({ file }) => {
      const cell = file(row);
      return typeof cell === "object" && "place" in cell ? nameOf(cell.place) : cell;
    });
  return {
    heads: columns.map(({ title, unit }) => (unit === undefined ? title : `${title} (${unit})`)),
    rows: await Promise.all(rows.map((row) => Promise.all(cellsOf(row)))),
    totals: totals && totalsOf(columns, totals),
  };
}

function totalsOf<Sums>(columns: readonly FileColumn<never, Sums>[], { label, summed }: LabelledTotals<Sums>) {
  if (!columns.some(({ fileTotal }) => fileTotal)) return null;
  return columns.map(({ fileTotal }, index): ShownCell => {
    const total = index === 0 ? label : (fileTotal?.(summed) ?? "");
    return typeof total === "object" && "place" in total ? "" : total;
  });
}

/** Letters of any language are fine; what a file system or a shell reads as something else is not. */
const notInFileNames = /[^\p{L}\p{N}.-]+/gu;

export function shownFileName(parts: readonly string[], extension: string): string {
  return `${parts.map((part) => part.replaceAll(notInFileNames, "-")).join("_")}.${extension}`;
}
