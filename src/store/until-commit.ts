import { BoundedMap } from "../domain/bounded-map.ts";
import type { Database } from "./database.ts";

/** A few bytes each: enough for all concurrent pollers, and little memory. */
const maxValues = 50_000;

/** Small values, each cached until anything is committed. If the store cannot see commits, each is read every time. */
export class UntilCommit<Value> {
  readonly #database: Database;
  readonly #values = new BoundedMap<string, Value>({ max: maxValues });
  #commits: number | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  async get(key: string, read: (database: Database) => Promise<Value>): Promise<Value> {
    const known = this.known(key);
    if (known !== undefined) return known;
    const commits = this.#commits;
    const value = await read(this.#database);
    this.set(key, value, commits);
    return value;
  }

  known(key: string): Value | undefined {
    const commits = this.#database.commits();
    if (commits !== this.#commits) {
      this.#values.clear();
      this.#commits = commits;
    }
    return this.#values.get(key);
  }

  /** A value read before a commit is not used after it: `commits` is the number before the read. */
  set(key: string, value: Value, commits: number | null): void {
    if (commits !== null && commits === this.#commits) this.#values.set(key, value);
  }
}
