import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { position } from "../../src/api/records/position.ts";
import { formatInstant } from "../../src/domain/time/time.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { sql } from "../../src/store/sql.ts";
import { keyOf, startApi } from "../support/api.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { foundInTables } from "../support/erasing.ts";
import { recordsIn } from "../support/exported-fleet.ts";
import { fleetText, smallFleet } from "../support/fleet.ts";
import { batched } from "../support/ingest-arrival.ts";
import { home, loadIngestFleet, vanImei } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import { canonical, openPort } from "../support/ingest-port.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { everyFrame } from "../support/stored-frames.ts";
import { Track } from "../support/track.ts";
import { runExport, runImport } from "./export-run.ts";
import { output } from "./outcome.ts";

const morning = Date.UTC(2026, 2, 17, 8);
const { olga } = smallFleet;
const window = { from: "2026-03-17", to: "2026-03-18", imei: vanImei, rejected: true, user: olga.email };

/** A trip of one driver, then, on the same trip, of another whose name is awkward in every format. */
const drivers = ["00F1A2B3", '=1+1,"<&>', undefined] as const;

/** More than a block of them, and then one moment three times: only the drivers differ. */
function drive(): IncomingFrame[] {
  const track = new Track(vanImei, morning, home);
  track.stand(5);
  for (const driver_id of drivers.slice(0, 2)) {
    track.fields = { driver_id };
    track.drive(15, 50);
  }
  track.fields = {};
  track.stand(20);
  const last = track.send(30, { event: "sos" }).frames.pop();
  if (last === undefined) throw new Error("there is no frame");
  return [...track.frames, ...drivers.map((driver_id) => ({ ...last, driver_id }))];
}

const sent = drive();
const byTime = (one: IncomingFrame, other: IncomingFrame) => (one.recordedAt ?? 0) - (other.recordedAt ?? 0);

/** A list of fields that is the header of a file of 1.2. */
const withoutDrivers = Object.keys(position.example as object)
  .filter((name) => !name.startsWith("driver_"))
  .join();

/** What came with the frames, whatever the order of those of one moment. */
const driversIn = (frames: readonly { readonly driver_id?: unknown; readonly recorded_at?: unknown }[]) =>
  frames.map(({ recorded_at, driver_id }) => `${recorded_at} ${driver_id ?? null}`).toSorted();

const expected = driversIn(
  sent.map(({ recordedAt, driver_id }) => ({ recorded_at: formatInstant(recordedAt ?? 0), driver_id })),
);

async function storedDrivers({ database }: FreshDatabase): Promise<string[]> {
  const frames = await everyFrame(database);
  return driversIn(
    frames.map(({ frame }) => ({ recorded_at: formatInstant(frame.recordedAt), driver_id: frame.driver_id })),
  );
}

