import { beforeEach, expect, test } from "bun:test";
import { EmbeddedLimiter } from "../../src/access/embedded-limiter.ts";
import { SharedLimiter } from "../../src/access/shared-limiter.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import { onEachEngine } from "../support/engines.ts";
import {
  keyNumber,
  limiterClock,
  limiterOf,
  principalWith,
  someKeyId,
  spendMany,
  storedUse,
} from "../support/limiters.ts";
import { awayFromMidnight } from "../support/midnight.ts";

const plenty = 100_000;

onEachEngine("the limit of all keys of an account together", (engine) => {
  beforeEach(awayFromMidnight);

  test("is not charged by a key whose own day is used up, nor by a call over its burst, nor by one that is free", async () => {
    const { database } = await engine.fresh();
    const limiter = limiterOf(database);
    const now = await limiterClock(database);
    const own = principalWith(plenty, 3, 10);
    expect(await spendMany(limiter, own, 8, now)).toMatchObject({ passed: 3, byDay: 5 });
    const burst = principalWith(1, plenty, 10, keyNumber(1));
    // Two may pass if the second turns between them, on PostgreSQL's clock.
    const { passed, bySecond } = await spendMany(limiter, burst, 4, now);
    expect([passed + bySecond, bySecond > 0]).toEqual([4, true]);
    const free = principalWith(plenty, plenty, 10, keyNumber(2));
    expect((await limiter.spend(free, "later", now)).refusal).toBeNull();
    expect((await limiter.spend(free, "now", now)).reading).toMatchObject({
      limitPerDay: 10,
      remainingDay: 10 - 3 - passed - 1,
    });
  });

  test("is charged late where a call turns out not to be free, refused then, and given back after a fault", async () => {
    const { database } = await engine.fresh();
    const limiter = limiterOf(database);
    const now = await limiterClock(database);
    const [one, other] = [principalWith(plenty, plenty, 2), principalWith(plenty, plenty, 2, keyNumber(1))];
    await limiter.spend(one, "later", now);
    const charged = await limiter.chargeDay(one, now);
    expect([charged.refusal, charged.reading.limitPerDay, charged.reading.remainingDay]).toEqual([null, 2, 1]);
    await limiter.spend(other, "now", now);
    expect((await limiter.spend(one, "later", now)).refusal).toBeNull();
    expect((await limiter.chargeDay(one, now)).refusal).toBe("account");
    const refunded = await limiter.refundDay(other, charged.reading.day, now);
    expect(refunded.remainingDay).toBe(1);
    expect((await limiter.chargeDay(one, now)).refusal).toBeNull();
    await limiter.flush();
    expect(await storedUse(database, charged.reading.day, null)).toBe(2);
    expect(await storedUse(database, charged.reading.day)).toBe(2);
    expect(await storedUse(database, charged.reading.day, keyNumber(1))).toBe(0);
  });

  test("shows whichever leaves less: the key's own figures or the account's, each limit with what it leaves", async () => {
    const { database } = await engine.fresh();
    const limiter = limiterOf(database);
    const now = await limiterClock(database);
    const figures = async (perDay: number, key: number) => {
      const { reading } = await limiter.spend(principalWith(plenty, perDay, 6, keyNumber(key)), "now", now);
      return [reading.limitPerDay, reading.remainingDay];
    };
    expect(await figures(4, 0)).toEqual([4, 3]);
    expect(await figures(4, 1)).toEqual([4, 3]);
    expect(await figures(4, 0)).toEqual([4, 2]);
    expect(await figures(plenty, 2)).toEqual([6, 2]);
    expect(await figures(4, 3)).toEqual([6, 1]);
  });

  test("that is set in the middle of a day counts what was used of it before, and without one nothing is counted", async () => {
    const { database } = await engine.fresh();
    const limiter = limiterOf(database);
    const now = await limiterClock(database);
    const today = Math.floor(now / dayMs);
    await spendMany(limiter, principalWith(plenty, plenty), 4, now);
    await limiter.flush();
    await spendMany(limiter, principalWith(plenty, plenty, null, keyNumber(1)), 3, now);
    expect(await storedUse(database, today, null)).toBe(0);
    const limited = principalWith(plenty, plenty, 10, keyNumber(2));
    expect(await spendMany(limiter, limited, 5, now)).toMatchObject({ passed: 3, byAccount: 2 });
    await limiter.flush();
    expect(await storedUse(database, today, null)).toBe(10);
    // Over a restart, too.
    const restarted = engine.name === "sqlite" ? new EmbeddedLimiter(database) : new SharedLimiter(database);
    expect((await restarted.spend(limited, "now", now)).refusal).toBe("account");
    expect((await restarted.spend(principalWith(plenty, plenty, null, someKeyId), "now", now)).refusal).toBeNull();
  });
});
