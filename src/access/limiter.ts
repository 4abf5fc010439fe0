import type { MeterReading, Spent } from "./meter.ts";
import type { Principal } from "./principal.ts";

/**
 * Keeps each key within its requests per second and per UTC day.
 *
 * What it guarantees: exactly as many calls pass as the limits say, however many come at once. Embedded, for the one server
 * process, and over a restart; a `kill -9` may forgive the calls of the last second. On PostgreSQL, over all nodes. A call
 * that is refused uses a slot of its second, never one of the day. When the store does not answer, the call fails: nothing
 * passes uncounted.
 */
export interface Limiter {
  /** Takes a slot of the second and, unless that is left for later, one of the day. */
  spend(principal: Principal, day: "now" | "later", now: number): Promise<Spent> | Spent;

  /** Takes the day's request that `spend` left for later. */
  chargeDay(principal: Principal, now: number): Promise<Spent> | Spent;

  /** Gives the day's request back: the fault was the server's. */
  refundDay(principal: Principal, now: number): Promise<MeterReading> | MeterReading;

  /** Writes down what is only in memory. */
  flush(): Promise<void>;
}
