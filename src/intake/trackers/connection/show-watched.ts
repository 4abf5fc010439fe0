import type { Database } from "../../../store/database.ts";
import {
  dropOldTrackerMessages,
  saveTrackerMessages,
  type TrackerMessageRow,
  watchedTrackers,
} from "../../../store/fleet/tracker-messages.ts";
import type { ShowMessages } from "./describe.ts";

/** A person looks at the page or the terminal meanwhile. */
export const showWatchedMs = 500;

/**
 * Writes down what the trackers of watched devices sent, from this node's memory: the person who watches may be at another node, or in
 * another process.
 */
export class WatchedTrackers {
  readonly #database: Database;
  readonly #messages: ShowMessages;
  readonly #node = crypto.randomUUID();
  /** The last message of each watched device that is written. */
  #shown = new Map<string, number>();
  #tidiedAt = 0;

  constructor(database: Database, messages: ShowMessages) {
    this.#database = database;
    this.#messages = messages;
  }

  async show(now: number): Promise<void> {
    const watched = await watchedTrackers(this.#database, now);
    const shown = new Map(watched.map(({ imei }) => [imei, this.#shown.get(imei) ?? 0]));
    const accounts = new Map(watched.map(({ imei, account_id }) => [imei, account_id]));
    const wanted = watched.map(({ imei, account_id: accountId }) => ({ imei, accountId, after: shown.get(imei) ?? 0 }));
    const messages = wanted.length === 0 ? [] : await this.#messages(wanted);
    const rows = messages.map(({ imei, number, receivedAt, json }): TrackerMessageRow => {
      shown.set(imei, number);
      const account_id = accounts.get(imei) ?? 0;
      return { imei, node: this.#node, number, account_id, received_at: receivedAt, message_json: json };
    });
    if (rows.length > 0) await saveTrackerMessages(this.#database, rows);
    this.#shown = shown;
    if (now - this.#tidiedAt > 60_000) {
      this.#tidiedAt = now;
      await dropOldTrackerMessages(this.#database, now);
    }
  }
}
