import { expect, test } from "bun:test";
import { appendFile, link, lstat, mkdir, readdir, readFile, rmdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { formatNames } from "../../src/api/formats/format.ts";
import { withDuckDb } from "../support/duckdb.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { recordsIn } from "../support/exported-fleet.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { runOdograph } from "../support/program.ts";
import { Seed } from "../support/seed.ts";
import { noon } from "../support/seed-rows.ts";
import { interruptedExport, runExport } from "./export-run.ts";
import { complaint, output } from "./outcome.ts";

const dayMs = 86_400_000;

/** A vehicle with frames and trips over a hundred days, one of them across the border of two windows. */
async function seedLongHistory({ database }: FreshDatabase) {
  const seed = new Seed();
  const account = seed.account();
  seed.user(account, { role: "owner" });
  const viewer = seed.user(account);
  const van = seed.device(account, { name: '=HYPERLINK("http://x")', seenBy: [viewer] });
  const truck = seed.device(account, { name: "Truck" });
  for (let index = 0; index < 2_600; index++) {
    seed.frame(van, { recorded_at: noon - 100 * dayMs + index * 55 * 60_000, speed_kmh: index % 90 });
  }
  const trips: string[] = [];
  for (let index = 0; index < 100; index++) {
    const started_at = noon - 100 * dayMs + index * dayMs;
    for (const device of [van, truck]) {
      trips.push(seed.trip(device, { started_at, ended_at: started_at + 30 * 60 * 60_000, duration_ms: 1 }).id);
      seed.mileage(device, { day: Math.floor(started_at / dayMs) });
    }
  }
  await seed.save(database);
  return { viewer, van, trips };
}

const window = { from: new Date(noon - 101 * dayMs).toISOString(), to: new Date(noon + dayMs).toISOString() };

function cellText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value ?? "");
}

async function exported(store: FreshDatabase, list: string, options: Record<string, string | boolean>, name = "out") {
  const file = join(store.directory, name);
  await runExport(store, list, { ...options, output: file });
  return readFile(file, "utf8");
}

