import { dayMs } from "../domain/window.ts";
import type { Database } from "../store/database.ts";
import { addKeyUsage, type KeyUsageRow } from "../store/key-usage.ts";
import type { Principal } from "./principal.ts";

type Tally = { -readonly [Name in keyof KeyUsageRow]: KeyUsageRow[Name] };

/** Counts what each key does, for the portal's plot. Written behind, so a crash may lose the last second's counts. */
export class UsageRecorder {
  readonly #database: Database;
  #tallies = new Map<string, Tally>();

  constructor(database: Database) {
    this.#database = database;
  }

  record(principal: Principal, endpoint: string, status: number, now: number): void {
    const tally = this.#tallyOf(principal, endpoint, Math.floor(now / dayMs));
    tally.requests++;
    if (status === 304) tally.not_modified++;
    else if (status === 429) tally.refused++;
    else if (status >= 400) tally.errors++;
  }

  async flush(): Promise<void> {
    const tallies = this.#tallies;
    if (tallies.size === 0) return;
    this.#tallies = new Map();
    try {
      await this.#database.transaction((tx) => addKeyUsage(tx, [...tallies.values()]));
    } catch (error) {
      this.#takeBack(tallies);
      throw error;
    }
  }

  #tallyOf({ accountId, keyId }: Principal, endpoint: string, day: number): Tally {
    const key = `${keyId} ${day} ${endpoint}`;
    let tally = this.#tallies.get(key);
    if (!tally) {
      const none = { requests: 0, not_modified: 0, refused: 0, errors: 0 };
      tally = { account_id: accountId, key_id: keyId, day, endpoint, ...none };
      this.#tallies.set(key, tally);
    }
    return tally;
  }

  /** What could not be written is counted again with what came since. */
  #takeBack(tallies: ReadonlyMap<string, Tally>): void {
    for (const [key, tally] of tallies) {
      const since = this.#tallies.get(key);
      if (since) {
        tally.requests += since.requests;
        tally.not_modified += since.not_modified;
        tally.refused += since.refused;
        tally.errors += since.errors;
      }
      this.#tallies.set(key, tally);
    }
  }
}
