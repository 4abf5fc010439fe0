import { BoundedMap } from "../domain/bounded-map.ts";
import { dayMs } from "../domain/window.ts";
import type { Database } from "../store/database.ts";
import { chargeShared, type KeyCounterRow, spendShared } from "../store/key-counters.ts";
import type { Limiter } from "./limiter.ts";
import { type MeterReading, meterReading, type Refusal, type Spent } from "./meter.ts";
import type { Principal } from "./principal.ts";

/** Counts in PostgreSQL, for all nodes at once: one statement a call. */
export class SharedLimiter implements Limiter {
  readonly #database: Database;
  /** Keys that are known to be over their burst, by the database's second: they need not be asked about again in it. */
  readonly #overBurst = new BoundedMap<string, { readonly second: number; readonly row: KeyCounterRow }>({
    max: 10_000,
  });

  /** Refunds that the store did not take: where it fails in the middle of a call, it mostly fails for the refund, too. */
  readonly #owed: { readonly principal: Principal; readonly now: number }[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  async spend(principal: Principal, day: "now" | "later", now: number): Promise<Spent> {
    const second = Math.floor(now / 1000);
    const over = this.#overBurst.get(principal.keyId);
    if (over?.second === second) return { reading: readingOf(principal, over.row), refusal: "second" };
    const row = await spendShared(this.#database, { ...spendingOf(principal), dayCharge: day === "now" ? 1 : 0 });
    const refusal = refusalOf(principal, row);
    if (refusal === "second") {
      // Only if this node's clock and the database's are in the same second, the next refusal can be told without it.
      if (row.second === second) this.#overBurst.set(principal.keyId, { second, row });
    }
    return { reading: readingOf(principal, row), refusal };
  }

  async chargeDay(principal: Principal): Promise<Spent> {
    const row = await chargeShared(this.#database, spendingOf(principal), 1);
    return { reading: readingOf(principal, row), refusal: row.admitted ? null : "day" };
  }

  async refundDay(principal: Principal, now: number): Promise<MeterReading> {
    try {
      return readingOf(principal, await chargeShared(this.#database, spendingOf(principal), -1));
    } catch (error) {
      this.#owed.push({ principal, now });
      throw error;
    }
  }

  /** Gives back what could not be given back when it was due, unless that day is over. */
  async flush(): Promise<void> {
    for (let left = this.#owed.length; left > 0; left--) {
      const due = this.#owed.shift();
      if (due && Math.floor(due.now / dayMs) === Math.floor(Date.now() / dayMs)) {
        await this.refundDay(due.principal, due.now);
      }
    }
  }
}

function spendingOf({ accountId, keyId, limits }: Principal) {
  return { accountId, keyId, perSecond: limits.perSecond, perDay: limits.perDay };
}

function refusalOf({ limits }: Principal, row: KeyCounterRow): Refusal | null {
  if (row.admitted) return null;
  return row.second_used > limits.perSecond ? "second" : "day";
}

function readingOf({ limits }: Principal, row: KeyCounterRow): MeterReading {
  return meterReading(limits, row.day_used, row.second_used, row.last_used_at);
}
