import type { Database } from "../store/database.ts";
import { addCharges, storedCountsAtOnce } from "../store/key-counters.ts";
import type { Limiter } from "./limiter.ts";
import { dayOf, type MeterReading, type Spent } from "./meter.ts";
import { type Asked, NodeCounts } from "./node-counts.ts";
import type { Principal } from "./principal.ts";

/**
 * How soon a charge is written down: what a `kill -9` may forgive. A write is one commit of all keys that were charged
 * meanwhile. It does not wait for the disk, and so takes 0.06 ms instead of 2.4; but it makes the store's log grow, and
 * everyone look again at what they keep until a commit. That is why there are not more of them.
 */
const writeBehindMs = 100;

const readOnly: Asked = { slot: false, charge: false };

/** Counts in memory, because there is one server process, and writes behind. */
export class EmbeddedLimiter implements Limiter {
  readonly #database: Database;
  readonly #counts = new NodeCounts();
  #writing: Timer | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  spend(principal: Principal, day: "now" | "later", now: number): Spent {
    return this.#spend(principal, { slot: true, charge: day === "now" }, now);
  }

  chargeDay(principal: Principal, now: number): Spent {
    return this.#spend(principal, { slot: false, charge: true }, now);
  }

  refundDay(principal: Principal, day: number, now: number): MeterReading {
    this.#counts.add(principal, day, -1);
    this.#writeSoon();
    return this.#spend(principal, readOnly, now).reading;
  }

  async flush(): Promise<void> {
    const unsaved = this.#counts.takeUnsaved();
    if (unsaved === null) return;
    try {
      await this.#database.transaction((tx) => addCharges(tx, unsaved.keys, unsaved.accounts));
    } catch (error) {
      unsaved.giveBack();
      throw error;
    }
  }

  #spend(principal: Principal, asked: Asked, now: number): Spent {
    const spent = this.#counts.spend(principal, asked, now) ?? this.#spendFirst(principal, asked, now);
    if (asked.charge && spent.refusal === null) this.#writeSoon();
    return spent;
  }

  /** The first call of a key on a day goes on from what is stored. */
  #spendFirst(principal: Principal, asked: Asked, now: number): Spent {
    const day = dayOf(now);
    const isAccountLimited = principal.limits.accountPerDay !== null;
    this.#counts.begin(principal, day, storedCountsAtOnce(this.#database, principal, day, isAccountLimited));
    const spent = this.#counts.spend(principal, asked, now);
    if (spent === null) throw new Error("the limiter does not find what it has begun");
    return spent;
  }

  /** What could not be written is written with the next charge, or by whoever calls `flush`, and who reports it. */
  #writeSoon(): void {
    this.#writing ??= setTimeout(() => {
      this.#writing = null;
      this.flush().catch(() => {});
    }, writeBehindMs).unref();
  }
}
