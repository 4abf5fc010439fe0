import type { Database } from "../store/database.ts";
import { type KeyCounterRow, saveKeyCounters } from "../store/key-counters.ts";
import type { Limiter } from "./limiter.ts";
import { Counter, type MeterReading, type Spent } from "./meter.ts";
import type { Principal } from "./principal.ts";

interface KeyCounter {
  readonly counter: Counter;
  readonly principal: Principal;
  isDirty: boolean;
}

/** Counts in memory, because there is one server process, and writes behind. */
export class EmbeddedLimiter implements Limiter {
  readonly #database: Database;
  readonly #counters = new Map<string, KeyCounter>();

  constructor(database: Database) {
    this.#database = database;
  }

  spend(principal: Principal, day: "now" | "later", now: number): Spent {
    const { counter } = this.#counterOf(principal);
    const inSecond = counter.takeSecond(principal.limits, now);
    const inDay = inSecond && (day === "later" || counter.takeDay(principal.limits, now));
    const refusal = !inSecond ? "second" : !inDay ? "day" : null;
    return { reading: counter.read(principal.limits, now), refusal };
  }

  chargeDay(principal: Principal, now: number): Spent {
    const { counter } = this.#counterOf(principal);
    const refusal = counter.takeDay(principal.limits, now) ? null : "day";
    return { reading: counter.read(principal.limits, now), refusal };
  }

  refundDay(principal: Principal, now: number): MeterReading {
    const { counter } = this.#counterOf(principal);
    counter.giveBackDay(now);
    return counter.read(principal.limits, now);
  }

  async flush(): Promise<void> {
    const dirty = [...this.#counters.values()].filter((entry) => entry.isDirty);
    if (dirty.length === 0) return;
    for (const entry of dirty) entry.isDirty = false;
    try {
      await this.#database.transaction((tx) => saveKeyCounters(tx, dirty.map(toRow)));
    } catch (error) {
      for (const entry of dirty) entry.isDirty = true;
      throw error;
    }
  }

  #counterOf(principal: Principal): KeyCounter {
    let entry = this.#counters.get(principal.keyId);
    if (!entry) {
      const counter = new Counter();
      counter.day = principal.storedDay?.day ?? 0;
      counter.dayUsed = principal.storedDay?.used ?? 0;
      entry = { counter, principal, isDirty: true };
      this.#counters.set(principal.keyId, entry);
    }
    entry.isDirty = true;
    return entry;
  }
}

function toRow({ counter, principal }: KeyCounter): KeyCounterRow {
  return {
    account_id: principal.accountId,
    key_id: principal.keyId,
    day: counter.day,
    day_used: counter.dayUsed,
    second: counter.second,
    second_used: counter.secondUsed,
    admitted: true,
    last_used_at: counter.lastUsedAt,
  };
}
