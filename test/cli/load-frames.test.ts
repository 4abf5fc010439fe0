import { expect, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "../../src/store/sql.ts";
import { countRows, everyRow } from "../support/catalog.ts";
import { derivedTables } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { fleetText, smallFleet } from "../support/fleet.ts";
import { frameLine } from "../support/frame-lines.ts";
import { alertSettings, devices, fences, people, randomFleet, vanImei } from "../support/ingest-fleet.ts";
import { countFrames } from "../support/stored-frames.ts";
import { complaint, output, runCall } from "./outcome.ts";

const fenceLines = [...Object.values(fences), alertSettings];
const frames = randomFleet(7, 200).map(frameLine);
const rival = { ...frames[0], imei: smallFleet.rivalVan.imei };
const everything = fleetText([...people, ...devices, ...fenceLines, ...frames, rival]);

onEachEngine("a fleet file with frames", (engine) => {
  test("is loaded, from a file and from a pipe, and a second time changes nothing at all", async () => {
    const store = await engine.empty();
    const file = join(store.directory, "fleet.ndjson");
    const spool = join(store.directory, "spool");
    await mkdir(spool);
    await writeFile(file, everything);
    const first = JSON.parse(await output(["load", file, "--json"], store));
    expect(first.frames).toEqual({ added: frames.length + 1, unchanged: 0, refused: 0 });
    const database = await store.open();
    const before = await everyRow(database);
    expect(before.trips?.length).toBeGreaterThan(0);
    expect(before.alerts?.length).toBeGreaterThan(0);
    expect(before.geofence_events?.length).toBeGreaterThan(0);

    const unchanged = { added: 0, unchanged: frames.length + 1, refused: 0 };
    expect(JSON.parse(await output(["load", file, "--json"], store)).frames).toEqual(unchanged);
    const piped = { env: { ...store.env, TMPDIR: spool }, input: everything };
    expect(JSON.parse(await output(["load", "-", "--json"], piped)).frames).toEqual(unchanged);
    expect(await everyRow(database)).toEqual(before);
    expect(await readdir(spool)).toEqual([]);
  });

  test("gives the same facts with the fences first, with the frames first, and in three parts", async () => {
    const orders = [
      [[...people, ...devices, ...fenceLines, ...frames]],
      [[...frames, ...fenceLines.toReversed(), ...people, ...devices]],
      [[...people, ...devices], frames, fenceLines],
    ];
    const tables = [];
    for (const files of orders) {
      const store = await engine.empty();
      for (const lines of files) await output(["load", "-"], { env: store.env, input: fleetText(lines) });
      tables.push(await derivedTables(await store.open()));
    }
    expect(tables[0]?.geofence_events.length).toBeGreaterThan(0);
    expect(tables[0]?.alerts.some(({ alert_type }) => alert_type === "geofence_enter")).toBe(true);
    expect(tables[1]).toEqual(tables[0]);
    expect(tables[2]).toEqual(tables[0]);
  });

  test("stores nothing if one frame is wrong or of a device that nobody knows, and names the line", async () => {
    const store = await engine.empty();
    const fleet = [...people, ...devices, ...frames.slice(0, 3)];
    const line = fleet.length + 1;
    const wrong: readonly [object, string][] = [
      [{ latitude: "north" }, `line ${line}: field "latitude": expected a number, got "north"`],
      [{ imei: 5 }, `line ${line}: field "imei": expected a string of 14 to 16 digits, got 5`],
      [{ recorded_at: "today" }, `line ${line}: field "recorded_at": expected an ISO 8601 time, got "today"`],
      [
        { imei: "111111111111111" },
        `line ${line}: field "imei": expected the IMEI of a device that is in this file or stored, got "111111111111111"`,
      ],
    ];
    for (const [fields, message] of wrong) {
      const input = fleetText([...fleet, { ...frames[3], ...fields }, ...frames.slice(4)]);
      expect(await complaint(["load", "-"], 1, { env: store.env, input })).toBe(message);
    }
    const database = await store.open();
    expect(await countRows(database, "accounts")).toBe(0);
    expect(await countFrames(database)).toBe(0);
  });

  test("goes by the IMEI that a device has after the file", async () => {
    const store = await engine.empty();
    await output(["load", "-"], { env: store.env, input: fleetText([...people, ...devices]) });
    const moved = { ...devices[0], imei: "356307042999999" };
    const old = fleetText([moved, ...frames.slice(0, 1)]);
    expect(await complaint(["load", "-"], 1, { env: store.env, input: old })).toContain(`got "${vanImei}"`);
    const input = fleetText([{ ...frames[0], imei: moved.imei }, moved]);
    expect(JSON.parse(await output(["load", "-", "--json"], { env: store.env, input })).frames.added).toBe(1);
  });

  test("leaves out frames that are older than those that are kept, and says how many", async () => {
    const store = await engine.empty();
    const own = frames.filter(({ imei }) => imei === vanImei);
    await output(["load", "-"], { env: store.env, input: fleetText([...people, ...devices, ...own.slice(100)]) });
    const database = await store.open();
    const until = Date.parse(String(own[99]?.recorded_at));
    await database.transaction((tx) => tx.run(sql`update device_folds set dropped_until = ${until}`));
    const result = await runCall(["load", "-", "--json"], { env: store.env, input: fleetText(own) });
    expect(result.stderr).toBe(
      "odograph: frames were left out: recorded_at: older than the frames that are kept (line 1, 100 in all)\n",
    );
    expect(JSON.parse(result.stdout).frames).toEqual({ added: 0, unchanged: own.length - 100, refused: 100 });
    expect(await countFrames(database)).toBe(own.length - 100);
  });

  test("takes a frame without a time of receipt as received now, and warns of fields it does not know", async () => {
    const store = await engine.empty();
    const { received_at: _, ...bare } = frames[0] ?? {};
    const recorded_at = new Date().toISOString();
    const input = fleetText([...people, ...devices, { ...bare, recorded_at, speed: 5 }]);
    const result = await runCall(["load", "-", "--json"], { env: store.env, input });
    expect(result).toMatchObject({ code: 0, stderr: expect.stringMatching(/^odograph: frame field "speed" is not/) });
    expect(JSON.parse(result.stdout).frames).toEqual({ added: 1, unchanged: 0, refused: 0 });
    const [row] = (await derivedTables(await store.open())).frames;
    expect(Number(row?.received_at)).toBeGreaterThanOrEqual(Number(row?.recorded_at));
  });
});
