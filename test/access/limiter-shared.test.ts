import { beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import type { Limiter } from "../../src/access/limiter.ts";
import type { Spent } from "../../src/access/meter.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import type { Database } from "../../src/store/database.ts";
import { plainSql } from "../../src/store/sql.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { keyNumber, limiterClock, limiterOf, principalWith, storedUse } from "../support/limiters.ts";
import { awayFromMidnight } from "../support/midnight.ts";

const plenty = 100_000;

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
    const { database } = await engine.fresh();
    const limiter = limiterOf(database);
    const now = await limiterClock(database);
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
    const { database } = await engine.fresh();
    const limiter = limiterOf(database);
    const now = await limiterClock(database);
    // There is no row of the day yet, as after midnight.
    const { refusal, reading } = await limiter.chargeDay(principalWith(10, 10), now);
    expect([refusal, reading.remainingDay, reading.remainingSecond]).toEqual([null, 9, 10]);
    await limiter.flush();
    expect(await storedUse(database, reading.day)).toBe(1);
  });

  test("property: of calls of several keys on two nodes, as many pass as the limits say, and each is told its place", async () => {
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