onEachEngine("odograph export", (engine) => {
  const copied = engine.copies(seedLongHistory);
  const longHistory = async () => {
    const { prepared, ...store } = await copied();
    return { ...prepared, store };
  };
  const smallStore = engine.copies(({ database }) => load(database, Object.values(smallFleet)));

  test("writes windows of any length, with each record once and in order", async () => {
    const { store, trips, van } = await longHistory();
    const lines = async (list: string, options: Record<string, string | boolean> = {}) => {
      return recordsIn(await exported(store, list, { ...window, ...options, format: "ndjson" }));
    };
    const found = await lines("trips");
    expect(found.map(({ trip_id }) => trip_id).toSorted()).toEqual(trips.toSorted());
    expect(found.map(({ started_at }) => started_at)).toEqual(found.map(({ started_at }) => started_at).toSorted());
    const positions = await lines("positions", { imei: van.imei });
    expect(positions.length).toBe(2_600);
    expect(new Set(positions.map(({ recorded_at }) => recorded_at)).size).toBe(2_600);
    expect((await lines("mileage", { from: "2024-01-01" })).length).toBe(200);
  });

  test("is what the API shows the owner, or the user who is named", async () => {
    const { store, viewer } = await longHistory();
    const devices = async (options: Record<string, string>) =>
      (await exported(store, "devices", { format: "csv", ...options })).split("\r\n").slice(1, -1);
    expect((await devices({})).length).toBe(2);
    const [only, ...others] = await devices({ user: viewer.email });
    expect(others).toEqual([]);
    expect(only).toContain(`"'=HYPERLINK(""http://x"")"`);
  });

  // Formats and files do not know where the rows come from.
  if (engine.name === "postgres") return;

  test("goes on after an interruption as if there had been none, in every format", async () => {
    const { store, van } = await longHistory();
    for (const [index, format] of [...formatNames, "parquet"].entries()) {
      const options = { ...window, format, imei: van.imei, rejected: true };
      const whole = await exported(store, "positions", options, `whole.${format}`);
      const cut = { ...options, output: join(store.directory, `cut.${format}`) };
      // Two interruptions, and what a killed program had written after it last saved.
      const message = await interruptedExport(store, "positions", cut, 2 + index);
      expect(message).toContain("interrupted; the same call with --resume goes on with");
      await appendFile(`${cut.output}.part`, "what was not saved");
      expect(await interruptedExport(store, "positions", { ...cut, resume: true }, 3)).toContain("interrupted");
      expect(await readdir(store.directory)).not.toContain(`cut.${format}`);
      for (const file of [`${cut.output}.part`, `${cut.output}.part.json`]) await expectPrivate(file);
      await runExport(store, "positions", { ...cut, resume: true });
      expect(await readFile(cut.output, "utf8")).toBe(whole);
      await expectPrivate(cut.output);
      const left = await readdir(store.directory);
      expect(left.filter((name) => name.startsWith(`cut.${format}.`))).toEqual([]);
    }
  });

  test("writes Parquet with the columns of a table, each of its type", async () => {
    const { store, van } = await longHistory();
    const read = async (list: string, options: Record<string, string>) => {
      const output = join(store.directory, `${list}.parquet`);
      await runExport(store, list, { ...options, output });
      const file = await Bun.file(output).arrayBuffer();
      const { schema } = parquetMetadata(file);
      return { names: schema.slice(1).map(({ name }) => name), rows: await parquetReadObjects({ file }) };
    };
    const csv = await exported(store, "trips", { ...window, format: "csv" });
    const [header = "", ...lines] = csv.split("\r\n").slice(0, -1);
    const { names, rows } = await read("trips", window);
    expect(names.join(",")).toBe(header);
    const cells = rows.map((row) => names.map((name) => cellText(row[name])).join(","));
    expect(cells).toEqual(lines);
    expect(rows[0]?.started_at).toBeInstanceOf(Date);
    expect(typeof rows[0]?.has_gap).toBe("boolean");
    const positions = await read("positions", { ...window, imei: van.imei });
    expect(positions.rows.length).toBe(2_600);
    const at = await read("positions-at", { time: window.to, "max-age": "2678400" });
    expect(at.names.slice(-2)).toEqual(["age_s", "distance_m"]);
    expect(at.rows.map(({ imei, valid }) => [imei, valid])).toEqual([[van.imei, true]]);
    expect((await read("alerts", window)).rows).toEqual([]);
  });

  test("tells a reader of Parquet in another time zone the moments and days of the CSV", async () => {
    const { store, van } = await longHistory();
    await withDuckDb("America/New_York", async (query) => {
      const count = async (from: string) => Number((await query(`select count(*) as rows from ${from}`))[0]?.rows);
      for (const [list, options, key, half, rows] of [
        ["positions", { ...window, imei: van.imei }, "device_id", "recorded_at >= '2026-05-01'", 2_600],
        ["trips", window, "trip_id", "started_at >= '2026-05-01 08:00:00'", 200],
        ["mileage", window, "device_id", "date >= '2026-05-01'", 200],
        ["devices", {}, "device_id", "name = 'Truck'", 2],
      ] as const) {
        const [csv, parquet] = ["csv", "parquet"].map((format) => join(store.directory, `zones-${list}.${format}`));
        for (const output of [csv, parquet]) await runExport(store, list, { ...options, output: output ?? "" });
        const columns = await query(`describe select * from '${parquet}'`);
        const times = columns.flatMap(({ column_name: name, column_type: type }) =>
          type === "DATE" || type === "TIMESTAMP WITH TIME ZONE" ? [String(name)] : [],
        );
        expect(times).toEqual(
          columns.map((column) => String(column.column_name)).filter((name) => /_at$|^date$/.test(name)),
        );
        const same = [key, ...times].map((name) => `p.${name} is not distinct from c.${name}`).join(" and ");
        expect([list, await count(`'${parquet}' p join '${csv}' c on ${same}`)]).toEqual([list, rows]);
        const chosen = await count(`'${parquet}' where ${half}`);
        expect([list, chosen]).toEqual([list, await count(`'${csv}' where ${half}`)]);
        expect(chosen).toBeWithin(1, rows);
      }
    });
  });

  test("goes on only with the same call, and only where there is something to go on with", async () => {
    const { store, van } = await longHistory();
    const options = { ...window, imei: van.imei, output: join(store.directory, "cut.csv") };
    const resumed = (changes: Record<string, string>) =>
      runExport(store, "positions", { ...options, ...changes, resume: true }).then(String, (error) => error.message);
    expect(await resumed({})).toContain("there is no interrupted export of");
    await interruptedExport(store, "positions", options, 2);
    expect(await resumed({ to: "2030-01-01" })).toContain(`was called with to ${window.to}`);
    expect(await resumed({ format: "ndjson" })).toContain("was called with format csv");
    expect(await resumed({})).toBe(`2600 records in ${options.output}`);
  });

  test("says what is wrong with a call, and leaves no file behind", async () => {
    const store = await smallStore();
    const { imei } = smallFleet.van;
    const lists =
      "devices, drivers, latest, positions, positions-at, trips, stops, alerts, readings, geofences, geofence-events, users, mileage";
    const formats = "--format: expected one of json, csv, ndjson, parquet for users, got";
    const noKind = '--kind: expected one of fuel, temperature, tyre, got "oil"';
    const wrongCalls: readonly [words: string, message: string][] = [
      ["cars", `LIST: expected one of ${lists}, got "cars"`],
      ["trips", "--from is missing: trips needs it"],
      ["positions --from 2026-01-01", "--imei is missing: positions needs it"],
      ["positions-at", "--time is missing: positions-at needs it"],
      ["readings --from 2026-01-01", "--kind is missing: readings needs it"],
      ["devices --from 2026-01-01", "--from does not go with devices"],
      ["trips --from 2026-01-02 --to 2026-01-02", "--from must be earlier than --to"],
      ["trips --from soon", "--from: expected a time"],
      ["users --format gpx", `${formats} "gpx"`],
      ["users --output users.gpx", `${formats} a file called .gpx`],
      ["users --output users.xlsx", `${formats} a file called .xlsx`],
      ["users --resume", "--resume needs --output"],
      ["users", "--user is missing: the store has several accounts"],
      ["readings --kind oil --from 2026-01-01 --format json --output oil", noKind],
      ["readings --kind oil --from 2026-01-01 --format csv --output oil", noKind],
      ["readings --kind oil --from 2026-01-01 --format parquet --output oil", noKind],
      [`users --output ${store.directory} --format csv`, `--output: expected a file, ${store.directory} is a`],
      ["users --output /dev/null --resume", "--resume needs a regular file, /dev/null is a device or a pipe"],
      ["users --output /dev/null --format parquet", "--format parquet needs a regular file, /dev/null"],
      ["alerts --severity x --from 2026-01-01 --user olga@acme.test", "severity: expected one of"],
    ];
    const notFound: readonly [words: string, message: string][] = [
      ["users --user nobody@acme.test", "there is no user with the e-mail nobody@acme.test"],
      [`positions --imei ${imei} --from 2026-01-01 --user rita@rival.test`, "there is no such device"],
      ["users --user olga@acme.test --output no/such/folder/users.csv", "cannot be written (ENOENT)"],
    ];
    const said = (words: string, code: 1 | 2) => complaint(["export", ...words.split(" ")], code, store);
    for (const [words, message] of wrongCalls) expect(await said(words, 2)).toContain(message);
    for (const [words, message] of notFound) expect(await said(words, 1)).toContain(message);
    const file = join(store.directory, "left.csv");
    const wrong = ["export", "alerts", "--severity", "x", "--from", "2026-01-01", "--user", "olga@acme.test"];
    await complaint([...wrong, "--output", file], 2, store);
    expect((await readdir(store.directory)).filter((name) => name.startsWith("left"))).toEqual([]);
  });

  test("writes to standard output, and to a file whose name says the format", async () => {
    const store = await smallStore();
    const call = ["export", "devices", "--user", "olga@acme.test"];
    const { data, next_cursor } = JSON.parse(await output(call, store));
    expect([data.length, next_cursor]).toEqual([3, null]);
    const file = join(store.directory, "Devices.CSV");
    expect(await output([...call, "--output", file], store)).toBe(`3 records in ${file}\n`);
    expect(await readFile(file, "utf8")).toStartWith("device_id,imei,name,");
    const again = await runOdograph([...call, "--output", file, "--json"], store);
    expect(JSON.parse(again.stdout)).toEqual({ file, list: "devices", format: "csv", records: 3 });
    const empty = await output(["export", "trips", "--from", "2020-01-01", "--format", "csv", ...call.slice(2)], store);
    expect(empty).toStartWith("trip_id,");
    expect(empty.split("\r\n").length).toBe(2);
  });

  test("writes into a device or a pipe as it is, and to where a symbolic link points", async () => {
    const store = await smallStore();
    const path = (name: string) => join(store.directory, name);
    const before = await readdir(store.directory);
    const options = { user: "olga@acme.test", format: "csv" };
    const whole = await exported(store, "devices", options, "whole.csv");

    expect(await runExport(store, "devices", { ...options, output: "/dev/null" })).toBe("3 records in /dev/null");
    expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
    const full = runExport(store, "devices", { ...options, output: "/dev/full" });
    expect(await full.then(String, ({ message }) => message)).toBe("/dev/full cannot be written (ENOSPC)");

    expect(Bun.spawnSync(["mkfifo", path("pipe")]).exitCode).toBe(0);
    const [read] = await Promise.all([
      readFile(path("pipe"), "utf8"),
      runExport(store, "devices", { ...options, output: path("pipe") }),
    ]);
    expect(read).toBe(whole);
    expect((await lstat(path("pipe"))).isFIFO()).toBe(true);

    // What is in the way of an unfinished file is named, as well as a full disk.
    for (const blocked of ["blocked.csv.part", "blocked.csv.part.json.new"]) {
      await mkdir(path(blocked));
      const refused = runExport(store, "devices", { ...options, output: path("blocked.csv") });
      const reason = await refused.then(String, (error) => `${error.code}: ${error.message}`);
      expect(reason).toMatch(/^FILE_UNREADABLE: .*\/blocked\.csv(\.part)? cannot be written \(E[A-Z]+\)$/);
      await rmdir(path(blocked));
    }

    // What was left there may belong to another user, or lead elsewhere: nothing is written into it.
    await writeFile(path("others.csv"), "theirs", { mode: 0o666 });
    for (const leave of [symlink, link]) {
      await leave(path("others.csv"), path("mine.csv.part"));
      await runExport(store, "devices", { ...options, output: path("mine.csv") });
      expect(await readFile(path("others.csv"), "utf8")).toBe("theirs");
      expect((await lstat(path("mine.csv"))).isFile()).toBe(true);
      expect(await readFile(path("mine.csv"), "utf8")).toBe(whole);
      await expectPrivate(path("mine.csv"));
    }

    await writeFile(path("old.csv"), "old");
    for (const [name, target] of [
      ["link.csv", "old.csv"],
      ["dangling.csv", "new.csv"],
    ] as const) {
      await symlink(target, path(name));
      await runExport(store, "devices", { ...options, output: path(name) });
      expect((await lstat(path(name))).isSymbolicLink()).toBe(true);
      expect((await lstat(path(target))).isFile()).toBe(true);
      expect(await readFile(path(target), "utf8")).toBe(whole);
    }
    const left = (await readdir(store.directory)).filter((name) => !before.includes(name) && name.includes(".part"));
    expect(left).toEqual([]);
  });
});

/** Nobody but its owner may read it. */
async function expectPrivate(file: string): Promise<void> {
  expect((await stat(file)).mode & 0o777).toBe(0o600);
}
