import type { MeterReading, Spent } from "./meter.ts";
import type { Principal } from "./principal.ts";

/**
 * Limits each key to its requests per second and per UTC day, and all keys of an account together to the account's requests
 * per day, if it has such a limit.
 *
 * Guarantee: exactly as many calls pass as the limits say, however many come at once. A refused call uses a slot of its
 * second, never one of a day; a key whose own day is used up uses nothing of its account.
 *
 * - Embedded, for the one server process, and over a restart. A `kill -9` may forgive the charges of the last 100 ms and of
 *   the commit under way, or of as long as another process has held the store's lock.
 * - On PostgreSQL, over all nodes, and over a `kill -9` of any of them.
 * - While PostgreSQL can be read but not written (its disk is full, it has become read-only, the counters' rows are
 *   locked), each node counts by itself, from what is stored and what it has counted since, and adds that to the store when
 *   it accepts writes again. Meanwhile each of N nodes may pass what was left: at most N times that in all. The counts of a
 *   node that is killed meanwhile are forgiven.
 * - When the store cannot be read either, the call fails: nothing passes uncounted.
 *
 * A count belongs to the UTC day on which it was charged. A clock that is set to another day and back finds what was used
 * of each. A clock that is set back begins a new second; only up to two seconds back count as calls that were overtaken.
 */
export interface Limiter {
  /** Uses a slot of the second and, unless that is deferred, one of the day. Rejects if that takes three seconds. */
  spend(principal: Principal, day: "now" | "later", now: number): Promise<Spent>;

  /** The same without waiting, if the counts are in this process. Only src/api/poll-fast-path.ts needs it. */
  spendAtOnce?(principal: Principal, day: "now" | "later", now: number): Spent;

  /** Charges the day's request that `spend` deferred. */
  chargeDay(principal: Principal, now: number): Promise<Spent>;

  /** Refunds a request of the day that it was charged to: the fault was the server's. */
  refundDay(principal: Principal, day: number, now: number): Promise<MeterReading>;

  flush(): Promise<void>;
}
