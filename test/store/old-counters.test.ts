import { expect, test } from "bun:test";
import { foreground } from "../../src/derive/pace.ts";
import { addCharges } from "../../src/store/access/key-counters.ts";
import { sql } from "../../src/store/sql.ts";
import { dropOldCounters } from "../../src/store/upkeep/upkeep.ts";
import { onEachEngine } from "../support/engines.ts";
import { Seed } from "../support/seed.ts";

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
