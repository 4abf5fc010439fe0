import { BoundedMap } from "../domain/bounded-map.ts";
import type { Database } from "./database.ts";

/** Some bytes each: enough for all who poll at once, nothing against the machine's memory. */
const maxValues = 50_000;

/**
 * Small things that were read, each believed until anything is committed: then all of them are read again when they are
 * asked for. Where commits cannot be told, each is read every time.
 */
export class UntilCommit<Value> {
  readonly #database: Database;
  readonly #values = new BoundedMap<string, Value>({ max: maxValues });
  #commits: number | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A promise only if the store has to be asked. */
  get(key: string, read: (database: Database) => Promise<Value>): Promise<Value> | Value {
    const commits = this.#database.commits();
    if (commits === null) return read(this.#database);
    if (commits !== this.#commits) {
      this.#values.clear();
      this.#commits = commits;
    }
    const value = this.#values.get(key);
    return value === undefined ? this.#read(key, commits, read) : value;
  }

  async #read(key: string, commits: number, read: (database: Database) => Promise<Value>): Promise<Value> {
    const value = await read(this.#database);
    // What was read before a commit must not be kept for the time after it.
    if (commits === this.#commits) this.#values.set(key, value);
    return value;
  }
}
