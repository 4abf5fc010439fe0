import { expect, test } from "bun:test";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { device, load, smallFleet } from "../support/fleet.ts";
import { nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { noReport, randomNumbers, shuffled } from "../support/random-drive.ts";
import { readTrace } from "../support/shared-traces.ts";

const seed = announcedSeed("real traces");
const number = (text: string | undefined) => (text ? Number(text) : null);
const times = (text: string | undefined, factor: number) => (text ? Number(text) * factor : null);
const people = [smallFleet.acme, smallFleet.olga];

/** As an importer takes them: received when they were recorded. */
function received(imei: string, at: number, fields: Partial<IncomingFrame>): IncomingFrame {
  return { ...noReport, imei, recordedAt: at, receivedAt: at, ...fields };
}

onEachEngine("a real trace through the whole pipeline", (engine) => {
  test("of a city's buses: of 11,071 rows each is stored once, in whatever order they come", async () => {
    const rows = readTrace("buses-2016-05-30.csv");
    if (rows === null) return;
    expect(rows).toHaveLength(11_071);
    const buses = [...new Set(rows.map(({ vehicle_id = "" }) => vehicle_id))];
    const devices = buses.map((bus, index) => device(100 + index, { name: `Bus ${bus}` }));
    const imeiOf = new Map(buses.map((bus, index) => [bus, devices[index]?.imei ?? ""]));
    const frames = rows.map((row) =>
      received(imeiOf.get(row.vehicle_id ?? "") ?? "", Date.parse(row.timestamp ?? ""), {
        latitude: number(row.latitude),
        longitude: number(row.longitude),
        speed_kmh: times(row.speed, 3.6),
      }),
    );
    const { database } = await engine.fresh();
    await load(database, [...people, ...devices]);
    const receipts = await take(database, [frames]);
    const duplicates = receipts.filter((receipt) => receipt === "duplicate").length;
    expect([receipts.length - duplicates, duplicates]).toEqual([7_314, 3_757]);
    const told = await derivedTables(database);
    expect(told.frames).toHaveLength(7_314);
    expect(told.frames.filter(({ valid }) => !valid)).toHaveLength(1);

    // The order is the fold's affair, not the store's.
    if (engine.name === "postgres") return;
    const other = await engine.fresh();
    await load(other.database, [...people, ...devices]);
    await take(other.database, [shuffled(frames, randomNumbers(seed))]);
    expect(differencesOf(told, await derivedTables(other.database))).toEqual([]);
    expect(await rederiveAll(other.database)).toMatchObject(nothingChanged);
  });

  test("of a car with 14 drives is 14 trips", async () => {
    const rows = readTrace("drives.csv");
    if (rows === null) return;
    const car = device(99, { name: "Car" });
    const frames = rows.map((row) =>
      received(car.imei, Date.parse(row.time_utc ?? ""), {
        latitude: number(row.gps_lat),
        longitude: number(row.gps_long),
        altitude_m: number(row.gps_elevation),
        heading_deg: number(row.gps_heading),
        fix: number(row.gps_fix) === 3,
        satellites: number(row.gps_sats),
        hdop: number(row.gps_hdop),
        speed_kmh: times(row.speed_mph, 1.609344),
        ignition: true,
      }),
    );
    const { database } = await engine.fresh();
    await load(database, [...people, car]);
    const late = frames.filter((_, index) => index % 9 === 0);
    await take(database, [frames.filter((frame) => !late.includes(frame)), shuffled(late, randomNumbers(seed))]);
    const { trips, frames: stored } = await derivedTables(database);
    expect(stored).toHaveLength(frames.length);
    const drives = Map.groupBy(rows, ({ drive = "" }) => drive);
    expect(drives.size).toBe(14);
    const parts = [...drives.values()].map((own) => {
      const [from, to] = [own[0], own.at(-1)].map((row) => Date.parse(row?.time_utc ?? ""));
      return trips.filter(({ started_at, ended_at }) => {
        const end = Number(ended_at ?? started_at);
        // A trip that is first seen away from its stop began up to a minute before.
        return Number(started_at) >= Number(from) - 60_000 && end <= Number(to);
      }).length;
    });
    expect(parts).toEqual(Array.from({ length: 14 }, () => 1));
    expect(trips).toHaveLength(14);
  });
});
