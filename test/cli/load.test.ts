import { describe, expect, test } from "bun:test";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accountsOfFile } from "../../src/cli/load/load.ts";
import { derivePending } from "../../src/cli/store/derive-pending.ts";
import { Failure } from "../../src/domain/errors.ts";
import { collectFleet } from "../../src/fleet/parse/parse.ts";
import { readCanonicalFrame } from "../../src/intake/formats/canonical.ts";
import { FrameQueue } from "../../src/intake/queue.ts";
import type { Database } from "../../src/store/database.ts";
import { accountNumbers } from "../../src/store/fleet/accounts.ts";
import { plainSql, type Sql, sql } from "../../src/store/sql.ts";
import { countRows, everyRow } from "../support/catalog.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { type FleetRecord, fleetText, largeFleet, smallFleet, user } from "../support/fleet.ts";
import { patienceMs } from "../support/patience.ts";
import { runOdograph, spawnOdograph } from "../support/program.ts";
import { complaint, newPath, output, runCall } from "./outcome.ts";

const fleet = fleetText(Object.values(smallFleet));

async function fileOf(content: string | Uint8Array): Promise<string> {
  const path = await newPath("fleet.ndjson");
  await writeFile(path, content);
  return path;
}

const drive = (minute: number) => ({
  type: "frame",
  imei: smallFleet.van.imei,
  recorded_at: `2026-03-01T10:0${minute}:00Z`,
  latitude: 52 + minute / 100,
  longitude: 13.4,
  speed_kmh: 60,
});

/** Makes such changes of rows fail until the function returned is called. `change` is such as "update on devices". */
async function failing({ database }: FreshDatabase, change: string, when: string): Promise<() => Promise<void>> {
  const run = (text: string) => database.transaction((tx) => tx.run(plainSql(text)));
  const trigger = `create trigger failing before ${change} for each row when`;
  const isEmbedded = database.engine === "sqlite";
  if (isEmbedded) {
    await run(`${trigger} ${when} begin select raise(abort, 'not today'); end`);
  } else {
    await run("create function fail() returns trigger language plpgsql as 'begin raise exception ''not today''; end'");
    await run(`${trigger} (${when}) execute function fail()`);
  }
  return async () => {
    await run(isEmbedded ? "drop trigger failing" : `drop trigger failing ${change.replace(/^\w+ /, "")}`);
  };
}

