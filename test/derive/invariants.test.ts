import { expect, test } from "bun:test";
import { metresBetween } from "../../src/domain/geometry/distance.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { sql } from "../../src/store/sql.ts";
import { derivedFrom } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { batched, inOrder } from "../support/ingest-arrival.ts";
import { home, imeis, loadIngestFleet, newYear } from "../support/ingest-fleet.ts";
import { forgetFrames, newWriter, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomDrive, randomNumbers, shuffled } from "../support/random-drive.ts";
import { storedFrames } from "../support/stored-frames.ts";

const seed = announcedSeed("what holds for any frames");
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
    return database;
  });

  test("the latest position is that of the last valid frame, and goes back only if the one it showed is not valid any more", async () => {
    const database = shared();
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
    const tables = await derivedFrom(shared(), [shuffled(fleetOf(9), randomNumbers(seed))]);
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
