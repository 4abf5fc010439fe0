import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { sql } from "../../src/store/sql.ts";
import { type EmptyStore, type FreshDatabase, onEachEngine } from "./engines.ts";

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

const sharedBefore: string[] = [];

onEachEngine("a shared store", (engine) => {
  let finished = 0;
  const shared = engine.shared<FreshDatabase>(
    async (store) => {
      await store.database.transaction((tx) =>
        tx.run(sql`insert into schema_migrations (version, name, applied_at) values (-1, 'ours', 0)`),
      );
      return store;
    },
    async ({ database }) => {
      await database.ping();
      finished++;
    },
  );

  for (const place of ["first", "second"]) {
    test(`is there in every test of its block, beside those of the test's own (${place})`, async () => {
      const { database, directory } = shared();
      const own = await engine.fresh();
      const ours = sql`select name from schema_migrations where name = 'ours'`;
      expect([await database.all(ours), await own.database.all(ours)]).toEqual([[{ name: "ours" }], []]);
      expect(finished).toBe(0);
      sharedBefore.push(directory);
    });
  }
});

test("a shared store is gone after its block, with its files", () => {
  expect(sharedBefore.map((directory) => existsSync(directory))).toEqual([false, false, false, false]);
});

onEachEngine("a copied store", (engine) => {
  let prepared = 0;
  const copied = engine.copies(async ({ database }) => {
    prepared += 1;
    await database.transaction((tx) =>
      tx.run(sql`insert into schema_migrations (version, name, applied_at) values (-2, 'prepared', 0)`),
    );
    return prepared;
  });

  for (const place of ["first", "second"]) {
    test(`holds what was prepared once, and nothing of another test (${place})`, async () => {
      const { database, prepared: times } = await copied();
      const names = await database.all<{ name: string }>(sql`select name from schema_migrations where version < 0`);
      expect([names, times]).toEqual([[{ name: "prepared" }], 1]);
      await database.transaction((tx) => tx.run(sql`delete from schema_migrations where version < 0`));
    });
  }
});
