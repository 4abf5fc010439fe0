import { expect, test } from "bun:test";
import type { BulkTable, Database, Transaction } from "../../src/store/database.ts";
import { type Sql, sql } from "../../src/store/sql.ts";
import { countRows } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { beginFleets } from "../support/fleet-revisions.ts";

/** A small table of ours: a name, a text, a number. */
const secrets: BulkTable = { name: "secrets", columns: { name: "text", value: "text", created_at: "bigint" } };

function addSecret(tx: Transaction, name: string, value = "", createdAt = 0): Promise<number> {
  return tx.run(sql`insert into secrets (name, value, created_at) values (${name}, ${value}, ${createdAt})`);
}

async function secretNames(database: Database): Promise<string[]> {
  const rows = await database.all<{ name: string }>(sql`select name from secrets`);
  return rows.map(({ name }) => name).toSorted();
}

const texts = [
  "",
  'it\'s "quoted" \\ `so`',
  "Ünïcödé 🚚 ελληνικά",
  "two\nlines\tand a tab",
  "$1 ?1 %s null",
  " spaced ",
];

onEachEngine("what is stored comes back", (engine) => {
  test("integers as numbers, up to the largest safe one", async () => {
    const { database } = await engine.fresh();
    const numbers = [0, 1, -1, 2 ** 31, Date.UTC(2026, 0, 1), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    await database.transaction(async (tx) => {
      for (const number of numbers) await addSecret(tx, `one ${number}`, "", number);
      await tx.insertMany(
        secrets,
        numbers.map((number) => ({ name: `many ${number}`, value: "", created_at: number })),
      );
    });
    const rows = await database.all<{ name: string; created_at: number }>(sql`select name, created_at from secrets`);
    const both = numbers.flatMap((number) => [`one ${number}`, `many ${number}`]);
    expect(new Map(rows.map((row) => [row.name, row.created_at]))).toEqual(
      new Map(both.map((name) => [name, Number(name.split(" ")[1])])),
    );
    expect(await countRows(database, "secrets")).toBe(both.length);
    const [largest] = await database.all(sql`select name from secrets where created_at = ${Number.MAX_SAFE_INTEGER}`);
    expect(largest).toBeDefined();
  });

  test("text as it was written, one by one and in bulk", async () => {
    const { database } = await engine.fresh();
    await database.transaction(async (tx) => {
      for (const [index, text] of texts.entries()) await addSecret(tx, `one ${index}`, text);
      await tx.insertMany(
        secrets,
        texts.map((value, index) => ({ name: `many ${index}`, value, created_at: 0 })),
      );
    });
    const rows = await database.all<{ name: string; value: string }>(sql`select name, value from secrets`);
    const expected = texts.flatMap((value, index) => [
      { name: `one ${index}`, value },
      { name: `many ${index}`, value },
    ]);
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
    expect(rows.toSorted(byName)).toEqual(expected.toSorted(byName));
  });

  test("booleans, fractions and what is unknown", async () => {
    const { database } = await engine.fresh();
    const columns = { account_id: "bigint", device: "bigint", revision: "bigint", last_seen_at: "bigint" } as const;
    const flags = { discontinuity: "boolean", fields_json: "text" } as const;
    const position = { account_id: 1, revision: 1, last_seen_at: 0 };
    await database.transaction(async (tx) => {
      await beginFleets(tx, [1]);
      await tx.insertMany({ name: "latest_positions", columns: { ...columns, ...flags } }, [
        { ...position, device: 1, discontinuity: true, fields_json: null },
        { ...position, device: 2, discontinuity: null, fields_json: "" },
        { ...position, device: 3, discontinuity: false, fields_json: null },
      ]);
      await tx.run(sql`
        insert into latest_positions (account_id, device, revision, last_seen_at, discontinuity)
        values (1, 4, 1, 0, ${true})`);
    });
    const rows = await database.all<{ discontinuity: unknown; fields_json: unknown }>(
      sql`select discontinuity, fields_json from latest_positions order by device`,
    );
    const flag = (value: unknown) => (value === null ? null : Boolean(value));
    expect(rows.map(({ discontinuity }) => flag(discontinuity))).toEqual([true, null, false, true]);
    expect(rows.map(({ fields_json }) => fields_json)).toEqual([null, "", null, null]);
    expect(await database.get(sql`select cast(${0.1} as double precision) as tenth`)).toEqual({ tenth: 0.1 });
  });

  test("nothing as an empty list and as null", async () => {
    const { database } = await engine.fresh();
    const query: Sql = sql`select name from secrets where name = ${"nobody"}`;
    expect(await database.all(query)).toEqual([]);
    expect(await database.get(query)).toBeNull();
  });
});

onEachEngine("a bulk insert", (engine) => {
  const many = Array.from({ length: 5001 }, (_, index) => ({ name: `n${index}`, value: "first", created_at: index }));

  test("adds any number of rows and tells how many", async () => {
    const { database } = await engine.fresh();
    expect(await database.transaction((tx) => tx.insertMany(secrets, many))).toBe(5001);
    expect(await database.transaction((tx) => tx.insertMany(secrets, []))).toBe(0);
    expect(await countRows(database, "secrets")).toBe(5001);
  });

  test("leaves rows that are there, where the table says so", async () => {
    const { database } = await engine.fresh();
    const once = { ...secrets, onConflict: "on conflict do nothing" };
    await database.transaction((tx) => tx.insertMany(once, many.slice(1)));
    expect(await database.transaction((tx) => tx.insertMany(once, many))).toBe(1);
  });

  test("changes rows that are there, where the table says so", async () => {
    const { database } = await engine.fresh();
    const latest = { ...secrets, onConflict: "on conflict (name) do update set value = excluded.value" };
    await database.transaction((tx) => tx.insertMany(latest, many.slice(0, 10)));
    const renewed = many.slice(5, 15).map((row) => ({ ...row, value: "second" }));
    expect(await database.transaction((tx) => tx.insertMany(latest, renewed))).toBe(10);
    expect(await database.all(sql`select value, count(*) as rows from secrets group by value order by value`)).toEqual([
      { value: "first", rows: 5 },
      { value: "second", rows: 10 },
    ]);
  });

  test("fails as a whole", async () => {
    const { database } = await engine.fresh();
    const work = database.transaction((tx) =>
      tx.insertMany(secrets, [...many, { name: "n0", value: "", created_at: 0 }]),
    );
    expect(work).rejects.toThrow();
    await work.catch(() => {});
    expect(await countRows(database, "secrets")).toBe(0);
  });
});

onEachEngine("a transaction", (engine) => {
  test("gives what its work gives and tells how many rows a statement touched", async () => {
    const { database } = await engine.fresh();
    const touched = await database.transaction(async (tx) => {
      await addSecret(tx, "a");
      await addSecret(tx, "b");
      const updated = await tx.run(sql`update secrets set value = 'new'`);
      return [
        updated,
        await tx.run(sql`delete from secrets where name = 'a'`),
        await tx.run(sql`delete from sessions`),
      ];
    });
    expect(touched).toEqual([2, 1, 0]);
  });

  test("that fails stores nothing and fails with its own error", async () => {
    const { database } = await engine.fresh();
    const mine = new Error("mine");
    const outcome = await database
      .transaction(async (tx) => {
        await addSecret(tx, "a");
        throw mine;
      })
      .catch((error) => error);
    expect(outcome).toBe(mine);
    expect(await secretNames(database)).toEqual([]);
  });

  test("takes nothing from the others that share its commit when it fails", async () => {
    const { database } = await engine.fresh();
    await database.transaction((tx) => addSecret(tx, "taken"));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 300 }, (_, index) =>
        database.transaction(async (tx) => {
          await addSecret(tx, `n${index}`);
          if (index % 3 === 1) throw new Error(`own error ${index}`);
          // A statement that the engine itself refuses.
          if (index % 3 === 2) await addSecret(tx, "taken");
          return index;
        }),
      ),
    );
    for (const [index, outcome] of outcomes.entries()) {
      const isFine = index % 3 === 0;
      expect(outcome.status).toBe(isFine ? "fulfilled" : "rejected");
      if (outcome.status === "fulfilled") expect(outcome.value).toBe(index);
      else if (index % 3 === 1) expect(outcome.reason.message).toBe(`own error ${index}`);
    }
    const stored = Array.from({ length: 100 }, (_, index) => `n${index * 3}`);
    expect(await secretNames(database)).toEqual([...stored, "taken"].toSorted());
  });

  test("is seen by nobody else before it is committed, and by everybody after", async () => {
    const store = await engine.fresh();
    const other = await store.open();
    const seenWithin = await store.database.transaction(async (tx) => {
      await addSecret(tx, "a");
      const own = await tx.all(sql`select name from secrets`);
      return [own.length, (await secretNames(store.database)).length, (await secretNames(other)).length];
    });
    expect(seenWithin).toEqual([1, 0, 0]);
    expect([await secretNames(store.database), await secretNames(other)]).toEqual([["a"], ["a"]]);
  });

  test("that holds a lock is alone with it, across nodes, until it ends or fails", async () => {
    const store = await engine.fresh();
    const nodes = [store.database, await store.open()];
    await store.database.transaction((tx) => addSecret(tx, "counter", "0"));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        (nodes[index % 2] as Database).transaction(async (tx) => {
          await tx.lock("counter");
          const row = await tx.get<{ value: string }>(sql`select value from secrets where name = 'counter'`);
          await tx.run(sql`update secrets set value = ${String(Number(row?.value) + 1)} where name = 'counter'`);
          if (index % 5 === 0) throw new Error("let go");
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(6);
    expect(await store.database.get(sql`select value from secrets`)).toEqual({ value: "24" });
  });
});

