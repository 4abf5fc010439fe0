import { expect, test } from "bun:test";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { type DerivedTables, derivedFrom, derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { lastPlace, moved, straightDrive, type Waypoint } from "../support/ingest-drive.ts";
import { home, loadIngestFleet, newYear, vanImei } from "../support/ingest-fleet.ts";
import { forgetFrames, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers, shuffled } from "../support/random-drive.ts";

const seed = announcedSeed("journeys");
const minuteMs = 60_000;
const imei = vanImei;

function drive(minutes: number, options: { from?: Waypoint; beginAt?: number; kmh?: number } = {}): IncomingFrame[] {
  return straightDrive({ imei, from: home, beginAt: newYear, minutes, kmh: 60, ...options });
}

function endOf(frames: readonly IncomingFrame[]): number {
  return frames.at(-1)?.recordedAt ?? newYear;
}

function reasons({ frames }: DerivedTables): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reject_reason, discontinuity } of frames) {
    const word = String(reject_reason ?? (discontinuity ? "discontinuity" : "valid"));
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}

const kilometres = (rows: readonly Readonly<Record<string, unknown>>[], column = "distance_mm") =>
  rows.reduce((sum, row) => sum + Number(row[column]), 0) / 1e6;

/** What the frames tell, which is held to be the same when they come in random order. */
function deriver(store: () => Database): (frames: readonly IncomingFrame[]) => Promise<DerivedTables> {
  return async (frames) => {
    const database = store();
    const told = await derivedFrom(database, [frames]);
    await forgetFrames(database);
    const mixed = shuffled(frames, randomNumbers(seed));
    await take(database, [mixed.slice(0, frames.length / 2), mixed.slice(frames.length / 2)]);
    expect(differencesOf(told, await derivedTables(database))).toEqual([]);
    return told;
  };
}

onEachEngine("a journey", (engine) => {
  const store = engine.shared(async ({ database }) => {
    await loadIngestFleet(database);
    return database;
  });
  const derive = deriver(store);

  test("with spikes is what it is without them", async () => {
    const frames = drive(30);
    const plain = await derive(frames);
    const random = randomNumbers(seed + 1);
    const spikes = frames
      .filter((_, index) => index % 17 === 8)
      .map((frame) => ({
        ...frame,
        ...moved(lastPlace([frame]), (random() < 0.5 ? -1 : 1) * (2_000 + random() * 90_000), 3_000),
        recordedAt: (frame.recordedAt ?? 0) + 5_000,
        receivedAt: frame.receivedAt + 5_000,
      }));
    const told = await derive([...frames, ...spikes]);
    expect(reasons(told).valid).toBe(frames.length);
    expect(kilometres(told.trips)).toBe(kilometres(plain.trips));
    expect(told.mileage_days.map((day) => day.distance_mm)).toEqual(plain.mileage_days.map((day) => day.distance_mm));
    expect(told.geofence_events).toEqual(plain.geofence_events);
    expect(told.trips.map(({ id, position_count }) => [id, position_count])).toEqual(
      plain.trips.map(({ id, position_count }) => [id, position_count]),
    );
  });

  test.each([
    [50, 5],
    [1_500, 60],
    [9_000, 600],
  ])("that goes on %d km away after %d minutes is believed, and adds none of these kilometres", async (km, minutes) => {
    const first = drive(20);
    // South of where it was: there is room for 9,000 km.
    const there = moved(lastPlace(first), -km * 1000, 0);
    const second = drive(20, { from: there, beginAt: endOf(first) + minutes * minuteMs });
    const told = await derive([...first, ...second]);
    expect(reasons(told)).toEqual({ valid: first.length + second.length - 1, discontinuity: 1 });
    expect(told.trips.map(({ end_reason }) => end_reason)).toEqual(["discontinuity", null]);
    expect(kilometres(told.mileage_days)).toBeCloseTo(20 + 20, 0);
    expect(kilometres(told.trips)).toBeCloseTo(20 + 20, 0);
    expect(told.latest_positions[0]?.recorded_at).toBe(endOf(second));
  });

  test("of a tracker that alternates with a place it remembers is what it is without that place", async () => {
    const frames = drive(30);
    const cached = moved(home, 60_000, -40_000);
    const stale = frames
      .filter((_, index) => index > 2)
      .map((frame) => ({
        ...frame,
        ...cached,
        speed_kmh: null,
        recordedAt: (frame.recordedAt ?? 0) + 4_000,
        receivedAt: frame.receivedAt + 4_000,
      }));
    const [plain, told] = [await derive(frames), await derive([...frames, ...stale])];
    expect(told.trips.map(({ id, distance_mm }) => [id, distance_mm])).toEqual(
      plain.trips.map(({ id, distance_mm }) => [id, distance_mm]),
    );
    expect(reasons(told).valid).toBe(frames.length);
    expect(told.geofence_events).toEqual(plain.geofence_events);
  });

  test("with a gap over midnight is one trip, and each day has its share of the gap", async () => {
    const midnight = Date.UTC(2026, 0, 2);
    const evening = drive(30, { beginAt: midnight - 40 * minuteMs });
    // Ten minutes before midnight it falls silent, and twenty after it is 40 km further.
    const morning = drive(30, { from: moved(lastPlace(evening), 0, 40_000), beginAt: midnight + 20 * minuteMs });
    const told = await derive([...evening, ...morning]);
    expect(told.trips.map(({ has_gap, ended_at }) => [Boolean(has_gap), ended_at])).toEqual([[true, null]]);
    const [first, second, ...more] = told.mileage_days;
    expect(more).toEqual([]);
    expect(Number(first?.gap_distance_mm) / 1e6).toBeCloseTo(40 / 3, 1);
    expect(Number(second?.gap_distance_mm) / 1e6).toBeCloseTo((40 * 2) / 3, 1);
    expect(kilometres(told.mileage_days)).toBeCloseTo(kilometres(told.trips), 5);
    expect(kilometres(told.mileage_days)).toBeCloseTo(30 + 30 + 40, 0);
  });

  test("that ends with its last frame has ended, though the engine may yet start again", async () => {
    const under = drive(20);
    const off = { ...drive(21).at(-1), ignition: false, speed_kmh: 0 } as IncomingFrame;
    const told = await derive([...under, off]);
    expect(told.trips).toMatchObject([{ ended_at: off.recordedAt, end_reason: "ignition_off" }]);
    await forgetFrames(store());
    await take(store(), [under, [off]]);
    expect(differencesOf(told, await derivedTables(store()))).toEqual([]);
  });

  test("of a parked vehicle whose position drifts is none", async () => {
    const random = randomNumbers(seed + 2);
    const parked = drive(240, { kmh: 0 }).map((frame) => ({
      ...frame,
      ...moved(home, (random() - 0.5) * 30, (random() - 0.5) * 30),
      ignition: false,
    }));
    const told = await derive(parked);
    expect([told.trips.length, kilometres(told.mileage_days), told.geofence_events.length]).toEqual([0, 0, 0]);
  });
});