onEachEngine("odograph load", (engine) => {
  test("loads a file or standard input, tells what it did, and changes nothing a second time", async () => {
    const store = await engine.empty();
    const first = JSON.parse(await output(["load", await fileOf(fleet), "--json"], store));
    expect(first).toEqual({
      accounts: { added: 2, changed: 0, unchanged: 0 },
      users: { added: 4, changed: 0, unchanged: 0 },
      devices: { added: 4, changed: 0, unchanged: 0 },
      drivers: { added: 0, changed: 0, unchanged: 0 },
      geofences: { added: 2, changed: 0, unchanged: 0 },
      alert_settings: { added: 1, changed: 0, unchanged: 0 },
      frames: { added: 0, unchanged: 0, refused: 0 },
    });
    const database = await store.open();
    const before = await everyRow(database);
    const table = await output(["load", "-"], { env: store.env, input: fleet });
    expect(table.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["", "ADDED", "CHANGED", "UNCHANGED"],
      ["accounts", "0", "0", "2"],
      ["users", "0", "0", "4"],
      ["devices", "0", "0", "4"],
      ["drivers", "0", "0", "0"],
      ["geofences", "0", "0", "2"],
      ["alert settings", "0", "0", "1"],
      ["frames", "0", "0", "0"],
      [""],
    ]);
    expect(await everyRow(database)).toEqual(before);
  });

  test("says what it stored even if what follows from that cannot be derived, which the next one does", async () => {
    const store = await engine.fresh();
    await output(["load", "-"], { env: store.env, input: fleet + fleetText([1, 2, 3].map(drive)) });
    const derived = "new.dirty_from is null and old.dirty_from is not null";
    const mend = await failing(store, "update on device_folds", derived);
    const renamed = fleetText([{ ...smallFleet.acme, time_zone: "America/New_York" }, drive(4)]);
    const { code, stdout, stderr } = await runCall(["load", "-", "--json"], { env: store.env, input: renamed });
    expect(stderr).toContain("odograph: all is stored, but not all that follows from it could be derived (");
    expect(stderr).toContain("not today");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ accounts: { changed: 1 }, frames: { added: 1 } });
    const pending = sql`select count(*) as count from device_folds where dirty_from is not null`;
    expect(await store.database.get<{ count: number }>(pending)).toEqual({ count: 1 });

    await mend();
    await output(["load", "-"], { env: store.env, input: renamed });
    expect(await store.database.get<{ count: number }>(pending)).toEqual({ count: 0 });
  });

  test("counts the frames that it stored of some accounts where those of another cannot be", async () => {
    const store = await engine.fresh();
    await output(["load", "-"], { env: store.env, input: fleet });
    const { van, truck, rivalVan, rival } = smallFleet;
    const account = sql`select account_id from accounts where id = ${rival.id}`;
    const { account_id } = (await store.database.get<{ account_id: number }>(account)) ?? { account_id: 0 };
    await failing(store, "insert on recent_frames", `new.account_id = ${account_id}`);
    const frames = [rivalVan, van, truck].map(({ imei }) => ({ ...drive(1), imei }));
    const run = { env: store.env, input: fleetText(frames) };
    const { code, stdout, stderr } = await runCall(["load", "-", "--json"], run);
    expect(stderr).toContain("odograph: the fleet is stored, but not all frames (");
    expect(code).toBe(1);
    expect(JSON.parse(stdout).frames).toEqual({ added: 2, unchanged: 0, refused: 0 });
    expect(await countRows(store.database, "recent_frames")).toBe(2);
  });

  test("looks for what is still to derive in accounts of the file; in others only if they can be reached", async () => {
    const store = await engine.fresh();
    await output(["load", "-"], { env: store.env, input: fleet });
    const { acme, rivalVan, rules, rivalYard } = smallFleet;
    const known = await accountNumbers(store.database);
    const numberOf = (id: string) => known.find((account) => account.id === id)?.account_id ?? 0;
    const [mine, others] = [numberOf(acme.id), numberOf(rivalVan.account_id)];
    const ofLines = (...lines: readonly FleetRecord[]) => {
      const file = collectFleet((raw) => readCanonicalFrame(raw, Date.now()));
      for (const [index, line] of lines.entries()) file.add(index + 1, JSON.stringify(line));
      return accountsOfFile(store.database, file.finish());
    };
    for (const line of [acme, rules, drive(1)]) expect(await ofLines(line)).toEqual(new Set([mine]));
    expect(await ofLines(rivalYard, drive(1))).toEqual(new Set([mine, others]));

    // As a database does whose worker with the other account is away.
    const reads: Pick<Database, "all"> = {
      all: async <Row>(query: Sql) => {
        const isAway = query.text.includes("device_folds") && query.values[0] === others;
        if (isAway) throw new Failure("STORE_UNREACHABLE", "the worker does not answer");
        return store.database.all<Row>(query);
      },
    };
    const database: Database = Object.assign(Object.create(store.database), reads);
    const derive = (own: number) =>
      derivePending(
        database,
        new FrameQueue(store.database, () => {}),
        { progress: () => {} },
        {
          concerns: (account) => account === own,
        },
      );
    expect(await derive(mine)).toBe(0);
    expect(await failureOf(derive(others))).toMatchObject({ code: "STORE_UNREACHABLE" });
  });

  test("warns on standard error of a rule that cannot apply, and goes on", async () => {
    const store = await engine.empty();
    const { car, depot } = smallFleet;
    const rules = [{ alert_type: "speeding", parameters: { limit_kmh: 50 }, geofence_ids: [depot.id] }];
    const input = fleetText([...Object.values(smallFleet), { type: "alert_settings", device_id: car.id, rules }]);
    const { code, stdout, stderr } = await runCall(["load", "-", "--json"], { env: store.env, input });
    expect({ code, settings: JSON.parse(stdout).alert_settings.added }).toEqual({ code: 0, settings: 2 });
    const reason = `cannot apply: the device is assigned to none of its geofences (${depot.id})`;
    expect(stderr).toEndWith(
      `odograph: warning: line 14: the speeding rule of device ${car.id} (IMEI ${car.imei}) ${reason}\n`,
    );
  });

  test("five times at once on an empty store adds everything once", async () => {
    const store = await engine.empty();
    const file = await fileOf(fleet);
    const summaries = await Promise.all(Array.from({ length: 5 }, () => runOdograph(["load", file, "--json"], store)));
    expect(summaries.filter(({ code }) => code !== 0)).toEqual([]);
    const devices = summaries.map(({ stdout }) => JSON.parse(stdout).devices);
    const unchanged = { added: 0, changed: 0, unchanged: 4 };
    const byAdded = devices.toSorted((one, other) => other.added - one.added);
    expect(byAdded).toEqual([{ added: 4, changed: 0, unchanged: 0 }, unchanged, unchanged, unchanged, unchanged]);
    expect(await countRows(await store.open(), "devices")).toBe(4);
  });

  // Where each statement goes over a connection, more of them would be noticed most.
  if (engine.name === "sqlite") return;

  test("takes 10,000 devices in seconds, and again", async () => {
    const store = await engine.empty();
    const file = await fileOf(fleetText(largeFleet(10_000)));
    const first = spawnOdograph(["load", file, "--json"], store);
    const timer = setTimeout(() => first.kill(), patienceMs);
    const added = JSON.parse(await new Response(first.stdout).text());
    clearTimeout(timer);
    expect(added.devices).toEqual({ added: 10_000, changed: 0, unchanged: 0 });
    expect(await first.exited).toBe(0);
    // Of the processor: how long it waits for that depends on what else the machine does.
    expect(Number(first.resourceUsage()?.cpuTime.total) / 1e6).toBeLessThan(20);
    const again = JSON.parse(await output(["load", file, "--json"], store));
    expect(again.devices).toEqual({ added: 0, changed: 0, unchanged: 10_000 });
  });
});

