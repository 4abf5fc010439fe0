import { BoundedMap } from "../domain/bounded-map.ts";
import { type ErrorCode, Failure } from "../domain/errors.ts";
import { dayOf } from "../domain/time/time.ts";
import type { SharedCounts } from "../store/access/key-calls.ts";
import { addCharges, storedCounts } from "../store/access/key-counters.ts";
import { SharedCounters } from "../store/access/shared-counters.ts";
import { viewerId } from "../store/changes/viewers.ts";
import type { Database } from "../store/database.ts";
import { beforeDeadline } from "../store/deadlines.ts";
import type { Limiter } from "./limiter.ts";
import { type ExceededLimit, type MeterReading, meterReading, type Spent } from "./meter.ts";
import { type Cost, NodeCounts } from "./node-counts.ts";
import type { Principal } from "./principal.ts";

/** Failures to write that may leave reading possible. If reading fails as well, the call fails where it reads. */
const writeFailures: ReadonlySet<ErrorCode> = new Set([
  "STORE_FULL",
  "STORE_READ_ONLY",
  "STORE_LOCKED",
  "STORE_UNREACHABLE",
]);

/** Together as long as the API waits for a page: if the counters cannot be written, there is time left to read them. */
const usualDeadlines = { writeMs: 2_000, readMs: 1_000 };

/** Counts in PostgreSQL, for all nodes together: calls share statements. While writes fail there, each node counts by itself. */
export class SharedLimiter implements Limiter {
  readonly #counters: Database;
  readonly #shared: SharedCounters;
  readonly #reading: Database;
  readonly #deadlines: typeof usualDeadlines;
  /** Keys known to be over their limit, by the database's second: no query is needed to refuse them in it. */
  readonly #overBurst = new BoundedMap<string, { readonly second: number; readonly counts: SharedCounts }>({
    max: 10_000,
  });

  /** Counts of this node, and refunds that could not be stored. */
  readonly #localCounts = new NodeCounts();
  /** True from a failed write until the counts of this node are stored. */
  #isDegraded = false;

  /** `reading` has its own connections, since those of `counters` may all be waiting. */
  constructor(counters: Database, reading: Database = counters, deadlines: Partial<typeof usualDeadlines> = {}) {
    this.#counters = counters;
    this.#shared = new SharedCounters(counters, reading);
    this.#reading = reading;
    this.#deadlines = { ...usualDeadlines, ...deadlines };
  }

  spend(principal: Principal, day: "now" | "later", now: number): Promise<Spent> {
    const over = this.#overBurst.get(principal.keyId);
    if (over?.second === Math.floor(now / 1000)) {
      return Promise.resolve({ reading: readingOf(principal, over.counts), refusal: "second" });
    }
    if (over) this.#overBurst.delete(principal.keyId);
    return this.#count(principal, { slot: true, charge: day === "now" }, now);
  }

  chargeDay(principal: Principal, now: number): Promise<Spent> {
    return this.#count(principal, { slot: false, charge: true }, now);
  }

  async refundDay(principal: Principal, day: number, now: number): Promise<MeterReading> {
    if (this.#isDegraded) {
      this.#localCounts.add(principal, day, -1);
      return (await this.#countLocally(principal, { slot: false, charge: false }, now)).reading;
    }
    try {
      const isAccountLimited = principal.limits.accountPerDay !== null;
      return readingOf(principal, await this.#shared.refund(principal, isAccountLimited, day));
    } catch (error) {
      this.#localCounts.add(principal, day, -1);
      throw error;
    }
  }

  /** Adds the counts of this node to the store. If that works, counting happens there again. */
  async flush(): Promise<void> {
    for (;;) {
      const unsaved = this.#localCounts.takeUnsaved();
      if (unsaved === null) break;
      try {
        await this.#counters.transaction((tx) => addCharges(tx, unsaved.keys, unsaved.accounts));
      } catch (error) {
        unsaved.restore();
        throw error;
      }
      // Once more, for what was counted here in the meantime.
      this.#isDegraded = false;
    }
    this.#isDegraded = false;
    this.#localCounts.forgetSaved();
  }

  async #count(principal: Principal, cost: Cost, now: number): Promise<Spent> {
    if (this.#isDegraded) return this.#countLocally(principal, cost, now);
    try {
      const counts = await this.#countInStore(principal, cost);
      const refusal = refusalOf(principal, counts, cost.slot);
      if (refusal === "second") this.#noteOverBurst(principal, counts, Math.floor(now / 1000));
      return { reading: readingOf(principal, counts), refusal, counters: counts.counters };
    } catch (error) {
      if (!(error instanceof Failure) || !writeFailures.has(error.code)) throw error;
      this.#isDegraded = true;
      return this.#countLocally(principal, cost, now);
    }
  }

  #countInStore(principal: Principal, { slot: takesSlot, charge: isCharged }: Cost): Promise<SharedCounts> {
    const { accountId, keyId, visibility, limits } = principal;
    const { perSecond, perDay, accountPerDay } = limits;
    const key = { accountId, keyId, viewerId: viewerId(visibility), perSecond, perDay, accountPerDay };
    const counting = this.#shared.spend({ ...key, takesSlot, isCharged });
    return beforeDeadline(counting, this.#deadlines.writeMs, () => {
      // What finishes too late may still have been counted.
      const undo = ({ day, admitted }: SharedCounts) => {
        if (admitted && isCharged) this.#localCounts.add(principal, day, -1);
      };
      counting.then(undo).catch(() => {});
      return new Failure("STORE_UNREACHABLE", "the counters were not written in time");
    });
  }

  async #countLocally(principal: Principal, cost: Cost, now: number): Promise<Spent> {
    const known = this.#localCounts.spend(principal, cost, now);
    if (known) return known;
    const isAccountLimited = principal.limits.accountPerDay !== null;
    const reading = storedCounts(this.#reading, principal, dayOf(now), isAccountLimited);
    const stored = await beforeDeadline(reading, this.#deadlines.readMs, unreadable);
    return this.#localCounts.spendFirst(principal, cost, now, stored);
  }

  #noteOverBurst({ keyId }: Principal, counts: SharedCounts, second: number): void {
    // Only if both clocks are in the same second can the next call be refused without the database.
    if (counts.second === second) this.#overBurst.set(keyId, { second, counts });
  }
}

const unreadable = () => new Failure("STORE_UNREACHABLE", "the store did not answer in time");

function refusalOf({ limits }: Principal, counts: SharedCounts, slot: boolean): ExceededLimit | null {
  if (counts.admitted) return null;
  if (slot && counts.second_used > limits.perSecond) return "second";
  return counts.day_used >= limits.perDay ? "day" : "account";
}

function readingOf({ limits }: Principal, counts: SharedCounts): MeterReading {
  const { day, day_used, second_used, account_used, last_used_at } = counts;
  const account =
    account_used === null || limits.accountPerDay === null
      ? null
      : { used: account_used, perDay: limits.accountPerDay };
  return meterReading(limits, { day: day_used, second: second_used, account }, last_used_at, day);
}
