import { BoundedMap } from "../domain/bounded-map.ts";
import { type ErrorCode, Failure } from "../domain/errors.ts";
import type { Database } from "../store/database.ts";
import { addCharges, storedCounts } from "../store/key-counters.ts";
import { type SharedCounts, type Spending, spendShared } from "../store/shared-counters.ts";
import type { Limiter } from "./limiter.ts";
import { dayOf, type MeterReading, meterReading, type Refusal, type Spent } from "./meter.ts";
import { type Asked, NodeCounts } from "./node-counts.ts";
import type { Principal } from "./principal.ts";

/** What hinders writing and perhaps not reading. If reading is hindered, too, the call fails where it reads. */
const writeFailures: ReadonlySet<ErrorCode> = new Set([
  "STORE_FULL",
  "STORE_READ_ONLY",
  "STORE_LOCKED",
  "STORE_UNREACHABLE",
]);

/** Less than what the API allows a stage, so that there is time left to read. */
const writeDeadlineMs = 2_000;

/** Counts in PostgreSQL, for all nodes at once: one statement a call. While that takes no writes, counts here. */
export class SharedLimiter implements Limiter {
  readonly #counters: Database;
  readonly #reading: Database;
  /** Keys that are known to be over their burst, by the database's second: they need not be asked about again in it. */
  readonly #overBurst = new BoundedMap<string, { readonly second: number; readonly counts: SharedCounts }>({
    max: 10_000,
  });

  /** What was counted here, and refunds that the store did not take. */
  readonly #here = new NodeCounts();
  /** Since the store did not take a write, and until it takes what was counted here. */
  #isCountingHere = false;

  /** `reading` has connections of its own: those of `counters` may all be waiting. */
  constructor(counters: Database, reading: Database = counters) {
    this.#counters = counters;
    this.#reading = reading;
  }

  async spend(principal: Principal, day: "now" | "later", now: number): Promise<Spent> {
    const second = Math.floor(now / 1000);
    const over = this.#overBurst.get(principal.keyId);
    if (over?.second === second) return { reading: readingOf(principal, over.counts), refusal: "second" };
    if (over) this.#overBurst.delete(principal.keyId);
    return this.#count(principal, { slot: true, charge: day === "now" }, now);
  }

  chargeDay(principal: Principal, now: number): Promise<Spent> {
    return this.#count(principal, { slot: false, charge: true }, now);
  }

  async refundDay(principal: Principal, day: number, now: number): Promise<MeterReading> {
    if (this.#isCountingHere) {
      this.#here.add(principal, day, -1);
      return (await this.#countHere(principal, { slot: false, charge: false }, now)).reading;
    }
    try {
      const spending = { ...spendingOf(principal), takesSlot: false, charge: -1, day } as const;
      return readingOf(principal, await spendShared(this.#counters, spending));
    } catch (error) {
      this.#here.add(principal, day, -1);
      throw error;
    }
  }

  /** Adds to the store what was counted here. If it takes that, it is asked to count again from then on. */
  async flush(): Promise<void> {
    for (;;) {
      const unsaved = this.#here.takeUnsaved();
      if (unsaved === null) break;
      try {
        await this.#counters.transaction((tx) => addCharges(tx, unsaved.keys, unsaved.accounts));
      } catch (error) {
        unsaved.giveBack();
        throw error;
      }
      // Once more, for what was counted here meanwhile.
      this.#isCountingHere = false;
    }
    this.#isCountingHere = false;
    this.#here.forgetSaved();
  }

  async #count(principal: Principal, asked: Asked, now: number): Promise<Spent> {
    if (this.#isCountingHere) return this.#countHere(principal, asked, now);
    try {
      return await this.#countInStore(principal, asked, now);
    } catch (error) {
      if (!(error instanceof Failure) || !writeFailures.has(error.code)) throw error;
      this.#isCountingHere = true;
      return this.#countHere(principal, asked, now);
    }
  }

  async #countInStore(principal: Principal, { slot, charge }: Asked, now: number): Promise<Spent> {
    const spending = { ...spendingOf(principal), takesSlot: slot, charge: charge ? 1 : 0, day: null } as const;
    const counting = spendShared(this.#counters, spending);
    const counts = await inTime(counting, ({ day, admitted }) => {
      if (admitted && charge) this.#here.add(principal, day, -1);
    });
    const refusal = refusalOf(principal, counts, slot);
    if (refusal === "second") this.#noteOverBurst(principal, counts, Math.floor(now / 1000));
    return { reading: readingOf(principal, counts), refusal };
  }

  async #countHere(principal: Principal, asked: Asked, now: number): Promise<Spent> {
    const known = this.#here.spend(principal, asked, now);
    if (known) return known;
    const day = dayOf(now);
    const stored = await storedCounts(this.#reading, principal, day, principal.limits.accountPerDay !== null);
    this.#here.begin(principal, day, stored);
    const spent = this.#here.spend(principal, asked, now);
    if (spent === null) throw new Error("the limiter does not find what it has begun");
    return spent;
  }

  #noteOverBurst({ keyId }: Principal, counts: SharedCounts, second: number): void {
    // Only if this node's clock and the database's are in the same second, the next refusal can be told without it.
    if (counts.second === second) this.#overBurst.set(keyId, { second, counts });
  }
}

/** What comes too late may still have been done: then it is handed to `undo`. */
async function inTime<T>(work: Promise<T>, undo: (late: T) => void): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Failure("STORE_UNREACHABLE", "the counters were not written in time"));
    work.then(undo).catch(() => {});
  }, writeDeadlineMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function spendingOf({
  accountId,
  keyId,
  limits,
}: Principal): Pick<Spending, "accountId" | "keyId" | keyof typeof limits> {
  const { perSecond, perDay, accountPerDay } = limits;
  return { accountId, keyId, perSecond, perDay, accountPerDay };
}

function refusalOf({ limits }: Principal, counts: SharedCounts, slot: boolean): Refusal | null {
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
  return { ...meterReading(limits, { day: day_used, second: second_used, account }, last_used_at), day };
}
