import { formatInstant } from "../../domain/time/time.ts";
import type { CommandCall } from "./command.ts";

/** Columns lined up under their headings, two spaces apart. */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return all.map(line).join("\n");
}

/** The text of each column, by its heading. */
export type TextColumns<Row> = Readonly<Record<string, (row: Row) => string>>;

/** A list as a table, or with `--json` as an array of objects. */
export function printList<Row>(
  { options, terminal }: CommandCall,
  rows: readonly Row[],
  columns: TextColumns<Row>,
  toJson: (row: Row) => object,
): void {
  const cells = Object.values(columns);
  const lines = rows.map((row) => cells.map((cell) => cell(row)));
  terminal.out(options.json ? JSON.stringify(rows.map(toJson)) : textTable(Object.keys(columns), lines));
}

/** A moment for people: UTC to the second. */
export function shortInstant(ms: number | null): string {
  return ms === null ? "-" : `${formatInstant(ms).slice(0, 19).replace("T", " ")}Z`;
}

/** A moment for scripts. */
export function jsonInstant(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms);
}
