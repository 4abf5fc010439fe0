import { expect, test } from "bun:test";
import { metresBetween } from "../../src/domain/geometry/distance.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { sql } from "../../src/store/sql.ts";
import { type DerivedTables, derivedFrom } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { batched, inOrder } from "../support/ingest-arrival.ts";
import { home, imeis, loadIngestFleet, newYear } from "../support/ingest-fleet.ts";
import { forgetFrames, newWriter, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomDrive, randomNumbers, shuffled } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { storedFrames } from "../support/stored-frames.ts";

const seed = announcedSeed("what holds for any frames");
const roundCount = rounds(2, 6);
const dayMs = 86_400_000;

/** Over two days, so that something happens at midnight. */
function fleetOf(round: number): IncomingFrame[] {
  return imeis.flatMap((imei, index) =>
    randomDrive({ imei, seed: seed + round * 100 + index, count: 250, beginAt: newYear + dayMs / 2, ...home }),
  );
}

type Row = Readonly<Record<string, unknown>>;

function byDevice(rows: readonly Row[]): Map<unknown, Row[]> {
  return Map.groupBy(rows, ({ device }) => device);
}

onEachEngine("whatever the frames are", (engine) => {
  const shared = engine.shared(async ({ database }) => {
    await loadIngestFleet(database);
    const derived: DerivedTables[] = [];
    for (let round = 0; round < roundCount; round++) derived.push(await derivedFrom(database, [fleetOf(round)]));
    return { database, derived };
  });

  test("trips of a device never overlap, and only the last may be in progress", async () => {
    for (const tables of shared().derived) {
      expect(tables.trips.length).toBeGreaterThan(0);
      for (const trips of byDevice(tables.trips).values()) {
        for (const [index, trip] of trips.entries()) {
          const next = trips[index + 1];
          if (trip.ended_at === null) expect(next).toBeUndefined();
          else {
            expect(Number(trip.ended_at)).toBeGreaterThanOrEqual(Number(trip.started_at));
            if (next) expect(Number(next.started_at)).toBeGreaterThanOrEqual(Number(trip.ended_at));
          }
        }
      }
    }
  });

  test("a device enters and leaves each fence in turn", async () => {
    for (const tables of shared().derived) {
      const ways = Map.groupBy(tables.geofence_events, ({ device, geofence_id }) => `${device} ${geofence_id}`);
      for (const [way, events] of ways) {
        for (const [index, event] of events.entries()) {
          const before = events[index - 1];
          if (before) expect([way, event.event_type]).not.toEqual([way, before.event_type]);
        }
      }
    }
  });

  test("a day with a valid frame has one row of mileage, and no other has", async () => {
    for (const tables of shared().derived) {
      const seen = new Set(
        tables.frames
          .filter(({ valid }) => Boolean(valid))
          .map(({ device, recorded_at }) => `${device} ${Math.floor(Number(recorded_at) / dayMs)}`),
      );
      expect(tables.mileage_days.map(({ device, day }) => `${device} ${day}`).toSorted()).toEqual([...seen].toSorted());
      for (const day of tables.mileage_days) {
        expect(Number.isInteger(day.distance_mm) && Number(day.distance_mm) >= 0).toBe(true);
        expect(Number(day.gap_distance_mm)).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test("the latest position is that of the last valid frame, and goes back only if the one it showed is not valid any more", async () => {
    const database = shared().database;
    await forgetFrames(database);
    const random = randomNumbers(seed);
    const writer = newWriter(database);
    const frames = inOrder(fleetOf(7));
    // Nearly in order, as a network delivers.
    const jostled = frames
      .map((frame, index) => ({ frame, place: index + random() * 25 }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ frame }) => frame);
    const shown = new Map<unknown, number>();
    for (const batch of batched(jostled, random, 40)) {
      await take(database, [batch], writer);
      const latest = await database.all<{ device: number; recorded_at: number | null }>(
        sql`select device, recorded_at from latest_positions`,
      );
      const stored = byDevice((await storedFrames(database)).map((row): Row => ({ ...row })));
      for (const { device, recorded_at } of latest) {
        const own = stored.get(device) ?? [];
        expect(recorded_at).toBe((own.findLast(({ valid }) => valid)?.recorded_at as number | undefined) ?? null);
        const before = shown.get(device);
        if (recorded_at === null) continue;
        if (before !== undefined && recorded_at < before) {
          expect(own.filter((row) => row.recorded_at === before && !row.valid)).not.toEqual([]);
        }
        shown.set(device, recorded_at);
      }
    }
    expect(shown.size).toBe(imeis.length);
  });

  test("no position that is valid is far from both its valid neighbours by more than a vehicle can drive", async () => {
    const tables = await derivedFrom(shared().database, [shuffled(fleetOf(9), randomNumbers(seed))]);
    for (const frames of byDevice(tables.frames).values()) {
      const valid = frames.filter(({ valid }) => Boolean(valid));
      for (const [index, frame] of valid.entries()) {
        const before = valid[index - 1];
        if (before === undefined || frame.discontinuity) continue;
        const hours = (Number(frame.recorded_at) - Number(before.recorded_at)) / 3_600_000;
        // 250 km/h, 100 m, and what both say of their accuracy, which is at most 60 m.
        expect(metresBetween(placeOf(before), placeOf(frame))).toBeLessThanOrEqual(250_000 * hours + 100 + 120 + 1);
      }
    }
  });
});

function placeOf({ latitude, longitude }: Row) {
  return { latitude: Number(latitude ?? Number.NaN), longitude: Number(longitude ?? Number.NaN) };
}
