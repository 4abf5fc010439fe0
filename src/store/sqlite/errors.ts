import { SQLiteError } from "bun:sqlite";
import { type ErrorCode, Failure } from "../../domain/errors.ts";
import { writerOf } from "./lock-holder.ts";

/** The first entry whose prefix matches decides. SQLite's extended codes (`SQLITE_BUSY_SNAPSHOT`) begin with the plain one. */
const meanings: readonly (readonly [prefix: string, code: ErrorCode, text: string])[] = [
  ["SQLITE_BUSY", "STORE_LOCKED", "is locked by"],
  ["SQLITE_LOCKED", "STORE_LOCKED", "is locked by"],
  ["SQLITE_READONLY", "STORE_READ_ONLY", "is read-only"],
  ["SQLITE_PERM", "STORE_READ_ONLY", "may not be accessed"],
  ["SQLITE_NOTADB", "STORE_CORRUPT", "is not a database"],
  ["SQLITE_CORRUPT", "STORE_CORRUPT", "is corrupt"],
  ["SQLITE_FULL", "STORE_FULL", "could not grow: the disk is full"],
  ["SQLITE_IOERR", "STORE_FULL", "could not be read or written: the disk is full or failing"],
  ["SQLITE_CANTOPEN", "STORE_MISSING", "cannot be opened"],
];

export function explainSqliteError(error: unknown, path: string): unknown {
  if (!(error instanceof SQLiteError)) return error;
  const code = error.code ?? "";
  for (const [prefix, failure, text] of meanings) {
    if (!code.startsWith(prefix)) continue;
    const words = failure === "STORE_LOCKED" ? `${text} ${writerOf(path)}` : text;
    return new Failure(failure, `the database ${path} ${words}`, { cause: error });
  }
  return error;
}

export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}