describe("odograph load", () => {
  test("takes --data and makes the directory for its own user", async () => {
    const data = await newPath("data");
    await output(["load", "-", "--data", data], { input: fleet });
    expect((await stat(data)).mode & 0o777).toBe(0o700);
  });

  test("takes an empty file, a byte order mark, Windows line ends and a last line without one", async () => {
    const data = await newPath("data");
    const env = { ODOGRAPH_DATA: data };
    const [acme, ...users] = [smallFleet.acme, smallFleet.olga, smallFleet.ann].map((record) => JSON.stringify(record));
    const files: [string, number][] = [
      ["", 0],
      ["\n\n", 0],
      [`\uFEFF${acme}\r\n\r\n${users.join("\r\n")}`, 2],
    ];
    for (const [content, added] of files) {
      const summary = JSON.parse(await output(["load", await fileOf(content), "--json"], { env }));
      expect(summary.users.added).toBe(added);
    }
  });

  test("says why a file cannot be read, and touches nothing", async () => {
    const data = await newPath("data");
    const env = { ODOGRAPH_DATA: data };
    const missing = join(data, "missing.ndjson");
    const folder = join(data, "..");
    const latin = new Uint8Array([...new TextEncoder().encode(fleetText([smallFleet.acme])), 0xe9, 0x0a]);
    const cut = new TextEncoder().encode(fleet).slice(0, -1);
    const messages = await Promise.all([
      complaint(["load", missing], 1, { env }),
      complaint(["load", folder], 1, { env }),
      complaint(["load", await fileOf(latin)], 1, { env }),
      complaint(["load", await fileOf(new Uint8Array([...cut.slice(0, 50), 0xf0, 0x9f]))], 1, { env }),
      complaint(["load", "-"], 1, { env, input: `${"x".repeat(17 * 1024 * 1024)}` }),
    ]);
    expect(messages).toEqual([
      `the file ${missing} is not there`,
      `${folder} is a directory, not a file`,
      expect.stringMatching(/^line \d or soon after it: expected UTF-8$/),
      "line 1 or soon after it: expected UTF-8",
      `line 1: expected at most ${16 * 1024 * 1024} characters`,
    ]);
    expect(await Bun.file(data).exists()).toBe(false);
  });

  test("never echoes a password", async () => {
    const env = { ODOGRAPH_DATA: await newPath("data") };
    const lines = [
      JSON.stringify(user(50, { password: "hunter2" })),
      '{"type":"user","password":"hunter2hunter2"',
      JSON.stringify({ ...user(50, { password: "hunter2hunter2" }), role: "king" }),
    ];
    for (const input of lines) expect(await complaint(["load", "-"], 1, { env, input })).not.toContain("hunter2");
  });
});
