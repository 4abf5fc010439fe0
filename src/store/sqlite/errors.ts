import { SQLiteError } from "bun:sqlite";
import { readFileSync, statSync } from "node:fs";
import { type ErrorCode, Failure } from "../../domain/errors.ts";

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

/** The byte of the `-shm` file that SQLite locks for a writer. */
const writeLockByte = "120";

/**
 * Who writes to a store at this moment, in words. A server's own threads have a connection each, so it need not be another
 * process. Linux lists all locks, each with its process; elsewhere nobody can say.
 */
function writerOf(path: string): string {
  const pid = writingProcess(path);
  if (pid === null) return "another process or another thread of this one";
  return pid === process.pid ? "another thread of this process" : `another process (${pid})`;
}

/** Null: nobody writes any more, or it is not known. */
function writingProcess(path: string): number | null {
  try {
    const inode = statSync(`${path}-shm`).ino;
    for (const line of readFileSync("/proc/locks", "utf8").split("\n")) {
      // `5: POSIX  ADVISORY  WRITE 3416 fe:00:10010673 120 120`; of another container's process the number is 0.
      const [, , , kind, pid, file, first] = line.trim().split(/\s+/);
      const isWriter = kind === "WRITE" && first === writeLockByte && file?.endsWith(`:${inode}`);
      if (isWriter && Number(pid) > 0) return Number(pid);
    }
  } catch {
    // Not on Linux, or not for us to read.
  }
  return null;
}
