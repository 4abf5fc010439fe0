import { expect, test } from "bun:test";
import fc from "fast-check";
import { foreground } from "../../src/derive/pace.ts";
import { type AccountDay, KeyCalls, type SharedCounts, type Spending } from "../../src/store/access/key-calls.ts";
import { addCharges } from "../../src/store/access/key-counters.ts";
import { sql } from "../../src/store/sql.ts";
import { dropOldCounters } from "../../src/store/upkeep/upkeep.ts";
import { onEachEngine } from "../support/engines.ts";
import { forAll } from "../support/for-all.ts";
import { Seed } from "../support/seed.ts";

type Kind = "charge" | "call" | "poll";

interface Limits {
  readonly perSecond: number;
  readonly perDay: number;
  readonly accountPerDay: number | null;
}

interface Used {
  second: number;
  day: number;
  account: number;
}

interface Outcome {
  readonly passed: boolean;
  readonly day: number;
  readonly second: number | null;
}

const slotOf = { charge: false, call: true, poll: true };
const chargeOf = { charge: true, call: true, poll: false };

/** The rules in their plainest form: one call after another. */
function oneByOne(kinds: readonly Kind[], { perSecond, perDay, accountPerDay }: Limits, used: Used): Outcome[] {
  return kinds.map((kind) => {
    if (slotOf[kind]) used.second++;
    const hasSlot = !slotOf[kind] || used.second <= perSecond;
    const isLeft = used.day < perDay && (accountPerDay === null || used.account < accountPerDay);
    const passed = hasSlot && (!chargeOf[kind] || isLeft);
    if (passed && chargeOf[kind]) {
      used.day++;
      used.account++;
    }
    return { passed, day: used.day, second: slotOf[kind] ? used.second : null };
  });
}

/** The same through statements that take all they are asked for of the day, or nothing. */
function together(kinds: readonly Kind[], limits: Limits, used: Used): SharedCounts[] {
  const key = { accountId: 1, keyId: "key", viewerId: "viewer", ...limits };
  const calls = new KeyCalls({ ...key, takesSlot: true, isCharged: true });
  kinds.forEach((kind, call) => {
    const spending: Spending = { ...key, takesSlot: slotOf[kind], isCharged: chargeOf[kind] };
    calls.add(call, spending);
  });
  const { accountPerDay } = limits;
  const account: AccountDay | null =
    accountPerDay === null ? null : { day: 1, perDay: accountPerDay, used: used.account };
  const counts: SharedCounts[] = [];
  for (let statements = 1, isDecided = false; !isDecided; statements++) {
    expect(statements).toBeLessThan(5);
    const asked = calls.ask(account ? account.perDay - account.used : Number.POSITIVE_INFINITY);
    const inSecond = Math.max(0, Math.min(asked.calls, limits.perSecond - used.second));
    const wanted = asked.charges + inSecond;
    const admitted = wanted === 0 || used.day + wanted <= limits.perDay;
    used.second += asked.calls + asked.polls;
    used.day += admitted ? wanted : 0;
    const row = { key_id: "key", day: 1, day_used: used.day, second: 9, second_used: used.second, admitted };
    isDecided = calls.settle({ ...row, last_used_at: 9_000, counters: null }, account, (call, result) => {
      expect(counts[call]).toBeUndefined();
      counts[call] = result;
    });
  }
  if (account) used.account = account.used;
  return counts;
}

test("property: calls that are counted together come out as if counted one after another", () => {
  const some = fc.integer({ min: 0, max: 12 });
  const limits = fc.record({ perSecond: some, perDay: some, accountPerDay: fc.option(some) });
  const used = fc.record({ second: some, day: some, account: some });
  const number = fc.integer({ min: 0, max: 8 });
  forAll(2_000, [limits, used, number, number, number], (given, before, charges, calls, polls) => {
    const kinds: Kind[] = [
      ...Array<Kind>(charges).fill("charge"),
      ...Array<Kind>(calls).fill("call"),
      ...Array<Kind>(polls).fill("poll"),
    ];
    const [plain, shared] = [{ ...before }, { ...before }];
    const expected = oneByOne(kinds, given, plain);
    const counts = together(kinds, given, shared);
    expect(shared).toEqual(given.accountPerDay === null ? { ...plain, account: shared.account } : plain);
    expected.forEach(({ passed, day, second }, call) => {
      expect(counts[call]?.admitted).toBe(passed);
      if (passed && kinds[call] !== "poll") expect(counts[call]?.day_used).toBe(day);
      if (second !== null) expect(counts[call]?.second_used).toBe(second);
    });
  });
});

onEachEngine("counters of days that are long over", (engine) => {
  test("are dropped, but for the newest of each key, which says when it was used last", async () => {
    const { database } = await engine.fresh();
    const seed = new Seed();
    const { account_id: accountId } = seed.account();
    await seed.save(database);
    const [used, unused] = [crypto.randomUUID(), crypto.randomUUID()];
    const today = 20_000;
    const days = (keyId: string, ago: readonly number[]) =>
      ago.map((day) => ({ accountId, keyId, day: today - day, charges: 1, lastUsedAt: 1 }));
    const accounts = [0, 31, 32, 400].map((day) => ({ accountId, day: today - day, charges: 1 }));
    await database.transaction((tx) =>
      addCharges(tx, [...days(used, [0, 1, 31, 32, 400]), ...days(unused, [40, 50])], accounts),
    );
    await dropOldCounters(database, today, foreground);
    const left = (keyId: string) =>
      database.all<{ ago: number }>(
        sql`select ${today} - day as ago from key_counters where key_id = ${keyId} order by ago`,
      );
    expect((await left(used)).map(({ ago }) => ago)).toEqual([0, 1, 31]);
    expect((await left(unused)).map(({ ago }) => ago)).toEqual([40]);
    expect(await database.all(sql`select ${today} - day as ago from account_counters order by ago`)).toEqual([
      { ago: 0 },
      { ago: 31 },
    ]);
  });
});
