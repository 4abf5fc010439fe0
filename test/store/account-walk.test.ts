import { expect, test } from "bun:test";
import { withTag } from "../../src/domain/visibility.ts";
import { accountWalk } from "../../src/store/account-walk.ts";
import { sql } from "../../src/store/sql.ts";
import { andRowIsAmong } from "../../src/store/visible.ts";
import { onEachEngine } from "../support/engines.ts";
import { Seed } from "../support/seed.ts";

onEachEngine("the devices in sight that a list is searched among", (engine) => {
  test.each([30, 900])("are the same as a table and as a condition, of %d devices", async (count) => {
    const { database } = await engine.fresh();
    const seed = new Seed();
    const account = seed.account();
    const user = seed.user(account);
    const isCold = (index: number) => index % 3 !== 1;
    const devices = Array.from({ length: count }, (_, index) =>
      seed.device(account, { seenBy: [user], tags_json: isCold(index) ? '["cold"]' : "[]" }),
    );
    await seed.save(database);
    const cold = devices.filter((_, index) => isCold(index)).map(({ device }) => ({ device }));
    const page = { device: null, count: 10 };
    const walk = await accountWalk(database, withTag(user.visibility, "cold"), page, true, async () => 1);
    const among = walk?.among ?? { count: 0, table: sql`devices`, marks: null };
    expect(among.count).toBe(cold.length);
    // With few devices, and on PostgreSQL, there are no marks.
    expect(among.marks !== null).toBe(engine.name === "sqlite" && count === 900);
    expect(await database.all(sql`select w.device from ${among.table} w order by w.device`)).toEqual(cold);
    const rows = sql`select r.device from devices r where r.account_id = ${account.account_id}`;
    expect(await database.all(sql`${rows} ${andRowIsAmong(among)} order by r.device`)).toEqual(cold);
  });
});
