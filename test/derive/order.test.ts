import { expect, test } from "bun:test";
import { FrameQueue } from "../../src/intake/queue.ts";
import type { Observe } from "../../src/observe/observation.ts";
import { type DerivedTables, derivedFrom, derivedTables, differencesOf } from "../support/derived-tables.ts";
import { type EngineUnderTest, type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { arrivals, batched, inOrder, overtaking } from "../support/ingest-arrival.ts";
import { loadIngestFleet, randomFleet } from "../support/ingest-fleet.ts";
import { dirtyCount, forgetFrames, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";

const seed = announcedSeed("the order of frames");
const framesOfEach = rounds(200, 640);

function sharedFleet(engine: EngineUnderTest): () => { store: FreshDatabase; asInOrder: DerivedTables } {
  return engine.shared(async (store) => {
    await loadIngestFleet(store.database);
    await take(store.database, [inOrder(randomFleet(seed, framesOfEach))]);
    return { store, asInOrder: await derivedTables(store.database) };
  });
}

onEachEngine("what frames tell", (engine) => {
  const fleet = sharedFleet(engine);

  for (const [index, [how, arrive]] of Object.entries(arrivals).entries()) {
    // The order is the fold's affair: what is written in which steps is seen by every third.
    if (engine.name === "postgres" && index % rounds(3, 1) !== rounds(2, 0)) continue;
    test(`is the same when they come ${how}`, async () => {
      const { store, asInOrder } = fleet();
      const { database } = store;
      const random = randomNumbers(seed + index);
      expect(
        differencesOf(asInOrder, await derivedFrom(database, arrive(randomFleet(seed, framesOfEach), random))),
      ).toEqual([]);
      expect(await dirtyCount(database)).toBe(0);
      // From scratch: derived again from the first frame on, nothing is different.
      expect(await rederiveAll(database)).toMatchObject({ frames: 3 * framesOfEach, ...nothingChanged });
    });
  }

  test("is the same when the server is restarted again and again", async () => {
    const { store, asInOrder } = fleet();
    const { database } = store;
    const random = randomNumbers(seed + 100);
    await forgetFrames(database);
    const batches = batched(inOrder(randomFleet(seed, framesOfEach)), random, 60);
    // Each batch by a node that remembers nothing of those before.
    for (const batch of batches) await take(database, [batch], newWriter(database));
    expect(differencesOf(asInOrder, await derivedTables(database))).toEqual([]);
  });

  test("is derived at once where frames come a moment late, and goes on well after a restart", async () => {
    const { store, asInOrder } = fleet();
    const { database } = store;
    const random = randomNumbers(seed + 200);
    await forgetFrames(database);
    const batches = overtaking(batched(inOrder(randomFleet(seed, framesOfEach)), random, 6), random);
    let refolds = 0;
    const observe: Observe = ({ kind }) => {
      if (kind === "late_frames_refolded") refolds++;
    };
    // After a restart there are no recent frames, and what is kept in the store must be right.
    for (let begin = 0; begin < batches.length; begin += 50) {
      await take(database, batches.slice(begin, begin + 50), new FrameQueue(database, observe));
    }
    expect(differencesOf(asInOrder, await derivedTables(database))).toEqual([]);
    const comesLate = batches.flat().filter((frame, index, all) => {
      const before = all.slice(0, index).filter(({ imei }) => imei === frame.imei);
      return before.some(({ recordedAt }) => (recordedAt ?? 0) > (frame.recordedAt ?? 0));
    });
    expect(comesLate.length).toBeGreaterThan(50);
    expect(refolds).toBeLessThan(comesLate.length / 4);
  });

  test("is not changed by sending everything again", async () => {
    const { store, asInOrder } = fleet();
    const { database } = store;
    const frames = inOrder(randomFleet(seed, framesOfEach));
    await forgetFrames(database);
    await take(database, [frames]);
    const later = frames.map((frame) => ({ ...frame, receivedAt: frame.receivedAt + 86_400_000 }));
    const receipts = await take(database, [frames, later]);
    expect(new Set(receipts)).toEqual(new Set(["duplicate"]));
    expect(differencesOf(asInOrder, await derivedTables(database))).toEqual([]);
  });
});
