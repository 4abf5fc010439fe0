import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { derivedTables } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { countFrames } from "../support/stored-frames.ts";
import { complaint, output, runCall } from "./outcome.ts";

const drives = fileURLToPath(new URL("../../../shared/data/drives.csv", import.meta.url));
const { imei } = smallFleet.van;
const fleet = Object.values(smallFleet);

const gpx = `<?xml version="1.0"?>
<gpx version="1.1"><trk><trkseg>
<trkpt lat="52.5" lon="13.4"><time>2024-05-01T08:00:00Z</time><speed>10</speed></trkpt>
<trkpt lat="north" lon="13.4"><time>2024-05-01T08:00:10Z</time></trkpt>
<trkpt lat="52.501" lon="13.4"><time>2024-05-01T08:00:20Z</time></trkpt>
</trkseg></trk></gpx>
`;
const csv = `time,lat,lon,speed
2024-05-01 08:00:00,52.5,13.4,10
yesterday,52.5,13.4,10
2024-05-01 08:00:20,52.501,13.4,10
2024-05-01 08:00:30,52.501
`;

async function speeds(database: Parameters<typeof derivedTables>[0]): Promise<unknown[]> {
  return (await derivedTables(database)).frames.map(({ speed_kmh }) => speed_kmh);
}

onEachEngine("odograph import", (engine) => {
  const loaded = engine.copies(({ database }) => load(database, fleet));

  test("believes a track from before 2015 with --earliest, and goes on doing so", async () => {
    const store = await loaded();
    const file = join(store.directory, "old.csv");
    await writeFile(file, "time,lat,lon\n2009-05-01 08:00:00,52.5,13.4\n2009-05-01 08:00:20,52.501,13.4\n");
    const valid = async () => (await derivedTables(store.database)).frames.map((row) => Boolean(row.valid));
    await output(["import", file, "--imei", imei], store);
    expect(await valid()).toEqual([false, false]);
    await output(["import", file, "--imei", imei, "--earliest", "2009-01-01"], store);
    expect(await valid()).toEqual([true, true]);
    await output(["import", file, "--imei", imei], store);
    await output(["rederive", "--device", imei, "--received-now"], store);
    expect(await valid()).toEqual([true, true]);
    for (const wrong of ["1980-01-05", "2015-01-02", "soon"]) {
      const call = ["import", file, "--imei", imei, "--earliest", wrong];
      expect(await complaint(call, 2, store)).toContain("--earliest: expected");
    }
  });

  test("takes a GPX track, and changes nothing a second time", async () => {
    const store = await loaded();
    const file = join(store.directory, "track.GPX");
    await writeFile(file, gpx);
    const first = await runCall(["import", file, "--imei", imei], store);
    expect(first).toEqual({
      code: 0,
      stdout: "2 frames added, 0 there already, 1 row left out\n",
      stderr: 'odograph: line 4: latitude: expected a number, got "north"\n',
    });
    const before = await derivedTables(store.database);
    expect(before.frames.map(({ recorded_at, received_at }) => [recorded_at, received_at])).toEqual(
      [Date.UTC(2024, 4, 1, 8), Date.UTC(2024, 4, 1, 8, 0, 20)].map((at) => [at, at]),
    );
    expect(await speeds(store.database)).toEqual([36, null]);
    const again = await runCall(["import", file, "--imei", imei, "--json"], store);
    expect(JSON.parse(again.stdout)).toEqual({ added: 0, unchanged: 2, refused: 1 });
    expect(await derivedTables(store.database)).toEqual(before);
    expect(await complaint(["import", file, "--imei", imei, "--speed-unit", "mph"], 2, store)).toContain(
      "--speed-unit is for tables",
    );
  });

  test("takes a table, also from standard input, in the unit that is said", async () => {
    const store = await loaded();
    const call = ["import", "-", "--imei", imei, "--speed-unit", "ms", "--json"];
    const result = await runCall(call, { env: store.env, input: `\uFEFF${csv}` });
    expect(JSON.parse(result.stdout)).toEqual({ added: 2, unchanged: 0, refused: 2 });
    expect(result.stderr.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^odograph: line 3: time: expected an ISO 8601 time/),
      "odograph: line 5: expected 4 columns as in the header, got 2",
    ]);
    expect(await speeds(store.database)).toEqual([36, 36]);
    const xml = await runCall(["import", "-", "--imei", imei, "--json"], {
      env: store.env,
      input: ` ${gpx.slice(22)}`,
    });
    expect(JSON.parse(xml.stdout)).toEqual({ added: 1, unchanged: 1, refused: 1 });
  });

  test("fails where nothing could be imported, and stores nothing", async () => {
    const store = await loaded();
    const rows = csv.split("\n");
    const bad = await runCall(["import", "-", "--imei", imei], {
      env: store.env,
      input: [rows[0], rows[2]].join("\n"),
    });
    expect(bad.code).toBe(1);
    expect(bad.stdout).toBe("");
    expect(bad.stderr.trimEnd().split("\n").at(-1)).toBe("odograph: - holds nothing to import");
    const calls: [string[], string, string][] = [
      [["--imei", imei], "a,b\n1,2\n", "line 1: expected a header row with a time"],
      [["--imei", imei], "", "expected a header row, got an empty file"],
      [["--imei", imei], "<kml/>", "line 1: expected GPX, got <kml>"],
      [["--imei", "111111111111111"], csv, "there is no device with the IMEI 111111111111111"],
    ];
    for (const [options, input, message] of calls) {
      expect(await complaint(["import", "-", ...options], 1, { env: store.env, input })).toContain(message);
    }
    expect(await complaint(["import", "-", "--imei", imei, "--speed-unit", "warp"], 2, store)).toBe(
      '--speed-unit: expected one of kmh, knots, mph, ms, got "warp"',
    );
    expect(await countFrames(store.database)).toBe(0);
  });

  test("keeps what came before the end of a file that is cut off, and says that it is", async () => {
    const store = await loaded();
    const input = gpx.slice(0, gpx.indexOf("</trkseg>"));
    const result = await runCall(["import", "-", "--imei", imei], { env: store.env, input });
    expect(result.code).toBe(1);
    expect(result.stderr).toEndWith("odograph: the GPX ends in the middle\n");
    expect(await countFrames(store.database)).toBe(2);
  });

  if (engine.name === "postgres") return;

  test("makes the trips of a real car's drives", async () => {
    if (!existsSync(drives)) {
      console.log(`skipped: ${drives} is not there`);
      return;
    }
    const store = await loaded();
    const result = await runCall(["import", drives, "--imei", imei, "--json"], store);
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout)).toEqual({ added: 9173, unchanged: 0, refused: 0 });
    const { trips, latest_positions } = await derivedTables(store.database);
    // 14 drives, in two of which it stood for more than three minutes; the file says nothing of the ignition.
    expect(trips.length).toBe(16);
    expect(latest_positions.length).toBe(1);
    expect(await output(["rederive"], store)).toContain("nothing changed");
  });
});
