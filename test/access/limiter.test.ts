import { beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { EmbeddedLimiter } from "../../src/access/embedded-limiter.ts";
import type { Principal } from "../../src/access/principal.ts";
import { SharedLimiter } from "../../src/access/shared-limiter.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import type { Database } from "../../src/store/database.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { type EngineUnderTest, onEachEngine } from "../support/engines.ts";
import {
  limiterClock as clock,
  someKeyId as keyId,
  limiterOf,
  principalWith as principal,
  spendMany,
} from "../support/limiters.ts";
import { awayFromMidnight } from "../support/midnight.ts";
import { until } from "../support/patience.ts";

const noon = Date.UTC(2026, 5, 15, 12);

interface CounterState {
  readonly day: number;
  readonly day_used: number;
  readonly second: number;
  readonly second_used: number;
}

async function stored(database: Database, day?: number): Promise<CounterState | null> {
  const today = day ?? Math.floor((await clock(database)) / dayMs);
  return database.get<CounterState>(sql`
    select day, day_used, second, second_used from key_counters where key_id = ${keyId} and day = ${today}`);
}

onEachEngine("the limiter", (engine: EngineUnderTest) => {
  beforeEach(awayFromMidnight);

  test("leaves the day to later, charges it then, and gives it back", async () => {
    const { database } = await engine.fresh();
    const limiter = limiterOf(database);
    const who = principal(1000, 2);
    const now = await clock(database);
    const later = await limiter.spend(who, "later", now);
    expect([later.refusal, later.reading.remainingDay]).toEqual([null, 2]);
    const charged = await limiter.chargeDay(who, now);
    expect([charged.refusal, charged.reading.remainingDay]).toEqual([null, 1]);
    expect((await limiter.spend(who, "now", now)).reading.remainingDay).toBe(0);
    expect((await limiter.chargeDay(who, now)).refusal).toBe("day");
    // Nothing left of the day does not stop a call that may turn out free.
    expect((await limiter.spend(who, "later", now)).refusal).toBeNull();
    expect((await limiter.refundDay(who, Math.floor(now / dayMs), now)).remainingDay).toBe(1);
    for (let times = 0; times < 5; times++) await limiter.refundDay(who, Math.floor(now / dayMs), now);
    expect((await limiter.refundDay(who, Math.floor(now / dayMs), now)).remainingDay).toBe(2);
  });

  test("fails when the store does, and lets nothing pass uncounted", async () => {
    const { database } = await engine.fresh();
    const limiter = limiterOf(database);
    const who = principal(1000, 10);
    await limiter.spend(who, "now", Date.now());
    await database.transaction((tx) => tx.run(plainSql("alter table key_counters rename to away")));
    if (engine.name === "postgres") {
      await expect(Promise.resolve(limiter.spend(who, "now", Date.now()))).rejects.toThrow();
    } else {
      // In this order: a charge is written by itself soon after it was counted, and then there is nothing to write.
      await limiter.spend(who, "now", Date.now());
      await expect(limiter.flush()).rejects.toThrow();
    }
    await database.transaction((tx) => tx.run(plainSql("alter table away rename to key_counters")));
    await limiter.flush();
    expect(await stored(database)).toMatchObject({ day_used: engine.name === "postgres" ? 1 : 2 });
  });

  if (engine.name === "postgres") {
    test("refuses the rest of a burst without asking again, until the second is over", async () => {
      const { database } = await engine.fresh();
      const limiter = new SharedLimiter(database);
      const who = principal(1, 1000);
      const spend = async () => limiter.spend(who, "now", await clock(database));
      // Two calls in one second: the second one is refused. They may fall on either side of a turn, so try on.
      let passed = 0;
      while ((await spend()).refusal === null) expect(++passed).toBeLessThan(1000);
      const { second = 0 } = (await stored(database)) ?? {};
      const inTheSecond = await limiter.spend(who, "now", second * 1000 + 999);
      expect(inTheSecond.refusal).toBe("second");
      // In the next second of the node's clock the store is asked again. Its row is set back instead of waiting for it.
      await database.transaction((tx) => tx.run(sql`update key_counters set second = second - 10`));
      expect((await limiter.spend(who, "now", (second + 1) * 1000)).refusal).toBeNull();
    });
  }
});

describe("the embedded limiter", () => {
  /** Nothing is stored in it, and nothing can be. */
  const emptyStore = { engine: "sqlite", getAtOnce: () => null } as unknown as Database;

  interface Step {
    readonly afterMs: number;
    readonly kind: "plain" | "notModified" | "late" | "failed";
  }
  const step: fc.Arbitrary<Step> = fc.record({
    afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 0, max: dayMs })),
    kind: fc.constantFrom("plain", "notModified", "late", "failed"),
  });

  /** The rules in their plainest form: a list of what was used, by second and by day. */
  class NaiveLimiter {
    readonly slots: number[] = [];
    readonly charges: number[] = [];

    constructor(
      readonly perSecond: number,
      readonly perDay: number,
    ) {}

    call(kind: Step["kind"], now: number): "passed" | "second" | "day" {
      this.slots.push(Math.floor(now / 1000));
      if (this.slots.filter((second) => second === Math.floor(now / 1000)).length > this.perSecond) return "second";
      const today = this.charges.filter((day) => day === Math.floor(now / dayMs)).length;
      if (kind === "notModified") return "passed";
      if (today >= this.perDay) return "day";
      if (kind !== "failed") this.charges.push(Math.floor(now / dayMs));
      return "passed";
    }
  }

  async function realCall(limiter: EmbeddedLimiter, who: Principal, kind: Step["kind"], now: number) {
    const isConditional = kind === "notModified" || kind === "late";
    const { refusal } = await limiter.spend(who, isConditional ? "later" : "now", now);
    if (refusal) return refusal;
    if (kind === "late") return (await limiter.chargeDay(who, now)).refusal ?? "passed";
    if (kind === "failed") await limiter.refundDay(who, Math.floor(now / dayMs), now);
    return "passed";
  }

  test("property: it decides as the rules in their plainest form do", async () => {
    const limits = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 6 }));
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { maxLength: 40 }), async ([perSecond, perDay], steps) => {
        const real = new EmbeddedLimiter(emptyStore);
        const naive = new NaiveLimiter(perSecond, perDay);
        let now = noon;
        for (const { afterMs, kind } of steps) {
          now += afterMs;
          expect(await realCall(real, principal(perSecond, perDay), kind, now)).toBe(naive.call(kind, now));
        }
      }),
    );
  });

  test("what was counted is stored when a flush is over, also if it was being written already", async () => {
    const begun: PromiseWithResolvers<void>[] = [];
    const saved: number[] = [];
    const limiter = new EmbeddedLimiter(emptyStore, async ([of]) => {
      const writing = Promise.withResolvers<void>();
      begun.push(writing);
      await writing.promise;
      saved.push(of?.charges ?? 0);
    });
    await spendMany(limiter, principal(10, 10), 2, noon);
    const [first, second] = [limiter.flush(), limiter.flush()];
    await until(() => begun.length === 1);
    begun[0]?.reject(new Error("the disk is full"));
    await expect(first).rejects.toThrow("full");
    await until(() => begun.length === 2);
    expect(saved).toEqual([]);
    begun[1]?.resolve();
    await second;
    expect(saved).toEqual([2]);
  });

  test("a changed limit holds from the next call on", async () => {
    const limiter = new EmbeddedLimiter(emptyStore);
    expect((await limiter.spend(principal(10, 1), "now", noon)).refusal).toBeNull();
    expect((await limiter.spend(principal(10, 1), "now", noon)).refusal).toBe("day");
    expect((await limiter.spend(principal(10, 2), "now", noon)).refusal).toBeNull();
    expect((await limiter.spend(principal(3, 9), "now", noon)).refusal).toBe("second");
  });
});
