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
  test("that is not there is told, and not made where that makes no sense", async () => {
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

  test("is locked by a file that only its own user can read, whatever the umask and whoever made it", async () => {
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

  test("that is a text file is told, and left as it is", async () => {
    await mkdir(directory);
    await writeFile(file, "not a database, but somebody's notes\n".repeat(200));
    const before = await Bun.file(file).text();
    const failure = await failureOf(open());
    expect(failure).toMatchObject({ code: "STORE_CORRUPT", message: `the database ${file} is not a database` });
    expect(await Bun.file(file).text()).toBe(before);
  });

  test.each([
    ["overwritten at its beginning", 0, 100],
    ["overwritten in its first page", 100, 3900],
  ])("that was %s is told", async (_, start, length) => {
    await makeStore();
    const bytes = new Uint8Array(await Bun.file(file).arrayBuffer());
    bytes.fill(0xaa, start, start + length);
    await writeFile(file, bytes);
    const failure = await failureOf(open());
    expect(failure.code).toBe("STORE_CORRUPT");
    expect(failure.message).toContain(file);
  });

  test("that was overwritten further in is told by whoever reads there", async () => {
    await makeStore();
    const bytes = new Uint8Array(await Bun.file(file).arrayBuffer());
    bytes.fill(0xaa, 4096);
    await writeFile(file, bytes);
    const failure = await failureOf(open().then((database) => database.ping().finally(() => database.close())));
    expect(failure).toMatchObject({ code: "STORE_CORRUPT", message: `the database ${file} is corrupt` });
  });

  test("that was cut short is told", async () => {
    await makeStore();
    await truncate(file, 4096 * 2);
    const failure = await failureOf(open().then((database) => database.ping().finally(() => database.close())));
    expect(failure.code).toBe("STORE_CORRUPT");
  });

  test("with a directory in its place is told", async () => {
    await mkdir(file, { recursive: true });
    const failure = await failureOf(open());
    expect(failure).toMatchObject({ code: "STORE_CORRUPT", message: `the database ${file} is not a file` });
  });

  test("whose directory is a file is told", async () => {
    await writeFile(directory, "");
    for (const create of [true, false]) {
      const failure = await failureOf(open(create));
      expect(failure.message).toContain(directory);
    }
  });
});
