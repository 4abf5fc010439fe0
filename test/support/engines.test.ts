import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { sql } from "../../src/store/sql.ts";
import { type EmptyStore, onEachEngine } from "./engines.ts";

onEachEngine("a test's store", (engine) => {
  const earlier: EmptyStore[] = [];

  for (const place of ["first", "second"]) {
    test(`holds nothing of another test (${place})`, async () => {
      const store = await engine.fresh();
      expect(store.database.engine).toBe(engine.name);
      expect(await store.database.all(sql`select version from schema_migrations where name = 'mine'`)).toEqual([]);
      await store.database.transaction((tx) =>
        tx.run(sql`insert into schema_migrations (version, name, applied_at) values (-1, 'mine', 0)`),
      );
      earlier.push(store);
    });
  }

  test("is gone after its test, with its files", () => {
    expect(earlier.map((store) => existsSync(store.directory))).toEqual([false, false]);
  });

  test("can be opened twice and disposed twice", async () => {
    const store = await engine.empty();
    const [one, other] = await Promise.all([store.open(), store.open()]);
    await Promise.all([one.ping(), other.ping()]);
    await store.dispose();
    await store.dispose();
  });

  afterAll(() => {
    expect(earlier).toHaveLength(2);
  });
});
