import type { Database } from "../../store/database.ts";
import {
  dropOldTrackerMessages,
  saveTrackerMessages,
  type TrackerMessageRow,
  watchedTrackers,
} from "../../store/fleet/tracker-messages.ts";
import { shownMessage } from "./describe.ts";
import type { MessageLog } from "./message-log.ts";

/** A person looks at the page or the terminal meanwhile. */
export const showWatchedMs = 500;

/**
 * Writes down what the trackers of watched devices sent, from this node's memory: whoever watches may be at another node, or in
 * another process.
 */
export class WatchedTrackers {
  readonly #database: Database;
  readonly #messages: MessageLog;
  readonly #node = crypto.randomUUID();
  /** The last message of each watched device that is written. */
  #shown = new Map<string, number>();
  #tidiedAt = 0;

  constructor(database: Database, messages: MessageLog) {
    this.#database = database;
    this.#messages = messages;
  }

  async show(now: number): Promise<void> {
    const shown = new Map<string, number>();
    const rows: TrackerMessageRow[] = [];
    for (const { imei, account_id } of await watchedTrackers(this.#database, now)) {
      const before = this.#shown.get(imei) ?? 0;
      const messages = this.#messages.of(imei, before).filter(({ accountId }) => accountId === account_id);
      shown.set(imei, messages.at(-1)?.number ?? before);
      for (const message of messages) {
        const { number, receivedAt: received_at } = message;
        const message_json = JSON.stringify(shownMessage(message));
        rows.push({ imei, node: this.#node, number, account_id, received_at, message_json });
      }
    }
    if (rows.length > 0) await saveTrackerMessages(this.#database, rows);
    this.#shown = shown;
    if (now - this.#tidiedAt > 60_000) {
      this.#tidiedAt = now;
      await dropOldTrackerMessages(this.#database, now);
    }
  }
}
