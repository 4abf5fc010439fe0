import { Database as Sqlite } from "bun:sqlite";
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../domain/errors.ts";
import { isBusy } from "./errors.ts";

/**
 * Only one server may use a data directory: its limiter counts in memory. The operating system holds the lock, on a
 * separate file, so it ends with the process however that ends. Returns the function that releases it.
 */
export function holdServerLock(directory: string): () => void {
  const path = join(directory, "serve.lock");
  ownFile(path);
  const lock = new Sqlite(path, { create: true, readwrite: true });
  try {
    // A command may be looking whether there is a server.
    lock.run("pragma busy_timeout = 100");
    lock.run("begin exclusive");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    const message = `another odograph serves ${directory} already: stop it, or choose another directory with --data`;
    throw new Failure("STORE_LOCKED", message, { cause: error });
  }
  return () => lock.close();
}

export function isServed(directory: string): boolean {
  const path = join(directory, "serve.lock");
  if (!existsSync(path)) return false;
  const lock = new Sqlite(path, { readonly: true });
  try {
    lock.query("select 1 from sqlite_schema").all();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    lock.close();
  }
}

/** SQLite would make a file that others may read, and so lock. SQLite reports what fails here when it opens the file. */
function ownFile(path: string): void {
  try {
    // Never opens an existing file: closing it would release a lock that this process holds on it.
    closeSync(openSync(path, "wx", 0o600));
  } catch {}
  try {
    // One that was copied, or made by another program, may be readable by others.
    chmodSync(path, 0o600);
  } catch {}
}
