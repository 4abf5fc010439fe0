import { expect, test } from "bun:test";
import { foreground } from "../../src/derive/pace.ts";
import { allAccounts, eachAccount, foundInEach } from "../../src/store/each-account.ts";
import { onEachEngine } from "../support/engines.ts";
import { Seed } from "../support/seed.ts";

onEachEngine("a walk over all accounts", (engine) => {
  const seed = new Seed();
  const accounts = Array.from({ length: 1_200 }, () => seed.account().account_id);
  const shared = engine.shared(async ({ database }) => {
    await seed.save(database);
    return database;
  });

  test("visits each once, in order, however many pages there are", async () => {
    expect(await Array.fromAsync(allAccounts(shared()))).toEqual(accounts);
    const some = accounts.filter((id) => id % 400 === 0);
    expect(await foundInEach(shared(), async (id) => (id % 400 === 0 ? [id] : []))).toEqual(some);
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
    expect(visited).toEqual(accounts.slice(0, visited.length));
    expect(visited.length).toBeLessThan(300);
  });

  test("goes on with the others if one fails, and then says so", async () => {
    const visited = new Set<number>();
    const work = async (id: number) => {
      if (id === accounts[7] || id === accounts[60]) throw new Error(`account ${id}`);
      visited.add(id);
    };
    const walk = eachAccount(shared(), foreground, work, { accounts: accounts.slice(0, 100) });
    await expect(walk).rejects.toThrow(`account ${accounts[7]}`);
    expect(visited.size).toBe(98);
  });
});
