import { expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { lastVersion, predecessor } from "../../src/store/migrations.ts";
import { openDatabase } from "../../src/store/open.ts";
import { sql } from "../../src/store/sql.ts";
import { backupSqlite } from "../../src/store/sqlite/backup.ts";
import { fileName } from "../../src/store/sqlite/open.ts";
import { restoreSqlite } from "../../src/store/sqlite/restore.ts";
import { holdServerLock } from "../../src/store/sqlite/server-lock.ts";
import { countRows, tablesOf } from "../support/catalog.ts";
import { type EmptyStore, onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { runOdograph } from "../support/program.ts";
import { type RawStore, rawStore } from "../support/raw-store.ts";
import { schemaPicture } from "../support/schema-picture.ts";
import { placeFixture } from "../support/store-fixture.ts";

const { release, schema } = predecessor;
const first = `open it with version ${release} first, and let its \`odograph serve\` run until no device waits to be derived again`;
const serve = ["serve", "--port", "0", "--ingest-port", "0"];
const newest = "select max(version) as version from schema_migrations";

/** 1.3.0 had seven migrations less. */
const earlierSchema = schema - 7;
const isEarlier = [`delete from schema_migrations where version > ${earlierSchema}`];
/** What a store is like that the predecessor has not finished, what is said of it (`$` is the store), and how it becomes as before. */
const unfinished = [
  ...predecessor.rewrites.map((table) => ({
    make: [`create table ${table} (account_id bigint not null primary key)`],
    why: "$ is converted only in part",
    undo: [`drop table ${table}`],
  })),
  {
    make: [
      `update device_folds set rules = ${predecessor.rules - 1} where device in (select min(device) from device_folds)`,
      `update device_folds set rules = 1 where device in (select max(device) from device_folds)`,
    ],
    why: "$ has devices that wait to be derived again (2)",
    undo: [`update device_folds set rules = ${predecessor.rules}`],
  },
  {
    make: isEarlier,
    why: `$ has schema version ${earlierSchema}, this program reads only from ${schema} on`,
    undo: [],
  },
];

async function changed(store: Pick<EmptyStore, "target">, statements: readonly string[]): Promise<void> {
  const raw = rawStore(store);
  for (const statement of statements) await raw.run(statement);
  await raw.close();
}

/** All that is in the store, whatever its schema. */
async function contentOf(raw: RawStore, isSqlite: boolean): Promise<unknown> {
  const names = isSqlite
    ? "select name from sqlite_master where type = 'table' order by name"
    : "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname";
  const content: Record<string, unknown> = {};
  for (const { name } of await raw.all<{ name: string }>(names)) {
    content[name] = (await raw.all(`select t.* from ${name} t`)).map((row) => Bun.inspect(row)).toSorted();
  }
  return content;
}

onEachEngine(`a store of ${release}`, (engine) => {
  const isSqlite = engine.name === "sqlite";

  test("has the schema of a new one once it is opened", async () => {
    const upgraded = await engine.empty();
    await placeFixture(release, engine.name, upgraded);
    const { database } = await engine.fresh();
    const opened = await upgraded.open();
    expect(await schemaPicture(opened)).toEqual(await schemaPicture(database));
    expect((await schemaPicture(database)).length).toBeGreaterThan(800);
    expect(await opened.all(sql`select name, form from store_forms order by name`)).toEqual(
      await database.all(sql`select name, form from store_forms order by name`),
    );
    expect(await countRows(opened, "schema_migrations")).toBe(lastVersion);
  });

  test("leaves a number that it refuses itself, as a new one does", async () => {
    expect(lastVersion).toBeGreaterThan(schema);
    const upgraded = await engine.empty();
    await placeFixture(release, engine.name, upgraded);
    await (await upgraded.open()).close();
    // It compares the greatest number in the store, or in a backup, with the number of its own migrations.
    for (const store of [upgraded, await engine.fresh()]) {
      const raw = rawStore(store);
      expect((await raw.all<{ version: number }>(newest)).map(({ version }) => Number(version))).toEqual([lastVersion]);
      await raw.close();
    }
  });

  test("that it has not finished is refused, and unchanged", async () => {
    const store = await engine.empty();
    await placeFixture(release, engine.name, store);
    const raw = rawStore(store);
    for (const { make, why, undo } of unfinished) {
      await changed(store, make);
      const before = await contentOf(raw, isSqlite);
      const failure = await failureOf(openDatabase(store.target, { create: true }));
      const message = `${why.replace("$", "the database")}: ${first}`;
      expect([failure.code, failure.message]).toEqual(["STORE_TOO_OLD", message]);
      expect(await contentOf(raw, isSqlite)).toEqual(before);
      await changed(store, undo);
    }
    await raw.close();
  });

  test("that an earlier version wrote: commands and the server say so", async () => {
    const store = await engine.empty();
    await placeFixture(release, engine.name, store);
    await changed(store, isEarlier);
    for (const command of [["keys", "list"], serve]) {
      const { code, stderr } = await runOdograph(command, { env: store.env });
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^odograph: the database has schema version 34, .*: open it with version 1\.4\.0 first, .*`odograph serve`/,
      );
    }
  });

  if (!isSqlite) {
    test("is left to the nodes that serve it, until the last has stopped", async () => {
      const store = await engine.empty();
      await placeFixture(release, engine.name, store);
      if (store.target.engine !== "postgres") throw new Error("not PostgreSQL");
      const node = new SQL(store.target.url, { max: 1, connection: { application_name: `odograph schema ${schema}` } });
      await node.unsafe("select 1");
      const failure = await failureOf(openDatabase(store.target, { create: true }));
      expect([failure.code, failure.message]).toEqual([
        "STORE_LOCKED",
        "the database must be upgraded, and another version of odograph uses it (1 connections): stop that on all nodes first",
      ]);
      expect((await node.unsafe(newest))[0].version).toBe(schema);
      await node.close();
      await (await openDatabase(store.target, { create: true })).close();
    });
    return;
  }

  test("is left to the server that serves it", async () => {
    const store = await engine.empty();
    await placeFixture(release, "sqlite", store);
    const raw = rawStore(store);
    const letGo = holdServerLock(store.directory);
    const before = await contentOf(raw, true);
    for (const command of [["keys", "list"], serve]) {
      const { code, stderr } = await runOdograph(command, { env: store.env });
      expect(code).toBe(1);
      expect(stderr).toBe(
        `odograph: an earlier odograph serves ${store.directory}: stop it before this version upgrades the store\n`,
      );
    }
    expect(await contentOf(raw, true)).toEqual(before);
    await raw.close();
    letGo();
    expect((await runOdograph(["keys", "list"], { env: store.env })).code).toBe(0);
  });

  test("is restored from its backup, unless it was not finished; then the store that is there is unchanged", async () => {
    const directory = await mkdtemp(join(tmpdir(), "odograph-"));
    try {
      const there = join(directory, "there");
      const backup = join(directory, "fleet.backup");
      const source = { target: { engine: "sqlite", directory } } as const;
      await placeFixture(release, "sqlite", source);
      await backupSqlite(directory, backup);
      expect(await restoreSqlite(backup, there, { replace: false })).toMatchObject({ accounts: 3, devices: 5 });
      const database = await openDatabase({ engine: "sqlite", directory: there }, { create: false });
      expect((await tablesOf(database)).has("carried_over")).toBe(true);
      await database.close();
      const [names, before] = [await readdir(there), await readFile(join(there, fileName))];
      const other = join(directory, "other");
      const copy = join(other, fileName);
      await restoreSqlite(backup, other, { replace: false });
      for (const { make, why, undo } of unfinished) {
        const source = { target: { engine: "sqlite", directory: other } } as const;
        await changed(source, make);
        const failure = await failureOf(restoreSqlite(copy, there, { replace: true }));
        const named = why.replace("$", `the backup ${copy}`);
        expect([failure.code, failure.message]).toEqual([
          "STORE_TOO_OLD",
          `${named}: ${first.replace("open it with", "restore it with")}`,
        ]);
        expect(await readdir(there)).toEqual(names);
        expect(before.equals(await readFile(join(there, fileName)))).toBe(true);
        await changed(source, undo);
      }
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  test("is not backed up by this program if an earlier version wrote it", async () => {
    const store = await engine.empty();
    await placeFixture(release, "sqlite", store);
    await changed(store, isEarlier);
    const failure = await failureOf(backupSqlite(store.directory, join(store.directory, "fleet.backup")));
    expect([failure.code, failure.message]).toEqual([
      "STORE_TOO_OLD",
      `the database ${join(store.directory, fileName)} has schema version ${earlierSchema}, this program reads only from ${schema} on: ${first}`,
    ]);
    expect(await readdir(store.directory)).not.toContain("fleet.backup");
  });
});
