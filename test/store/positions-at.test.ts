import { expect, test } from "bun:test";
import fc from "fast-check";
import { positionsAt, positionsNear } from "../../src/api/lists/positions-at.ts";
import { compareFrames } from "../../src/domain/frame.ts";
import { metresBetween } from "../../src/domain/geometry/distance.ts";
import { withTag } from "../../src/domain/visibility.ts";
import { mergedFrames, type StoredFrame } from "../../src/store/blocks/stored-frame.ts";
import type { PositionsAtPage } from "../../src/store/frames/positions-at.ts";
import { plainSql } from "../../src/store/sql.ts";
import { anyFrame, ordinary, timelyVerdicts, verdicts } from "../support/any-frame.ts";
import { onEachEngine } from "../support/engines.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { Seed } from "../support/seed.ts";
import { frameTables, putFrames } from "../support/stored-frames.ts";

const seed = announcedSeed("positions at a time");
const begin = Date.UTC(2026, 0, 1);
const span = 300;
const time = fc.integer({ min: 0, max: span }).map((step) => begin + step * 1000);

/** Of each device another kind of history: hardly a valid frame, many of one time, few, none. */
const kinds = [
  anyFrame(ordinary, verdicts, time),
  anyFrame(ordinary, timelyVerdicts, time),
  anyFrame(ordinary, verdicts.slice(5), time),
  anyFrame(ordinary, verdicts, fc.constant(begin + 100_000)),
] as const;
const counts = [300, 500, 400, 200, 3, 0, 0, 40] as const;

onEachEngine("the positions at a time", (engine) => {
  const fleet = new Seed();
  const acme = fleet.account();
  const owner = fleet.user(acme, { role: "owner" });
  const anna = fleet.user(acme);
  const devices = counts.map((_, index) =>
    fleet.device(acme, { tags_json: index % 3 === 0 ? '["cold"]' : '["a\\"cold"]', seenBy: index % 2 ? [anna] : [] }),
  );
  const foreign = fleet.device(fleet.account());
  const shared = engine.shared(async ({ database }) => {
    await fleet.save(database);
    return database;
  });
  const frames = [...devices, foreign].map((device, index) => ({
    ...device,
    // A frame that is there twice is stored once, with its last verdict.
    frames: mergedFrames([
      fc.sample(kinds[index % kinds.length] ?? kinds[0], { seed: seed + index, numRuns: counts[index] ?? 100 }),
    ]),
  }));

  /** What should be found, worked out from the list of all frames. */
  function expected({ atMs, earliestMs }: PositionsAtPage, tag: string | null, sees: (index: number) => boolean) {
    return frames
      .slice(0, devices.length)
      .filter((_, index) => sees(index) && (tag === null || (tag === "cold" && index % 3 === 0)))
      .flatMap(({ id, frames: own }) => {
        const last = own
          .filter(({ frame, verdict }) => verdict.valid && frame.recordedAt <= atMs && frame.recordedAt >= earliestMs)
          .toSorted((one, other) => compareFrames(one.frame, other.frame))
          .at(-1);
        return last === undefined ? [] : [{ device_id: id, stored: last }];
      })
      .toSorted((one, other) => (one.device_id < other.device_id ? -1 : 1));
  }

  const placeOfFrame = ({ frame: { recordedAt, digest } }: StoredFrame) => ({ recordedAt, digest });

  test("are the last valid frames of a list, in blocks and rows, for each viewer, on pages and by distance", async () => {
    const database = shared();
    const random = randomNumbers(seed);
    const below = (count: number) => Math.floor(random() * count);
    for (let spread = 1; spread <= rounds(2, 6); spread++) {
      await database.transaction(async (tx) => {
        for (const table of frameTables) await tx.run(plainSql(`delete from ${table}`));
        for (const { account_id, device, frames: own } of frames) {
          const keyed = own.map((stored) => ({ ...stored, accountId: account_id, device }));
          await putFrames(tx, keyed, seed + spread + device);
        }
      });
      for (let round = 0; round < 25; round++) {
        const atMs = begin + below(span + 20) * 1000 + below(2) * 500;
        const earliestMs = atMs - below(4) * below(200) * 1000;
        const tag = [null, "cold", "none", "\u0000"][below(4)] ?? null;
        const whole = { device: null, atMs, earliestMs };
        const viewer = round % 2 ? owner : anna;
        const visibility = withTag(viewer.visibility, tag);
        const all = { ...whole, after: null, count: 500 };
        const wanted = expected(all, tag, (index) => viewer === owner || index % 2 === 1);
        const rows = await positionsAt(database, visibility, all);
        expect(rows.map(({ device_id, frame }) => ({ device_id, ...placeOfFrame(frame.stored()) }))).toEqual(
          wanted.map(({ device_id, stored }) => ({ device_id, ...placeOfFrame(stored) })),
        );
        expect(rows.map(({ age_ms }) => age_ms)).toEqual(wanted.map(({ stored }) => atMs - stored.frame.recordedAt));

        const count = 1 + below(3);
        const paged: string[] = [];
        for (let after: string | null = null; ; ) {
          const page = await positionsAt(database, visibility, { ...whole, after, count });
          paged.push(...page.map(({ device_id }) => device_id));
          after = page.at(-1)?.device_id ?? null;
          if (page.length < count) break;
        }
        expect(paged).toEqual(wanted.map(({ device_id }) => device_id));

        const place = { latitude: 52.5, longitude: 13.4 };
        const radiusMetres = below(2) ? null : 1 + below(10_000_000);
        const near = await positionsNear(database, visibility, { ...all, count }, { place, radiusMetres });
        const byDistance = wanted
          .flatMap(({ device_id, stored: { frame } }) => {
            const { latitude, longitude } = frame;
            if (latitude === null || longitude === null) return [];
            const distance_m = Math.round(metresBetween(place, { latitude, longitude }) * 10) / 10;
            return [{ device_id, distance_m }];
          })
          .filter(({ distance_m }) => radiusMetres === null || distance_m <= radiusMetres)
          .toSorted((one, other) => one.distance_m - other.distance_m || (one.device_id < other.device_id ? -1 : 1));
        expect(near.map(({ device_id, distance_m }) => ({ device_id, distance_m }))).toEqual(
          byDistance.slice(0, count),
        );
      }
    }
  });
});
