import { beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import type { Limiter } from "../../src/access/limiter.ts";
import type { Spent } from "../../src/access/meter.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import type { Database } from "../../src/store/database.ts";
import { plainSql } from "../../src/store/sql.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import {
  freshLimiter,
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
    const { limiter, now } = await freshLimiter(engine);
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
    const { database, limiter, now } = await freshLimiter(engine);
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
    const { limiter, now } = await freshLimiter(engine);
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
    const { database, limiter, now, today } = await freshLimiter(engine);
    await spendMany(limiter, principalWith(plenty, plenty), 4, now);
    await limiter.flush();
    await spendMany(limiter, principalWith(plenty, plenty, null, keyNumber(1)), 3, now);
    expect(await storedUse(database, today, null)).toBe(0);
    const limited = principalWith(plenty, plenty, 10, keyNumber(2));
    expect(await spendMany(limiter, limited, 5, now)).toMatchObject({ passed: 3, byAccount: 2 });
    await limiter.flush();
    expect(await storedUse(database, today, null)).toBe(10);
    // Over a restart, too.
    const restarted = limiterOf(database);
    expect((await restarted.spend(limited, "now", now)).refusal).toBe("account");
    expect((await restarted.spend(principalWith(plenty, plenty, null, someKeyId), "now", now)).refusal).toBeNull();
  });
});

/** Two nodes whose commits do not wait for the disk, as the counters' on the server: the disk may be slow. */
async function relaxedNodes({ database, open }: FreshDatabase): Promise<Database[]> {
  const setting = "alter database %I set synchronous_commit = off";
  await database.transaction((tx) =>
    tx.run(plainSql(`do 'begin execute format(''${setting}'', current_database()); end'`)),
  );
  return [await open(), await open()];
}

onEachEngine("calls that are counted together", (engine) => {
  beforeEach(awayFromMidnight);

  test("are counted by their own keys, however many keys there are", async () => {
    const { limiter, now } = await freshLimiter(engine);
    const who = Array.from({ length: 150 }, (_, key) => principalWith(plenty, 3, null, keyNumber(key)));
    const calls = who.flatMap((principal) => Array.from({ length: 5 }, () => limiter.spend(principal, "now", now)));
    const spent = await Promise.all(calls);
    for (let key = 0; key < who.length; key++) {
      const ofKey = spent.slice(5 * key, 5 * key + 5);
      expect(ofKey.map(({ refusal }) => refusal)).toEqual([null, null, null, "day", "day"]);
      expect(ofKey.map(({ reading }) => reading.remainingDay)).toEqual([2, 1, 0, 0, 0]);
    }
  });

  test("charges a deferred request to a day that has begun since, once", async () => {
    const { database, limiter, now } = await freshLimiter(engine);
    // There is no row of the day yet, as after midnight.
    const { refusal, reading } = await limiter.chargeDay(principalWith(10, 10), now);
    expect([refusal, reading.remainingDay, reading.remainingSecond]).toEqual([null, 9, 10]);
    await limiter.flush();
    expect(await storedUse(database, reading.day)).toBe(1);
  });

  test("are as many as their account may make, though two nodes count them at the same moment", async () => {
    const store = await engine.fresh();
    const { database } = store;
    const stores = engine.name === "sqlite" ? [database] : await relaxedNodes(store);
    const now = await limiterClock(database);
    const nodes = stores.map(limiterOf);
    for (let limit = 1; limit <= 30; limit++) {
      const passed = await Promise.all(
        [0, 1].map(async (key) => {
          const node = nodes[key % nodes.length] as Limiter;
          return (await spendMany(node, principalWith(plenty, plenty, limit, keyNumber(key)), 3, now)).passed;
        }),
      );
      // One more than before.
      expect(passed.reduce((sum, one) => sum + one)).toBe(1);
    }
  });

  test("property: of calls of several keys on two nodes, as many pass as the limits say, and each gets its place", async () => {
    const store = await engine.fresh();
    const { database } = store;
    const stores = engine.name === "sqlite" ? [database] : await relaxedNodes(store);
    const call = fc.record({
      node: fc.integer({ min: 0, max: 1 }),
      key: fc.integer({ min: 0, max: 3 }),
      kind: fc.constantFrom("call", "call", "poll", "charge"),
    });
    const limits = fc.record({
      perDay: fc.integer({ min: 1, max: 25 }),
      accountPerDay: fc.option(fc.integer({ min: 1, max: 60 })),
    });
    const property = fc.asyncProperty(limits, fc.array(call, { maxLength: 90 }), async (given, calls) => {
      await database.transaction(async (tx) => {
        await tx.run(plainSql("delete from key_counters"));
        await tx.run(plainSql("delete from account_counters"));
      });
      const nodes = stores.map(limiterOf);
      const now = await limiterClock(database);
      const run = ({ node, key, kind }: (typeof calls)[number]) => {
        const limiter = nodes[node % nodes.length] as Limiter;
        const who = principalWith(plenty, given.perDay, given.accountPerDay, keyNumber(key));
        return kind === "charge"
          ? limiter.chargeDay(who, now)
          : limiter.spend(who, kind === "poll" ? "later" : "now", now);
      };
      const spent = await Promise.all(calls.map(run));
      for (const node of nodes) await node.flush();
      const today = Math.floor(now / dayMs);
      let [passedInAll, wanted] = [0, 0];
      for (const key of [0, 1, 2, 3]) {
        const ofKey = calls.flatMap((one, index) =>
          one.key === key ? [{ ...one, spent: spent[index] as Spent }] : [],
        );
        const charged = ofKey.filter(({ kind }) => kind !== "poll");
        const passed = charged.filter((one) => one.spent.refusal === null);
        expect(ofKey.filter((one) => one.kind === "poll" && one.spent.refusal !== null)).toEqual([]);
        expect(await storedUse(database, today, keyNumber(key))).toBe(passed.length);
        passedInAll += passed.length;
        wanted += Math.min(given.perDay, charged.length);
        if (given.accountPerDay !== null) continue;
        const left = passed.map((one) => one.spent.reading.remainingDay).toSorted((one, other) => other - one);
        expect(left).toEqual(passed.map((_, index) => given.perDay - 1 - index));
      }
      expect(passedInAll).toBe(Math.min(wanted, given.accountPerDay ?? plenty));
      if (given.accountPerDay !== null && calls.length > 0) {
        expect(await storedUse(database, today, null)).toBe(passedInAll);
      }
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
