import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { sql } from "../../src/store/sql.ts";
import { UntilCommit } from "../../src/store/until-commit.ts";
import { onEachEngine } from "../support/engines.ts";

function put(database: Database, value: string): Promise<number> {
  return database.transaction((tx) =>
    tx.run(sql`insert into secrets values ('it', ${value}, 1) on conflict (name) do update set value = excluded.value`),
  );
}

async function valueIn(database: Database): Promise<string> {
  return (await database.get<{ value: string }>(sql`select value from secrets where name = 'it'`))?.value ?? "";
}

describe("the number of commits of an embedded store", () => {
  let directory = "";
  let database: Database;

  const open = () => openDatabase({ engine: "sqlite", directory }, { create: true });

  /** Another process runs statements on the file, as a `load` beside the server does. */
  async function elsewhere(...statements: string[]): Promise<void> {
    const script = `
      import { Database } from "bun:sqlite";
      const database = new Database(${JSON.stringify(join(directory, "odograph.db"))});
      for (const statement of ${JSON.stringify(statements)}) database.query(statement).all();
      database.close(true);`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "inherit", stderr: "inherit" });
    expect(await child.exited).toBe(0);
  }

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "odograph-"));
    database = await open();
  });

  afterEach(async () => {
    await database.close();
    await rm(directory, { recursive: true });
  });

  test("is another one after a commit, and stays while nothing is written", async () => {
    const seen = new Set([database.commits()]);
    for (const value of ["one", "two", "three"]) {
      await put(database, value);
      expect(seen).not.toContain(database.commits());
      seen.add(database.commits());
      expect(await valueIn(database)).toBe(value);
      expect(seen).toContain(database.commits());
    }
  });

  test("tells of other processes, also where they write the log back and begin it anew", async () => {
    await put(database, "ours");
    const begin = database.commits();
    await elsewhere("update secrets set value = 'theirs'");
    const second = database.commits();
    expect(second).not.toBe(begin);
    await elsewhere("pragma wal_checkpoint(truncate)", "update secrets set value = 'newer'");
    expect(database.commits()).not.toBe(second);
    expect(await valueIn(database)).toBe("newer");
    // A process that believes to be the last one takes the log away with it.
    expect((await readdir(directory)).toSorted()).toEqual(["odograph.db", "odograph.db-shm", "odograph.db-wal"]);
  });

  test("leaves SQLite its locks when the store is opened twice and closed once", async () => {
    const other = await open();
    database.commits();
    other.commits();
    await other.close();
    await elsewhere("insert into secrets values ('it', 'theirs', 1)");
    expect((await readdir(directory)).toSorted()).toEqual(["odograph.db", "odograph.db-shm", "odograph.db-wal"]);
    const before = database.commits();
    await put(database, "ours");
    expect(database.commits()).not.toBe(before);
    expect(await valueIn(database)).toBe("ours");
  });

  test("is found anew after the store was closed and opened again", async () => {
    database.commits();
    await database.close();
    database = await open();
    const before = database.commits();
    await put(database, "ours");
    expect(database.commits()).not.toBe(before);
  });
});

onEachEngine("what is believed until a commit", (engine) => {
  test("is what the store holds, whichever program wrote it", async () => {
    const store = await engine.fresh();
    const other = await store.open();
    let reads = 0;
    const known = new UntilCommit<string>(store.database);
    const ask = async () =>
      known.get("it", (database) => {
        reads++;
        return valueIn(database);
      });
    for (let round = 0; round < 20; round++) {
      await put(round % 2 === 0 ? other : store.database, String(round));
      for (let times = 0; times < 3; times++) expect(await ask()).toBe(String(round));
    }
    expect(reads).toBe(engine.name === "sqlite" ? 20 : 60);
  });

  test("is not kept if the commit comes while it is read", async () => {
    const { database } = await engine.fresh();
    await put(database, "old");
    const known = new UntilCommit<string>(database);
    const slow = async (of: Database) => {
      const value = await valueIn(of);
      await put(of, "new");
      return value;
    };
    expect(await known.get("it", slow)).toBe("old");
    expect(await known.get("it", valueIn)).toBe("new");
  });
});