onEachEngine("the drivers of frames", (engine) => {
  const copied = engine.copies(async ({ database }) => {
    await loadIngestFleet(database);
    await take(database, [sent]);
  });

  test("are stored with them, in rows and blocks, whatever the order in which they come", async () => {
    for (const batches of [[sent], batched(sent.toReversed(), randomNumbers(7), 20), [sent.toSorted(byTime), sent]]) {
      const store = await engine.fresh();
      await loadIngestFleet(store.database);
      await take(store.database, batches);
      expect(await storedDrivers(store)).toEqual(expected);
      const [blocks] = await store.database.all<{ count: number }>(sql`select count(*) as count from frame_blocks`);
      expect(Number(blocks?.count)).toBeGreaterThan(0);
    }
  });

  test("come through the port, as an array and as lines, and are duplicates the second time", async () => {
    const store = await engine.fresh();
    await loadIngestFleet(store.database);
    const port = await openPort(store.database);
    const frames = sent.map(canonical);
    const lines = frames.map((frame) => JSON.stringify(frame)).join("\n");
    const first = await port.post("/frames", frames);
    expect(first.body).toEqual({ accepted: frames.length, duplicate: 0, refused: [] });
    const again = await port.post("/frames", lines, { "Content-Type": "application/x-ndjson" });
    expect(again.body).toEqual({ accepted: 0, duplicate: frames.length, refused: [] });
    expect(await storedDrivers(store)).toEqual(expected);
    await port.close();
  });

  test("are exported in every format, as the API shows them", async () => {
    const store = await copied();
    const exported = async (format: string) => {
      const file = join(store.directory, `drivers.${format}`);
      await runExport(store, "positions", { ...window, output: file });
      return file;
    };
    const text = async (format: string) => readFile(await exported(format), "utf8");
    const ndjson = recordsIn(await text("ndjson"));
    expect(driversIn(ndjson)).toEqual(expected);
    expect(Object.keys(ndjson[0]).slice(-3)).toEqual(["driver_id", "driver_name", "time_source"]);
    expect(JSON.parse(await text("json")).data).toEqual(ndjson);
    expect(JSON.parse(await text("geojson")).features.map(({ properties }: never) => properties)).toEqual(ndjson);
    const file = await Bun.file(await exported("parquet")).arrayBuffer();
    const rows = await parquetReadObjects({ file });
    expect(rows.map((row) => row.driver_id ?? null)).toEqual(ndjson.map((record) => record.driver_id));
    const [header, ...cells] = (await text("csv")).split("\r\n");
    expect(header).toEndWith(",discontinuity,driver_id,driver_name,time_source");
    expect(cells.filter((line) => line.endsWith(`,"'=1+1,""<&>",,tracker`))).toHaveLength(91);
    expect((await text("gpx")).match(/<odo:driver_id>=1\+1,&quot;&lt;&amp;&gt;<\/odo:driver_id>/g)).toHaveLength(91);
  });

  test.each(["csv", "gpx"])("are imported again from %s, and change nothing where they come from", async (format) => {
    const [from, to] = [await copied(), await engine.fresh()];
    await loadIngestFleet(to.database);
    const file = join(from.directory, `again.${format}`);
    await runExport(from, "positions", { ...window, output: file });
    const imported = async (store: FreshDatabase) =>
      JSON.parse(await runImport(store, file, { imei: vanImei, json: true }));
    expect(await imported(from)).toEqual({ added: 0, unchanged: sent.length, refused: 0 });
    expect(await imported(to)).toEqual({ added: sent.length, unchanged: 0, refused: 0 });
    expect(await storedDrivers(to)).toEqual(expected);
  });

  test("that a file does not have, as the API's before 1.3, are those of the frames that are stored", async () => {
    const store = await copied();
    const api = await startApi(store.database);
    const path = `/positions/history?imei=${vanImei}&from=2026-03-17&to=2026-03-18&format=csv&limit=500&fields=${withoutDrivers}`;
    const { status, text } = await api.get(path, await keyOf(store.database, olga.email));
    expect([status, text.slice(0, 9)]).toEqual([200, "device_id"]);
    await api.close();
    const file = join(store.directory, "api.csv");
    await writeFile(file, text);
    expect(JSON.parse(await runImport(store, file, { imei: vanImei, json: true }))).toMatchObject({ added: 0 });
  });

  test("are said by explain, where there are any", async () => {
    const store = await copied();
    const [trip] = await store.database.all<{ id: string }>(sql`select id from trips`);
    const text = await output(["explain", trip?.id ?? ""], store);
    // Each sends a card with every frame, every ten seconds; the first card comes ten seconds after the start.
    expect(text).toContain(
      [
        "\nDrivers",
        "00F1A2B3 drove from 08:05:00Z to 08:20:10Z, by the first card sent on the way.",
        `=1+1,"<&> drove from 08:20:10Z to 08:35:30Z, by the card sent then.`,
        "00F1A2B3: sent with 90 frames, 08:05:10Z to 08:20:00Z.",
        `=1+1,"<&>: sent with 90 frames, 08:20:10Z to 08:35:00Z.\n`,
      ].join("\n  "),
    );
  });

  test("are written out when a device is erased, gone then, and loaded from that file", async () => {
    const store = await copied();
    const file = join(store.directory, "van.ndjson");
    await output(["erase", "device", vanImei, "--yes", "--json", "--write-out", file], store);
    expect(await foundInTables(store.database, ["00F1A2B3"])).toEqual([]);
    const lines = recordsIn(await readFile(file, "utf8")).filter(({ type }) => type === "frame");
    expect(driversIn(lines)).toEqual(expected);
    const other = await engine.fresh();
    await loadIngestFleet(other.database);
    await output(["load", "-"], {
      env: other.env,
      input: fleetText(lines.map(({ valid: _, reject_reason: __, ...line }) => line)),
    });
    expect(await storedDrivers(other)).toEqual(expected);
  });
});