onEachEngine("a change by one statement", (engine) => {
  test("gives the rows that it made, and none is lost among many at once", async () => {
    const { database } = await engine.fresh();
    const grow = sql`insert into secrets (name, value, created_at) values ('counter', '', 1)
      on conflict (name) do update set created_at = secrets.created_at + 1 returning created_at as count`;
    const counts = await Promise.all(Array.from({ length: 50 }, () => database.change<{ count: number }>(grow)));
    const numbers = counts.flat().map(({ count }) => count);
    expect(numbers.toSorted((one, other) => one - other)).toEqual(numbers.map((_, index) => index + 1));
  });

  test("that fails changes nothing", async () => {
    const { database } = await engine.fresh();
    const wrong = database.change(sql`insert into secrets (name, value, created_at) values ('a', '', 1), ('a', '', 2)`);
    expect(await wrong.catch((error) => error)).toBeInstanceOf(Error);
    expect(await secretNames(database)).toEqual([]);
  });
});

onEachEngine("a store", (engine) => {
  test("answers a ping while it is open", async () => {
    const { database } = await engine.fresh();
    expect(await database.ping()).toBeUndefined();
    await database.close();
    expect(database.ping()).rejects.toThrow();
  });

  test("finishes what it was given before it closes", async () => {
    const store = await engine.empty();
    const database = await store.open();
    const writes = Array.from({ length: 50 }, (_, index) => database.transaction((tx) => addSecret(tx, `n${index}`)));
    await Promise.all([database.close(), ...writes]);
    expect(await countRows(await store.open(), "secrets")).toBe(50);
  });
});
