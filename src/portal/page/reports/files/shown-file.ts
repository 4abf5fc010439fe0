import type { Place } from "../../../../domain/geometry/distance.ts";
import { type FileColumn, shownFileName, shownTable } from "../../../both-sides/reports/files/shown-table.ts";
import type { DownloadedFile } from "./downloads.tsx";
import { spreadsheetOf } from "./spreadsheet.ts";

interface ShownReport<Row, Sums> {
  /** Of the sheet, and at the beginning of the file's name. */
  readonly title: string;
  /** What else two files differ in, such as the days. */
  readonly about: readonly string[];
  /** What stands above the table: the days, and what was chosen. */
  readonly above: readonly string[];
  readonly columns: readonly FileColumn<Row, Sums>[];
  readonly rows: readonly Row[];
  readonly totals: { readonly label: string; readonly summed: readonly Sums[] } | null;
  readonly nameOf: (place: Place) => Promise<string>;
}

/** What is on the screen as a workbook. Loaded when a person first wants one. */
export async function shownFile<Row, Sums>(report: ShownReport<Row, Sums>): Promise<DownloadedFile> {
  const { title, about, above, columns, rows, totals, nameOf } = report;
  const table = await shownTable(columns, rows, totals, nameOf);
  return { name: shownFileName([title, ...about], "xlsx"), content: await spreadsheetOf(title, above, table) };
}
