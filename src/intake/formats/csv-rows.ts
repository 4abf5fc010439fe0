import { Failure } from "../../domain/errors.ts";

export interface CsvRow {
  /** Where the row begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** No row of a track is nearly as long; a quote that never ends must not fill the memory. */
const longestRow = 1024 * 1024;
const separators = [",", ";", "\t"] as const;
export type Separator = (typeof separators)[number];

/** The one that the header has most of, outside of quotes. */
function separatorOf(header: string): Separator {
  const bare = header.replace(/"[^"]*"/g, "");
  const counts = separators.map((separator) => bare.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** Splits text that arrives in pieces into rows. A quoted cell may hold separators, line breaks, and quotes written twice. */
export class CsvRows {
  #rest = "";
  #line = 1;
  #separator: Separator | null = null;

  get separator(): Separator {
    return this.#separator ?? ",";
  }

  push(piece: string): CsvRow[] {
    const text = this.#rest + piece;
    const rows: CsvRow[] = [];
    let begin = 0;
    for (let end = endOfRow(text, begin); end >= 0; end = endOfRow(text, begin)) {
      this.#add(text.slice(begin, end), rows);
      begin = end + 1;
    }
    this.#rest = text.slice(begin);
    if (this.#rest.length > longestRow) {
      throw new Failure("FILE_UNREADABLE", `line ${this.#line}: a row of more than ${longestRow} characters`);
    }
    return rows;
  }

  end(): CsvRow[] {
    const rows: CsvRow[] = [];
    if (this.#rest !== "") this.#add(this.#rest, rows);
    this.#rest = "";
    return rows;
  }

  /** Blank lines are no rows. */
  #add(text: string, rows: CsvRow[]): void {
    const line = this.#line;
    this.#line += text.split("\n").length;
    const row = (line === 1 && text.startsWith("\uFEFF") ? text.slice(1) : text).replace(/\r$/, "");
    if (row.trim() === "") return;
    this.#separator ??= separatorOf(row);
    rows.push({ line, cells: cellsOf(row, this.#separator) });
  }
}

/** The line break that ends the row which begins here, or -1. Inside quotes, after an odd number of them, it ends nothing. */
function endOfRow(text: string, begin: number): number {
  let quotes = 0;
  let from = begin;
  for (;;) {
    const newline = text.indexOf("\n", from);
    if (newline < 0) return -1;
    const line = text.slice(from, newline);
    if (line.includes('"')) quotes += line.split('"').length - 1;
    if (quotes % 2 === 0) return newline;
    from = newline + 1;
  }
}

function cellsOf(row: string, separator: Separator): string[] {
  if (!row.includes('"')) return row.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  let begin = 0;
  let isQuoted = false;
  for (let index = 0; index < row.length; index++) {
    const character = row[index];
    if (character === '"') isQuoted = !isQuoted;
    if (character !== separator || isQuoted) continue;
    cells.push(unquoted(row.slice(begin, index)));
    begin = index + 1;
  }
  cells.push(unquoted(row.slice(begin)));
  return cells;
}

function unquoted(cell: string): string {
  const text = cell.trim();
  const isQuoted = text.length >= 2 && text.startsWith('"') && text.endsWith('"');
  return isQuoted ? text.slice(1, -1).replaceAll('""', '"') : text;
}
