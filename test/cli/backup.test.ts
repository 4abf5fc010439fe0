import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { device, load } from "../support/fleet.ts";
import { fences, loadIngestFleet, newYear, randomFleet } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, take } from "../support/ingest-node.ts";
import { runOdograph, startOdograph } from "../support/program.ts";
import { complaint, output } from "./outcome.ts";

async function withDatabase<T>(directory: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ engine: "sqlite", directory }, { create: true });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** A directory with a store in it, and a place for backups. */
async function fleet() {
  const directory = await mkdtemp(join(tmpdir(), "odograph-"));
  const data = join(directory, "data");
  await withDatabase(data, async (database) => {
    await loadIngestFleet(database);
    await take(database, [randomFleet(9, 100)]);
  });
  return { directory, data, backup: join(directory, "fleet.backup"), env: { ODOGRAPH_DATA: data } };
}

/** Later than all before, so that nothing is left to be derived again at any moment. */
const nextDay = (count: number) => randomFleet(20 + count, 50, newYear + (100 + count * 10) * 86_400_000);

const contentOf = (directory: string) => withDatabase(directory, everyRow);

describe("odograph backup and restore", () => {
  test("bring back every row, in a file for its own user alone", async () => {
    const { directory, data, backup, env } = await fleet();
    const before = await contentOf(data);
    expect(await output(["backup", backup], { env })).toMatch(
      /^\S+fleet\.backup holds the store as it was: \d+ bytes\n$/,
    );
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    expect((await readdir(directory)).toSorted()).toEqual(["data", "fleet.backup"]);
    // For the server's metrics: how old the last backup is.
    const noted = await stat(join(data, "last-backup"));
    expect([noted.mode & 0o777, noted.mtimeMs >= (await stat(backup)).birthtimeMs - 1_000]).toEqual([0o600, true]);

    const elsewhere = join(directory, "elsewhere");
    expect(JSON.parse(await output(["restore", backup, "--data", elsewhere, "--json"]))).toEqual({
      file: backup,
      accounts: 2,
      devices: 4,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await contentOf(elsewhere)).toEqual(before);
    expect((await stat(join(elsewhere, "odograph.db"))).mode & 0o777).toBe(0o600);
    expect(await output(["rederive"], { env: { ODOGRAPH_DATA: elsewhere } })).toContain("nothing changed");
  });

  test("a backup never takes the place of a file", async () => {
    const { backup, env } = await fleet();
    await writeFile(backup, "my notes");
    expect(await complaint(["backup", backup], 1, { env })).toBe(`${backup} is there already, and is not overwritten`);
    expect(await readFile(backup, "utf8")).toBe("my notes");
    expect(existsSync(join(env.ODOGRAPH_DATA, "last-backup"))).toBe(false);
    expect(await complaint(["backup", join(backup, "x")], 1, { env })).toContain("cannot be written");
    const none = join(backup, "..", "none");
    expect(await complaint(["backup", `${backup}2`, "--data", none], 1)).toBe(`there is no database in ${none}`);
    expect(existsSync(none)).toBe(false);
  });

  test("a backup beside a server that takes frames is of one moment", async () => {
    const { directory, data, backup, env } = await fleet();
    const server = await startOdograph(["serve", "--port", "0", "--ingest-port", "0"], { env });
    try {
      const database = await openDatabase({ engine: "sqlite", directory: data }, { create: false });
      const writer = newWriter(database);
      const account = await accountNumber(database);
      let isDone = false;
      const sending = (async () => {
        for (let batch = 0; !isDone; batch++) await writer.submit(account, nextDay(batch));
      })();
      await output(["backup", backup], { env });
      isDone = true;
      await sending;
      await database.close();
      // No other may replace it while the server has it.
      expect(await complaint(["restore", backup, "--replace"], 1, { env })).toBe(
        `another odograph serves ${data} already: stop it, or choose another directory with --data`,
      );
    } finally {
      await server.stop();
    }
    const elsewhere = join(directory, "elsewhere");
    await output(["restore", backup, "--data", elsewhere]);
    expect(await output(["rederive", "--data", elsewhere])).toContain("nothing changed");
  });

  test("a restore takes the place of a store only with --replace, and then wholly", async () => {
    const { data, backup, env } = await fleet();
    const before = await contentOf(data);
    await output(["backup", backup], { env });
    await withDatabase(data, (database) => load(database, [device(70)]));
    const changed = await contentOf(data);
    expect(await complaint(["restore", backup], 1, { env })).toBe(
      `there is a database in ${data} already: --replace puts the backup in its place`,
    );
    expect(await contentOf(data)).toEqual(changed);

    // Someone else has it open: what is in the log would be lost, or worse.
    await withDatabase(data, async (database) => {
      await database.transaction((tx) => tx.run(sql`update accounts set name = name`));
      expect(await complaint(["restore", backup, "--replace"], 1, { env })).toBe(
        `the database ${join(data, "odograph.db")} is in use by another process`,
      );
    });
    expect(await contentOf(data)).toEqual(changed);
    await output(["restore", backup, "--replace"], { env });
    expect(await contentOf(data)).toEqual(before);
  });

  test("a restore takes the place of a store that is broken, with whatever log it left", async () => {
    const { data, backup, env } = await fleet();
    const before = await contentOf(data);
    await output(["backup", backup], { env });
    for (const end of ["", "-wal", "-shm"]) await writeFile(join(data, `odograph.db${end}`), "x".repeat(10_000));
    expect(await complaint(["rederive"], 1, { env })).toContain("is not a database");
    await output(["restore", backup, "--replace"], { env });
    expect(await contentOf(data)).toEqual(before);
  });

  test("a restore refuses what is no whole backup, and touches nothing", async () => {
    const { directory, data, backup, env } = await fleet();
    const before = await contentOf(data);
    await output(["backup", backup], { env });
    const bytes = new Uint8Array(await readFile(backup));
    const notes = join(directory, "notes.txt");
    const foreign = join(directory, "foreign.db");
    const cut = join(directory, "cut.db");
    const damaged = join(directory, "damaged.db");
    const newer = join(directory, "newer.db");
    await writeFile(notes, "another program's notes\n".repeat(300));
    const { Database: Sqlite } = await import("bun:sqlite");
    const other = new Sqlite(foreign, { create: true });
    other.run("create table songs (title text)");
    other.close();
    await writeFile(cut, bytes.slice(0, Math.floor(bytes.length / 2)));
    await writeFile(damaged, bytes.with(bytes.length - 5000, 255).fill(7, 40_000, 60_000));
    // As another tool makes it, without a checksum: by that a change would be found first.
    const plain = new Sqlite(join(data, "odograph.db"));
    plain.run("vacuum into ?", [newer]);
    plain.close();
    const future = new Sqlite(newer);
    future.run("insert into schema_migrations (version, name, applied_at) values (999, 'to come', 0)");
    future.close();
    const refused: [string, RegExp][] = [
      [join(directory, "missing.db"), /^the file .* is not there$/],
      [directory, /^\/.* is not a file$/],
      [join(notes, "below.db"), /^the file .* cannot be read \(ENOTDIR\)$/],
      [notes, /notes\.txt is not a database$/],
      [foreign, /foreign\.db is not one of Odograph's$/],
      [cut, /cut\.db is damaged, and nothing was restored: it is cut short: \d+ of \d+ bytes are there$/],
      [damaged, /damaged\.db is damaged, and nothing was restored: its content is not what its checksum is of$/],
      [
        newer,
        /newer\.db has schema version 999, this program knows only up to \d+: use the odograph that wrote it, or a newer one/,
      ],
    ];
    for (const [file, message] of refused) {
      expect(await complaint(["restore", file, "--replace"], 1, { env })).toMatch(message);
    }
    expect((await readdir(data)).filter((name) => name.startsWith("restore"))).toEqual([]);
    expect(await contentOf(data)).toEqual(before);
  });

  test("a restore says of a backup without a checksum that it has none", async () => {
    const { directory, data } = await fleet();
    const { Database: Sqlite } = await import("bun:sqlite");
    const plain = join(directory, "plain.db");
    const store = new Sqlite(join(data, "odograph.db"));
    store.run("vacuum into ?", [plain]);
    store.close();
    const elsewhere = join(directory, "elsewhere");
    const { code, stdout, stderr } = await runOdograph(["restore", plain, "--data", elsewhere]);
    expect([code, stdout]).toEqual([0, `${elsewhere} holds what ${plain} held: 2 accounts, 4 devices\n`]);
    expect(stderr).toContain(`${plain} has no checksum, since another tool wrote it`);
  });

  test("a backup of a store with something still to be derived is found to be right, too", async () => {
    const { directory, data, backup, env } = await fleet();
    // Only noted, as by a load that was killed, or with late frames that the server had not come to yet.
    const smaller = { ...fences.town, radius_m: 300, valid_from: new Date(newYear).toISOString() };
    await withDatabase(data, (database) => load(database, [smaller]));
    await output(["backup", backup], { env });
    const elsewhere = join(directory, "elsewhere");
    await output(["restore", backup, "--data", elsewhere]);
    const { stdout, stderr } = await runOdograph(["rederive", "--data", elsewhere]);
    expect(stderr).toMatch(/finished pending work of \d+ devices?/);
    expect(stdout).toEndWith("nothing changed\n");
  });

  test("on PostgreSQL say which tools do it, without the password", async () => {
    const env = { DATABASE_URL: "postgres://fleet:hunter2@127.0.0.1:1/odograph" };
    expect(await complaint(["backup", "fleet.dump"], 2, { env })).toBe(
      'the store is PostgreSQL; use its own tool: pg_dump --format=custom --file=fleet.dump "$DATABASE_URL"',
    );
    expect(await complaint(["restore", "my fleet"], 2, { env })).toBe(
      `the store is PostgreSQL; use its own tool: pg_restore --no-owner --exit-on-error --dbname="$DATABASE_URL" 'my fleet' (into an empty database)`,
    );
  });
});
