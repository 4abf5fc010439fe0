import { Database as Sqlite } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/store/open.ts";
import { backupSqlite } from "../../src/store/sqlite/backup.ts";
import { restoreSqlite } from "../../src/store/sqlite/restore.ts";
import { everyRow } from "../support/catalog.ts";
import { failureOf } from "../support/failures.ts";
import { loadIngestFleet, randomFleet } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";

const seed = announcedSeed("damaged backups");

/** The line at the end of a backup. */
const checksumBytes = 91;

/** Whole numbers below a bound. */
function randomPlaces(start: number): (below: number) => number {
  const random = randomNumbers(start);
  return (below) => Math.floor(random() * below);
}

describe("a backup", () => {
  let directory: string;
  let data: string;
  let backup: string;
  let bytes: Buffer;
  let sha256: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "odograph-"));
    data = join(directory, "data");
    backup = join(directory, "fleet.backup");
    const database = await openDatabase({ engine: "sqlite", directory: data }, { create: true });
    await loadIngestFleet(database);
    await take(database, [randomFleet(9, 100)]);
    await database.close();
    ({ sha256 } = await backupSqlite(data, backup));
    bytes = await readFile(backup);
  });

  afterAll(() => rm(directory, { recursive: true, force: true }));

  /** Where a restore should find fault. Gives what it complains about; nothing may be left of it. */
  async function refusal(content: Uint8Array): Promise<string> {
    const damaged = join(directory, "damaged.backup");
    const elsewhere = join(directory, "not", "there");
    await writeFile(damaged, content);
    const failure = await failureOf(restoreSqlite(damaged, elsewhere, { replace: false }));
    expect(existsSync(join(directory, "not"))).toBe(false);
    expect([failure.code, failure.message.includes(damaged)]).toEqual(["STORE_CORRUPT", true]);
    return failure.message;
  }

  test("is a plain SQLite file that says what it is, and its own user's alone", async () => {
    const end = bytes.toString("latin1").slice(-checksumBytes);
    expect(end).toBe(`\nodograph-backup-1 sha256 ${sha256}\n`);
    expect(new Bun.CryptoHasher("sha256").update(bytes.subarray(0, -checksumBytes)).digest("hex")).toBe(sha256);
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    const file = new Sqlite(backup, { readonly: true });
    expect(file.query("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(file.query("select count(*) as count from accounts").get()).toEqual({ count: 2 });
    file.close();
  });

  test("brings back a store that is no backup itself, whatever the mode of the file", async () => {
    const open = join(directory, "open.backup");
    await copyFile(backup, open);
    await chmod(open, 0o644);
    const elsewhere = join(directory, "restored");
    expect(await restoreSqlite(open, elsewhere, { replace: false })).toEqual({ accounts: 2, devices: 4, sha256 });
    const restored = join(elsewhere, "odograph.db");
    expect((await stat(restored)).mode & 0o777).toBe(0o600);
    expect((await stat(restored)).size).toBe(bytes.length - checksumBytes);
    expect((await readFile(restored)).includes("odograph-backup")).toBe(false);
    // A copy of it has no checksum, and is not expected to have one.
    const again = join(directory, "again");
    expect(await restoreSqlite(restored, again, { replace: false })).toMatchObject({ devices: 4, sha256: null });
    const contents = [data, elsewhere, again].map(async (path) => {
      const database = await openDatabase({ engine: "sqlite", directory: path }, { create: false });
      const rows = await everyRow(database);
      await database.close();
      return rows;
    });
    const [first, ...others] = await Promise.all(contents);
    for (const other of others) expect(other).toEqual(first as NonNullable<typeof first>);
  });

  test("in which one bit has changed is refused, wherever it is", async () => {
    const random = randomPlaces(seed);
    const pageBytes = bytes.readUInt16BE(16);
    const places = [
      // The header, the checksum, the first bytes of pages, and anywhere.
      ...Array.from({ length: 100 }, (_, index) => index),
      ...Array.from({ length: checksumBytes }, (_, index) => bytes.length - 1 - index),
      ...Array.from({ length: 20 }, () => pageBytes * random(Math.floor(bytes.length / pageBytes))),
      ...Array.from({ length: 60 }, () => random(bytes.length)),
    ];
    for (const place of places) {
      const damaged = Buffer.from(bytes);
      damaged[place] = (damaged[place] as number) ^ (1 << random(8));
      expect([seed, place, await refusal(damaged)]).toEqual([
        seed,
        place,
        expect.stringMatching(/is damaged, and nothing was restored: its (?:content is not|checksum is missing)/),
      ]);
    }
  });

  test("that is cut short or goes on after its end is refused", async () => {
    const random = randomPlaces(seed + 1);
    const lengths = [
      bytes.length - 1,
      // Without its checksum.
      bytes.length - checksumBytes,
      bytes.length - checksumBytes - 1,
      100,
      ...Array.from({ length: 20 }, () => 512 + random(bytes.length - 512)),
    ];
    for (const length of lengths) {
      expect([seed, length, await refusal(bytes.subarray(0, length))]).toEqual([
        seed,
        length,
        expect.stringMatching(/is damaged, and nothing was restored: its? (?:is cut short|checksum is missing)/),
      ]);
    }
    expect(await refusal(Buffer.concat([bytes, Buffer.from("x")]))).toContain("its checksum is missing or damaged");
    expect(await refusal(Buffer.alloc(50))).toContain("is not a database");
  });

  test("that another tool made, without a checksum, is restored; its structure is looked at", async () => {
    const plain = join(directory, "plain.backup");
    const source = new Sqlite(join(data, "odograph.db"), { readonly: true });
    source.run("vacuum into ?", [plain]);
    source.close();
    const elsewhere = join(directory, "of-another-tool");
    const restored = await restoreSqlite(plain, elsewhere, { replace: false });
    expect(restored).toEqual({ accounts: 2, devices: 4, sha256: null });
    const broken = (await readFile(plain)).fill(7, 40_000, 60_000);
    expect(await refusal(broken)).toContain("is corrupt");
  });
});
