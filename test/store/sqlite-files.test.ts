import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/store/open.ts";
import { sql } from "../../src/store/sql.ts";
import { holdServerLock } from "../../src/store/sqlite/server-lock.ts";
import { failureOf } from "../support/failures.ts";

let directory = "";
let file = "";

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), "odograph-")), "data");
  file = join(directory, "odograph.db");
});

afterEach(() => rm(join(directory, ".."), { recursive: true }));

function open(create = true, where = directory) {
  return openDatabase({ engine: "sqlite", directory: where }, { create });
}

async function makeStore(): Promise<void> {
  await (await open()).close();
}

describe("an embedded store", () => {
  test("that is not there is reported, and not made where that makes no sense", async () => {
    const failure = await failureOf(open(false));
    expect(failure.code).toBe("STORE_MISSING");
    expect(failure.message).toContain(`there is no database in ${directory}`);
    expect(await readdir(join(directory, ".."))).toEqual([]);
  });

  test("can be read by its own user only", async () => {
    const database = await open();
    await database.transaction((tx) => tx.run(sql`insert into secrets values ('a', 'b', 1)`));
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    const names = (await readdir(directory)).toSorted();
    expect(names).toEqual(["odograph.db", "odograph.db-shm", "odograph.db-wal"]);
    for (const name of names) expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600);
    await database.close();
  });

  test("is locked by a file that only its own user can read, whatever the umask, and whichever program made it", async () => {
    const lockFile = join(directory, "serve.lock");
    const umask = process.umask(0);
    try {
      await makeStore();
      holdServerLock(directory)();
      expect((await stat(lockFile)).mode & 0o777).toBe(0o600);
      await chmod(lockFile, 0o644);
      const release = holdServerLock(directory);
      const names = await readdir(directory);
      for (const name of names) expect([name, (await stat(join(directory, name))).mode & 0o777]).toEqual([name, 0o600]);
      expect(names).toContain("serve.lock");
      expect(() => holdServerLock(directory)).toThrow("another odograph serves");
      release();
    } finally {
      process.umask(umask);
    }
  });

  test("leaves one file when it is closed", async () => {
    await makeStore();
    expect(await readdir(directory)).toEqual(["odograph.db"]);
  });

  test("begins where a start was cut off before anything was written", async () => {
    await mkdir(directory);
    await writeFile(file, "");
    const database = await open(false);
    await database.ping();
    await database.close();
  });

  /** Overwrites the file of a good store from there on. */
  const overwrite = (start: number, length?: number) => async () => {
    await makeStore();
    const bytes = new Uint8Array(await Bun.file(file).arrayBuffer());
    await writeFile(file, bytes.fill(0xaa, start, length === undefined ? undefined : start + length));
  };
  const makeText = async () => {
    await mkdir(directory);
    await writeFile(file, "not a database, but a person's notes\n".repeat(200));
  };
  const cutShort = async () => {
    await makeStore();
    await truncate(file, 4096 * 2);
  };

  test.each<[string, () => Promise<unknown>, message: string]>([
    ["is a text file", makeText, "is not a database"],
    ["was overwritten at its beginning", overwrite(0, 100), ""],
    ["was overwritten in its first page", overwrite(100, 3900), ""],
    ["was overwritten further in", overwrite(4096), "is corrupt"],
    ["was cut short", cutShort, ""],
    ["has a directory in its place", () => mkdir(file, { recursive: true }), "is not a file"],
  ])("that %s is reported, and left as it is", async (_, damage, message) => {
    await damage();
    const content = () =>
      Bun.file(file)
        .bytes()
        .catch(() => null);
    const before = await content();
    // What is wrong further in is found when that is read.
    const failure = await failureOf(open().then((database) => database.ping().finally(() => database.close())));
    expect(failure.code).toBe("STORE_CORRUPT");
    expect(failure.message).toStartWith(`the database ${file} ${message}`);
    expect(await content()).toEqual(before);
  });

  test("whose directory is a file is reported", async () => {
    await writeFile(directory, "");
    for (const create of [true, false]) expect((await failureOf(open(create))).message).toContain(directory);
  });
});
