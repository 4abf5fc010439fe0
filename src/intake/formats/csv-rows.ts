import { CsvError, parse } from "csv-parse/sync";
import { Failure } from "../../domain/errors.ts";

export interface CsvRow {
  /** Where the row begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** More than one if a quoted cell holds line breaks. */
  readonly lineCount: number;
  readonly separator: Separator;
}

export interface CsvListener {
  /** Returns false for what cannot be one row. It has several lines then, and a quote that was opened by mistake. */
  row(row: CsvRow): boolean;
  refused(line: number, reason: string): void;
}

/** No row of a track is nearly as long; a file without line breaks must not fill the memory. */
const maxRowCharacters = 1024 * 1024;
/** A quote that is still open after so many lines was opened by mistake. */
const maxRowLines = 100;
const separators = [",", ";", "\t"] as const;
type Separator = (typeof separators)[number];

/**
 * Splits text that arrives in pieces into rows. A quoted cell may hold separators, line breaks, and quotes written twice. A quote
 * that nothing closes costs its own line and no other: where a block of lines cannot be read on, one line is read by itself.
 */
export class CsvRows {
  readonly #listener: CsvListener;
  #separator: Separator | null = null;
  #lines: string[] = [];
  #firstLine = 1;
  #unfinishedLine = "";

  constructor(listener: CsvListener) {
    this.#listener = listener;
  }

  push(piece: string): void {
    const lines = (this.#unfinishedLine + piece).split("\n");
    this.#unfinishedLine = lines.pop() ?? "";
    this.#lines = this.#lines.concat(lines);
    this.#read(false);
    if (this.#unfinishedLine.length <= maxRowCharacters) return;
    const line = this.#firstLine + this.#lines.length;
    throw new Failure("FILE_UNREADABLE", `line ${line}: a row of more than ${maxRowCharacters} characters`);
  }

  end(): void {
    this.#lines.push(this.#unfinishedLine);
    this.#read(true);
  }

  /** Reads all lines but those of a row whose end may still arrive. */
  #read(isEnd: boolean): void {
    let at = 0;
    while (at < this.#lines.length) {
      const block = this.#lines.slice(at, at + maxRowLines);
      const { readLines, errorCode } = this.#parse(block, at, false);
      at += readLines;
      if (errorCode === null) continue;
      const open = block.slice(readLines);
      if (errorCode === "CSV_QUOTE_NOT_CLOSED" && open.length < maxRowLines && open.join().length <= maxRowCharacters) {
        if (at + open.length < this.#lines.length) continue;
        if (!isEnd) break;
      }
      if (this.#parse(open.slice(0, 1), at, true).errorCode !== null) {
        this.#listener.refused(this.#firstLine + at, "a cell that begins with a quote must end with one");
      }
      at++;
    }
    this.#firstLine += at;
    this.#lines = this.#lines.slice(at);
  }

  /** Reads rows up to the first that is wrong. `isRelaxed`: a quote inside a cell that is not quoted is text. */
  #parse(lines: readonly string[], at: number, isRelaxed: boolean): { readLines: number; errorCode: string | null } {
    let readLines = 0;
    const separator = this.#separator ?? separatorOf(lines);
    const onRecord = (cells: string[]) => {
      const lineCount = cells.join("").split("\n").length;
      if (lines[readLines]?.trim() !== "") {
        this.#separator = separator;
        const line = this.#firstLine + at + readLines;
        const isRow = this.#listener.row({ line, cells, lineCount, separator });
        if (!isRow) throw new CsvError("CSV_INVALID_CLOSING_QUOTE", "the quote before it was opened by mistake");
      }
      readLines += lineCount;
      return null; // the parser need not collect it
    };
    try {
      parse(lines.join("\n"), {
        bom: true,
        delimiter: separator,
        on_record: onRecord,
        record_delimiter: ["\r\n", "\n"],
        relax_column_count: true,
        relax_quotes: isRelaxed,
        trim: true,
      });
      return { readLines: lines.length, errorCode: null };
    } catch (error) {
      if (error instanceof CsvError) return { readLines, errorCode: error.code };
      throw error;
    }
  }
}

/** The one that the header has most of, outside of quotes. */
function separatorOf(lines: readonly string[]): Separator {
  const header = lines.find((line) => line.trim() !== "") ?? "";
  const bare = header.replace(/"[^"]*"/g, "");
  const counts = separators.map((separator) => bare.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ",";
}
