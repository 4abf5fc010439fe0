import { dayMs } from "../domain/time/time.ts";
import { addKeyUsage, type KeyUsageRow } from "../store/access/key-usage.ts";
import type { Database } from "../store/database.ts";
import type { Principal } from "./principal.ts";

type Tally = { -readonly [Name in keyof KeyUsageRow]: KeyUsageRow[Name] };

/** By day, key and endpoint. Joining them to one string would cost more than all the rest of the counting. */
type Tallies = Map<number, Map<string, Map<string, Tally>>>;

/** Counts what each key does, for the portal's plot. Written behind, so a crash may lose the last second's counts. */
export class UsageRecorder {
  readonly #database: Database;
  #tallies: Tallies = new Map();

  constructor(database: Database) {
    this.#database = database;
  }

  record({ accountId, keyId }: Principal, endpoint: string, status: number, now: number): void {
    const tally = this.#tallyOf(accountId, keyId, endpoint, Math.floor(now / dayMs));
    tally.requests++;
    if (status === 304) tally.not_modified++;
    else if (status === 429) tally.refused++;
    else if (status >= 400) tally.errors++;
  }

  async flush(): Promise<void> {
    const tallies = [...this.#tallies.values()].flatMap((ofDay) =>
      [...ofDay.values()].flatMap((ofKey) => [...ofKey.values()]),
    );
    if (tallies.length === 0) return;
    this.#tallies = new Map();
    try {
      await this.#database.transaction((tx) => addKeyUsage(tx, tallies));
    } catch (error) {
      this.#restore(tallies);
      throw error;
    }
  }

  #tallyOf(accountId: number, keyId: string, endpoint: string, day: number): Tally {
    const ofKeys = this.#tallies.getOrInsertComputed(day, () => new Map());
    const ofKey = ofKeys.getOrInsertComputed(keyId, () => new Map());
    const none = { requests: 0, not_modified: 0, refused: 0, errors: 0 };
    return ofKey.getOrInsertComputed(endpoint, () => ({
      account_id: accountId,
      key_id: keyId,
      day,
      endpoint,
      ...none,
    }));
  }

  /** Counts that could not be written are added to those since. */
  #restore(tallies: readonly Tally[]): void {
    for (const { account_id, key_id, endpoint, day, ...counts } of tallies) {
      const tally = this.#tallyOf(account_id, key_id, endpoint, day);
      tally.requests += counts.requests;
      tally.not_modified += counts.not_modified;
      tally.refused += counts.refused;
      tally.errors += counts.errors;
    }
  }
}
