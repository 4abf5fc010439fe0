import { Database as Sqlite } from "bun:sqlite";
import { join } from "node:path";
import { Failure } from "../../domain/errors.ts";
import { isBusy } from "./errors.ts";

/**
 * One server at a time works on a data directory: its limiter counts in memory. The lock is the operating system's, on a
 * file of its own, so it goes with the process however that ends. Gives the function that lets it go.
 */
export function holdServerLock(directory: string): () => void {
  const lock = new Sqlite(join(directory, "serve.lock"), { create: true, readwrite: true });
  try {
    lock.run("begin exclusive");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new Failure("STORE_LOCKED", `another odograph serves ${directory} already`, { cause: error });
  }
  return () => lock.close();
}
