import { expect, test } from "bun:test";
import { foreground } from "../../src/derive/pace.ts";
import type { Database } from "../../src/store/database.ts";
import { allAccounts, eachAccount, foundInEach } from "../../src/store/each-account.ts";
import { onEachEngine } from "../support/engines.ts";
import { seedTables } from "../support/seed-tables.ts";

const account = {
  name: "Acme",
  status: "active",
  limit_per_second: 1,
  limit_per_day: 1,
  time_zone: "UTC",
  earlier_time_zones: "",
  created_at: 0,
  updated_at: 0,
};

async function addAccounts(database: Database, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    ...account,
    account_id: index + 1,
    id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  }));
  await database.transaction((tx) => tx.insertMany(seedTables.accounts, rows));
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

onEachEngine("a walk over all accounts", (engine) => {
  const shared = engine.shared(async ({ database }) => {
    await addAccounts(database, 1_200);
    return database;
  });

  test("visits each once, in order, however many pages there are", async () => {
    expect(await Array.fromAsync(allAccounts(shared()))).toEqual(upTo(1_200));
    expect(await foundInEach(shared(), async (id) => (id % 400 === 0 ? [id] : []))).toEqual([400, 800, 1_200]);
  });

  test("rests between few of them, and ends when it is stopped", async () => {
    const visited: number[] = [];
    let rests = 0;
    const pace = {
      isStopped: false,
      rest: async () => {
        pace.isStopped = ++rests === 3;
      },
    };
    await eachAccount(shared(), pace, async (id) => visited.push(id));
    expect(visited).toEqual(upTo(visited.length));
    expect(visited.length).toBeLessThan(300);
  });

  test("goes on with the others if one fails, and then says so", async () => {
    const visited = new Set<number>();
    const work = async (id: number) => {
      if (id === 7 || id === 60) throw new Error(`account ${id}`);
      visited.add(id);
    };
    await expect(eachAccount(shared(), foreground, work, { accounts: upTo(100) })).rejects.toThrow("account 7");
    expect(visited.size).toBe(98);
  });

  test("has as many under way as it may, and does not wait for a slow one", async () => {
    const slow = Promise.withResolvers<void>();
    let [underWay, most] = [0, 0];
    const work = async (id: number) => {
      most = Math.max(most, ++underWay);
      if (id === 1) await slow.promise;
      else await new Promise((resume) => setImmediate(resume));
      if (id === 50) slow.resolve();
      underWay--;
    };
    await eachAccount(shared(), foreground, work, { atOnce: 4, accounts: upTo(100) });
    expect([underWay, most]).toEqual([0, 4]);
  });
});
