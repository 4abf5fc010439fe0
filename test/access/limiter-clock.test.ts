import { beforeEach, expect, test } from "bun:test";
import { SharedLimiter } from "../../src/access/shared-limiter.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { inOneSecond } from "../support/fleet-api.ts";
import {
  freshLimiter,
  keyNumber,
  limiterClock,
  limiterOf,
  patient,
  principalWith,
  someKeyId,
  spendMany,
  storedUse,
} from "../support/limiters.ts";
import { awayFromMidnight } from "../support/midnight.ts";
import { withUnwritable } from "../support/unwritable.ts";

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
    const { database, limiter, now } = await freshLimiter(engine);
    const who = principalWith(5, 1_000);
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
    const { database, limiter, now } = await freshLimiter(engine);
    const who = principalWith(5, 1_000);
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
    const { database, limiter, now, today } = await freshLimiter(engine);
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
    const { database, limiter, now } = await freshLimiter(engine);
    await limiter.spend(principalWith(10, 10), "now", now);
    if (engine.name === "postgres") await moveAhead(database, { days: 1, seconds: 86_400 });
    else await limiter.spend(principalWith(10, 10), "now", now + dayMs);
    const { reading } = await limiter.spend(principalWith(10, 10), "now", now);
    expect(reading.resetSeconds).toBeWithin(1, 86_401);
    expect(reading.day).toBe(Math.floor(now / dayMs));
    expect(reading.remainingDay).toBe(engine.name === "postgres" ? 9 : 8);
  });
});

const plenty = 100_000;

/** By SQLSTATE: the disk is full, the server has become a standby, a statement took too long, a row is locked, memory. */
const states = ["53100", "25006", "57014", "55P03", "53200"];

onEachEngine("the limiter, while the store takes no writes", (engine) => {
  beforeEach(awayFromMidnight);

  if (engine.name === "sqlite") {
    test("counts on, and writes down all of it when it can", async () => {
      const { database, limiter, now, today } = await freshLimiter(engine);
      expect(await spendMany(limiter, principalWith(plenty, 10), 4, now)).toMatchObject({ passed: 4 });
      await withUnwritable(database, ["key_counters"], "53100", async () => {
        // Whatever was counted before may have been written already.
        expect(await spendMany(limiter, principalWith(plenty, 10), 1, now)).toMatchObject({ passed: 1 });
        await expect(limiter.flush()).rejects.toThrow();
        expect(await spendMany(limiter, principalWith(plenty, 10), 9, now)).toMatchObject({ passed: 5, byDay: 4 });
        await expect(limiter.flush()).rejects.toThrow();
      });
      await limiter.flush();
      expect(await storedUse(database, today)).toBe(10);
    });
    return;
  }

  test.each(states)(
    "%s: goes on from what is stored, lets exactly what is left pass, and adds it later",
    async (state) => {
      const { database, limiter, now, today } = await freshLimiter(engine);
      const who = principalWith(plenty, 20);
      await spendMany(limiter, who, 5, now);
      await withUnwritable(database, ["key_counters"], state, async () => {
        const { passed, byDay, spent } = await spendMany(limiter, who, 30, now);
        expect([passed, byDay]).toEqual([15, 15]);
        expect(Math.min(...spent.map(({ reading }) => reading.remainingDay))).toBe(0);
        // A burst is bounded, too.
        expect(await spendMany(limiter, principalWith(3, plenty, null, keyNumber(1)), 9, now)).toMatchObject({
          passed: 3,
          bySecond: 6,
        });
        await expect(limiter.flush()).rejects.toThrow();
        expect(await storedUse(database, today)).toBe(5);
      });
      await limiter.flush();
      expect([await storedUse(database, today), await storedUse(database, today, keyNumber(1))]).toEqual([20, 3]);
      // And from now on the store counts again.
      expect((await limiter.spend(who, "now", now)).refusal).toBe("day");
      expect((await limiter.spend(principalWith(plenty, 21), "now", now)).reading.remainingDay).toBe(0);
      expect(await storedUse(database, today)).toBe(21);
    },
  );

  test("of two nodes each lets pass at most what was left, also of a key it has never seen and of the account's limit", async () => {
    const { database, open, limiter: one, now, today } = await freshLimiter(engine);
    const other = limiterOf(await open());
    const who = principalWith(plenty, 50);
    const ofAccount = principalWith(plenty, plenty, 60, keyNumber(1));
    await spendMany(one, who, 40, now);
    await withUnwritable(database, ["key_counters", "account_counters"], "53100", async () => {
      expect((await spendMany(one, who, 30, now)).passed).toBe(10);
      expect((await spendMany(other, who, 30, now)).passed).toBe(10);
      expect(await spendMany(other, ofAccount, 30, now)).toMatchObject({ passed: 10, byAccount: 20 });
    });
    await one.flush();
    await other.flush();
    expect([await storedUse(database, today), await storedUse(database, today, keyNumber(1))]).toEqual([60, 10]);
  });

  test("gives back what was a fault of ours", async () => {
    const { database, limiter, now, today } = await freshLimiter(engine);
    const who = principalWith(plenty, 2);
    await withUnwritable(database, ["key_counters"], "53100", async () => {
      const { reading } = await limiter.spend(who, "now", now);
      expect(reading.remainingDay).toBe(1);
      expect((await limiter.refundDay(who, reading.day, now)).remainingDay).toBe(2);
      expect((await spendMany(limiter, who, 3, now)).passed).toBe(2);
    });
    await limiter.flush();
    expect(await storedUse(database, today)).toBe(2);
  });

  test("because a row is locked: nobody waits for long, and the statement that came too late is not counted twice", async () => {
    const { database, open, now, today } = await freshLimiter(engine);
    const limiter = new SharedLimiter(await open(), database, { readMs: patient.readMs });
    const who = principalWith(plenty, 10);
    await limiter.spend(who, "now", now);
    await database.transaction(async (tx) => {
      await tx.get(sql`select 1 from key_counters where account_id = 1 for update`);
      const { passed, byDay } = await spendMany(limiter, who, 12, now);
      expect([passed, byDay]).toEqual([9, 3]);
    });
    // The statements that waited are through; what they have counted is taken back from what this node has to add.
    for (;;) {
      await limiter.flush();
      if ((await storedUse(database, today)) === 10) break;
      await Bun.sleep(20);
    }
    expect((await limiter.spend(who, "now", now)).refusal).toBe("day");
  });

  test("fails when the store cannot be read either", async () => {
    const { database, limiter } = await freshLimiter(engine);
    await database.close();
    await expect(limiter.spend(principalWith(1, 1), "now", Date.now())).rejects.toThrow();
  });
});
