import { beforeEach, expect, test } from "bun:test";
import { dayMs } from "../../src/domain/time/time.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { inOneSecond } from "../support/fleet-api.ts";
import { limiterClock, limiterOf, principalWith, someKeyId, spendMany, storedUse } from "../support/limiters.ts";
import { awayFromMidnight } from "../support/midnight.ts";

/**
 * What the limiter has counted, as if its clock had been ahead then. PostgreSQL's own clock cannot be set by a test, so what
 * it has counted is moved instead.
 */
async function moveAhead(database: Database, by: { days?: number; seconds?: number }): Promise<void> {
  await database.transaction((tx) =>
    tx.run(sql`update key_counters set day = day + ${by.days ?? 0}, second = second + ${by.seconds ?? 0}`),
  );
}

/** Takes up to `count` in different seconds of one day, so that only the day can refuse. */
async function passedInDay(limiter: ReturnType<typeof limiterOf>, perDay: number, count: number, now: number) {
  return (await spendMany(limiter, principalWith(100_000, perDay), count, now)).passed;
}

onEachEngine("the limiter, when its clock is set", (engine) => {
  beforeEach(awayFromMidnight);

  test.each([3, 30, 3_600])("back by %d s, refuses nobody for longer than a second", async (seconds) => {
    const { database } = await engine.fresh();
    const who = principalWith(5, 1_000);
    const limiter = limiterOf(database);
    const now = await limiterClock(database);
    // The burst is over, and more than over.
    if (engine.name === "sqlite") {
      expect(await spendMany(limiter, who, 40, now + seconds * 1_000)).toMatchObject({ passed: 5, bySecond: 35 });
      expect((await spendMany(limiter, who, 5, now)).passed).toBe(5);
      return;
    }
    // PostgreSQL's clock must not catch up meanwhile.
    await inOneSecond(database, async () => {
      await spendMany(limiterOf(database), who, 40, await limiterClock(database));
      await moveAhead(database, { seconds: seconds + 1 });
      expect((await spendMany(limiterOf(database), who, 5, await limiterClock(database))).passed).toBe(5);
    });
  });

  test("back by no more than a second or two, renews no burst: calls overtake each other, and clocks differ", async () => {
    const { database } = await engine.fresh();
    const who = principalWith(5, 1_000);
    const limiter = limiterOf(database);
    const now = await limiterClock(database);
    if (engine.name === "sqlite") {
      let passed = 0;
      for (let call = 0; call < 20; call++) {
        const { refusal } = await limiter.spend(who, "now", now + 5_000 - (call % 3) * 1_000);
        if (refusal === null) passed++;
      }
      expect(passed).toBe(5);
      return;
    }
    await limiter.spend(who, "now", now);
    for (let times = 0; times < 3; times++) {
      await inOneSecond(database, async () => {
        // Whatever the row's second is, it is one ahead of the clock at the next call.
        const second = Math.floor((await limiterClock(database)) / 1_000) + 1;
        await database.transaction((tx) => tx.run(sql`update key_counters set second = ${second}, second_used = 5`));
        const { refusal } = await limiter.spend(who, "now", await limiterClock(database));
        expect(refusal).toBe("second");
      });
    }
  });

  test("a day ahead and put right again: the day is neither renewed nor over, and what was used of the other counts", async () => {
    const { database } = await engine.fresh();
    const limiter = limiterOf(database);
    const now = await limiterClock(database);
    const today = Math.floor(now / dayMs);
    expect(await passedInDay(limiter, 10, 7, now)).toBe(7);
    await limiter.flush();
    // By mistake it is tomorrow.
    if (engine.name === "sqlite") {
      expect(await passedInDay(limiter, 10, 20, now + dayMs)).toBe(10);
    } else {
      await database.transaction((tx) =>
        tx.run(sql`
          insert into key_counters (account_id, key_id, day, day_used, second, second_used, admitted, last_used_at)
          values (1, ${someKeyId}, ${today + 1}, 10, ${Math.floor((now + dayMs) / 1000)}, 10, true, ${now + dayMs})`),
      );
    }
    // And today again.
    expect(await passedInDay(limiter, 10, 20, now)).toBe(3);
    expect(await passedInDay(limiter, 10, 1, now)).toBe(0);
    await limiter.flush();
    expect([await storedUse(database, today), await storedUse(database, today + 1)]).toEqual([10, 10]);
    // Also after a restart.
    const restarted = limiterOf(database);
    expect(await passedInDay(restarted, 10, 1, now)).toBe(0);
    if (engine.name === "sqlite") expect(await passedInDay(restarted, 10, 1, now + dayMs)).toBe(0);
  });

  test("tells the seconds to the end of the day that it shows", async () => {
    const { database } = await engine.fresh();
    const limiter = limiterOf(database);
    const now = await limiterClock(database);
    await limiter.spend(principalWith(10, 10), "now", now);
    if (engine.name === "postgres") await moveAhead(database, { days: 1, seconds: 86_400 });
    else await limiter.spend(principalWith(10, 10), "now", now + dayMs);
    const { reading } = await limiter.spend(principalWith(10, 10), "now", now);
    expect(reading.resetSeconds).toBeWithin(1, 86_401);
    expect(reading.day).toBe(Math.floor(now / dayMs));
    expect(reading.remainingDay).toBe(engine.name === "postgres" ? 9 : 8);
  });
});
