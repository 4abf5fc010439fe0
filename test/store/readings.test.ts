import { expect, test } from "bun:test";
import { sensorReadings } from "../../src/api/lists/sensor-readings.ts";
import { dropOldFrames } from "../../src/derive/upkeep/retention.ts";
import type { SensorReport } from "../../src/domain/frame.ts";
import { type Visibility, visibilityOf } from "../../src/domain/visibility.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { addAssignments } from "../../src/store/fleet/assignments.ts";
import { removeReadingsAt, saveReadings } from "../../src/store/frames/reading-writes.ts";
import { type ReadingRow, readingKey, type SensorKind } from "../../src/store/frames/readings.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { smallFleet } from "../support/fleet.ts";
import { home, imeis, loadIngestFleet, newYear } from "../support/ingest-fleet.ts";
import { accountNumber, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { momentsOf, type NaiveReading, naiveReadings, storedMoments, union } from "../support/naive-readings.ts";
import { noReport, randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { everyFrame } from "../support/stored-frames.ts";

const seed = announcedSeed("readings");
const kinds = ["fuel", "temperature", "tyre"] as const;
const everyMs = 10_000;
const framesPerDevice = rounds(150, 300);

type Random = () => number;

/** Frames of all devices, which report at the same moments, with all that a tracker may do. */
function someFrames(random: Random, beginAt = newYear): IncomingFrame[] {
  return Array.from({ length: framesPerDevice }, (_, step) =>
    imeis.flatMap((imei) => {
      const at = beginAt + step * everyMs;
      const one = frameAt(random, imei, at);
      // Several frames of one moment, and frames whose time is not believed.
      const twin = random() < 0.05 ? [{ ...frameAt(random, imei, at), altitude_m: 7 }] : [];
      const ahead = random() < 0.04 ? [{ ...frameAt(random, imei, at), recordedAt: at + 3_000 * 3_600_000 }] : [];
      return [one, ...twin, ...ahead];
    }),
  ).flat();
}

function frameAt(random: Random, imei: string, at: number): IncomingFrame {
  return {
    ...noReport,
    imei,
    recordedAt: at,
    receivedAt: at + Math.floor(random() * 3_000),
    latitude: home.latitude + random() / 1_000,
    longitude: home.longitude + random() / 1_000,
    satellites: random() < 0.1 ? 2 : 9,
    fix: random() < 0.1 ? false : null,
    sensors: random() < 0.15 ? [] : sensorsOf(random),
  };
}

function sensorsOf(random: Random): SensorReport[] {
  const value = () => (random() < 0.1 ? null : random() < 0.1 ? -0.0004 : random() * 90);
  const sensors: SensorReport[] = [];
  for (const sensor of ["tank_1", "Ärger", "\u{1F69A}", "￮"]) {
    if (random() < 0.4) sensors.push({ kind: "fuel", sensor, level_percent: value(), volume_l: value() });
    if (random() < 0.1) sensors.push({ kind: "temperature", sensor, temperature_c: value(), humidity_percent: null });
  }
  // Not many have it.
  if (random() < 0.02) {
    const place = { sensor: "axle_1_wheel_2", axle: 1, wheel: 2 };
    sensors.push({ kind: "tyre", ...place, pressure_kpa: value(), temperature_c: value() });
  }
  return sensors;
}

/** Some of them late, some sent again. */
function inBatches(random: Random, frames: readonly IncomingFrame[]): IncomingFrame[][] {
  const batches: IncomingFrame[][] = [];
  const late: IncomingFrame[] = [];
  for (let start = 0; start < frames.length; ) {
    const size = 1 + Math.floor(random() * 120);
    const batch: IncomingFrame[] = [];
    for (const frame of frames.slice(start, start + size)) {
      if (random() < 0.03) late.push(frame);
      else batch.push(frame);
      if (random() < 0.02) batch.push(frame);
    }
    batches.push(batch, ...(random() < 0.2 ? [late.splice(0)] : []));
    start += size;
  }
  return [...batches, late].filter((batch) => batch.length > 0);
}

interface World {
  readonly database: Database;
  readonly accountId: number;
  /** The owner, a sub-account that sees one device, one that sees two, and one that sees none. */
  readonly viewers: readonly { readonly visibility: Visibility; readonly devices: readonly number[] }[];
}

async function newWorld(database: Database): Promise<World> {
  await loadIngestFleet(database);
  const accountId = await accountNumber(database);
  const rows = await database.all<{ device: number; id: string }>(
    sql`select device, id from devices where account_id = ${accountId} order by device`,
  );
  const { olga, ann, bob } = smallFleet;
  const of = (id: string, role: "owner" | "sub_account") => visibilityOf({ accountId, id, role });
  await database.transaction(async (tx) => {
    await tx.run(sql`delete from assignments`);
    const seen = [[ann.id, rows.slice(0, 1)] as const, [bob.id, rows.slice(1, 3)] as const];
    for (const [user_id, own] of seen) {
      await addAssignments(
        tx,
        own.map(({ device, id }) => ({ account_id: accountId, user_id, device, id })),
        1,
      );
    }
  });
  const devices = rows.map(({ device }) => device);
  return {
    database,
    accountId,
    viewers: [
      { visibility: of(olga.id, "owner"), devices },
      { visibility: of(ann.id, "sub_account"), devices: devices.slice(0, 1) },
      { visibility: of(bob.id, "sub_account"), devices: devices.slice(1, 3) },
      { visibility: of("00000000-0000-4000-8000-000000000099", "sub_account"), devices: [] },
    ],
  };
}

function bare({ device_id: _, imei: __, tank_capacity_l: ___, ...row }: ReadingRow): NaiveReading {
  return row;
}

interface Window {
  readonly kind: SensorKind;
  readonly device: number | null;
  readonly fromMs: number;
  readonly toMs: number;
}

async function everyPage(database: Database, visibility: Visibility, window: Window, count: number) {
  const found: ReadingRow[] = [];
  for (let last: ReadingRow | undefined; ; ) {
    const after = last === undefined ? null : readingKey(last);
    const rows = await sensorReadings(database, visibility, { ...window, after, count });
    found.push(...rows);
    last = rows.at(-1);
    if (rows.length < count) return found.map(bare);
  }
}

/** Any pages of any viewer are the naive list, cut into pieces. */
async function expectLists({ database, viewers }: World, expected: readonly NaiveReading[], random: Random) {
  expect(await storedMoments(database)).toEqual(momentsOf(expected));
  const times = expected.map((row) => row.recorded_at);
  const [first = 0, last = 0] = [Math.min(...times), Math.max(...times)];
  for (const { visibility, devices } of viewers) {
    for (const kind of kinds) {
      const all = viewers[0]?.devices ?? [];
      for (const device of [null, all[Math.floor(random() * all.length)] ?? null]) {
        const isWhole = random() < 0.5;
        const fromMs = isWhole ? first : (times[Math.floor(random() * times.length)] ?? 0);
        const toMs = isWhole ? last + 1 : fromMs + 1 + Math.floor(random() * 100 * everyMs);
        const count = [1, 7, 101, 5_000][Math.floor(random() * (isWhole ? 2 : 4)) + (isWhole ? 2 : 0)] ?? 101;
        const window = { kind, device, fromMs, toMs };
        const wanted = expected.filter(
          (row) =>
            row.kind === kind &&
            devices.includes(row.device) &&
            (device === null || row.device === device) &&
            row.recorded_at >= fromMs &&
            row.recorded_at < toMs,
        );
        const context = `${visibility.sees} ${JSON.stringify({ ...window, count, seed })}`;
        const found = await everyPage(database, visibility, window, count);
        expect(found.length, context).toBe(wanted.length);
        expect(found, context).toEqual(wanted);
      }
    }
  }
}

onEachEngine("readings", (engine) => {
  test("are those of the frames, in any pages of any viewer, and outlive them", async () => {
    const random = randomNumbers(seed);
    const world = await newWorld((await engine.fresh()).database);
    const { database } = world;
    const frames = someFrames(random);
    await take(database, inBatches(random, frames));
    const all = await naiveReadings(database);
    expect(all.filter(({ kind }) => kind === "fuel").length).toBeGreaterThan(2.5 * framesPerDevice);
    await expectLists(world, all, random);

    const cut = newYear + Math.floor(framesPerDevice * (0.5 + random() / 2)) * everyMs;
    const dropped = await dropOldFrames(database, cut);
    expect(dropped).toBeGreaterThan(0);
    const left = await naiveReadings(database);
    expect(left.length).toBeLessThan(all.length);
    await expectLists(world, all, random);

    // New ones, and again some of no believable time that were dropped: their receipt counts, as for any frame.
    const later = someFrames(random, newYear + framesPerDevice * everyMs);
    const ahead = frames.filter(({ recordedAt }) => (recordedAt ?? 0) > newYear + 1_000 * 3_600_000).slice(0, 20);
    await take(database, [...inBatches(random, later), ahead.map((frame) => ({ ...frame, receivedAt: cut + 1 }))]);
    const both = union(all, await naiveReadings(database));
    await expectLists(world, both, random);
    // A day later, alone: a checkpoint cannot stand between frames of one time.
    const dayLater = newYear + 86_400_000;
    const alone = { fix: true, satellites: 9, sensors: [] };
    await take(database, [imeis.map((imei) => ({ ...frameAt(random, imei, dayLater), ...alone }))]);
    await dropOldFrames(database, dayLater + 60_000);
    expect(await everyFrame(database)).toEqual([]);
    await expectLists(world, both, random);
  });

  test("of a frame that leaves its place go, unless another frame of that moment has the kind", async () => {
    const { database, accountId, viewers } = await newWorld((await engine.fresh()).database);
    const [imei = ""] = imeis;
    const at = newYear;
    const fuel = { kind: "fuel", sensor: "tank", level_percent: 50, volume_l: null } as const;
    const warm = { kind: "temperature", sensor: "cargo", temperature_c: 4, humidity_percent: null } as const;
    const random = randomNumbers(seed);
    await take(database, [
      [
        { ...frameAt(random, imei, at), sensors: [fuel, warm] },
        { ...frameAt(random, imei, at), altitude_m: 7, sensors: [fuel] },
      ],
    ]);
    const device = viewers[0]?.devices[0] ?? 0;
    const key = { accountId, device };
    const stored = await everyFrame(database, key);
    const [both, one] = [2, 1].map((count) => stored.find(({ frame }) => frame.sensors.length === count)?.frame);
    if (both === undefined || one === undefined) throw new Error("a frame is missing");
    const removed = await database.transaction((tx) => removeReadingsAt(tx, key, [both]));
    expect(removed.map(({ sensors }) => sensors)).toEqual([[fuel, warm]]);
    expect(await storedMoments(database)).toEqual([`${device} ${at} 1`]);
    await database.transaction((tx) => saveReadings(tx, stored));
    await database.transaction((tx) => removeReadingsAt(tx, key, [one, both]));
    expect(await storedMoments(database)).toEqual([]);
  });
});
