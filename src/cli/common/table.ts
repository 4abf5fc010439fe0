import { formatInstant } from "../../domain/time.ts";

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

/** A moment for people: UTC to the second. */
export function shortInstant(ms: number | null): string {
  return ms === null ? "-" : `${formatInstant(ms).slice(0, 19).replace("T", " ")}Z`;
}

/** A moment for scripts. */
export function jsonInstant(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms);
}
