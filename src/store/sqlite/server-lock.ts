import { Database as Sqlite } from "bun:sqlite";
import { chmodSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../domain/errors.ts";
import { isBusy } from "./errors.ts";

/**
 * One server at a time works on a data directory: its limiter counts in memory. The lock is the operating system's, on a
 * file of its own, so it goes with the process however that ends. Gives the function that lets it go.
 */
export function holdServerLock(directory: string): () => void {
  const path = join(directory, "serve.lock");
  ownFile(path);
  const lock = new Sqlite(path, { create: true, readwrite: true });
  try {
    lock.run("begin exclusive");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new Failure("STORE_LOCKED", `another odograph serves ${directory} already`, { cause: error });
  }
  return () => lock.close();
}

/**
 * SQLite would make a file that others may read, and whoever may read it can lock it and keep the server from starting. What
 * does not work here, SQLite reports when it opens the file.
 */
function ownFile(path: string): void {
  try {
    // Never opens one that is there: closing it would let go a lock that this process holds on it.
    closeSync(openSync(path, "wx", 0o600));
  } catch {}
  try {
    // 1.0.0 left one that others may read.
    chmodSync(path, 0o600);
  } catch {}
}
