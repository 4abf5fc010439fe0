import { expect, test } from "bun:test";
import type { FrameOutcome } from "../../src/derive/plan.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { batched, inOrder } from "../support/ingest-arrival.ts";
import { loadIngestFleet, randomFleet } from "../support/ingest-fleet.ts";
import {
  accountNumber,
  dirtyCount,
  forgetFrames,
  newWriter,
  nothingChanged,
  rederiveAll,
  take,
} from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers, shuffled } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";

const seed = announcedSeed("several nodes");
const roundCount = rounds(1, 4);
const framesOfEach = 150;
const framesInTurn = 60;

/** Who gets what: each frame goes to one node or another, a fifth of them to several, and a tenth comes late. */
function shareOut(frames: readonly IncomingFrame[], nodes: number, random: () => number): IncomingFrame[][][] {
  const late = new Set(frames.filter(() => random() < 0.1));
  const live = inOrder(frames).filter((frame) => !late.has(frame));
  const shares: IncomingFrame[][] = Array.from({ length: nodes }, () => []);
  for (const frame of [...live, ...shuffled([...late], random)]) {
    const first = Math.floor(random() * nodes);
    for (let node = 0; node < nodes; node++) if (node === first || random() < 0.2) shares[node]?.push(frame);
  }
  return shares.map((share) => batched(share, random, 30));
}

onEachEngine("several nodes on one store", (engine) => {
  // SQLite is a file of one server.
  if (engine.name === "sqlite") return;

  test("that get frames of the same devices at once come to what one node comes to, and lose none", async () => {
    const store = await engine.fresh();
    await loadIngestFleet(store.database);
    const account = await accountNumber(store.database);
    const nodes = [await store.open(), await store.open(), await store.open()];
    for (let round = 0; round < roundCount; round++) {
      const frames = randomFleet(seed + round, framesOfEach);
      await forgetFrames(store.database);
      await take(store.database, [inOrder(frames)]);
      const alone = await derivedTables(store.database);
      await forgetFrames(store.database);

      const random = randomNumbers(seed + round);
      const first = inOrder(frames);
      const last = first.splice(-framesInTurn);
      const shares = shareOut(first, nodes.length, random);
      const receipts: FrameOutcome[] = [];
      const writers = nodes.map((database) => newWriter(database));
      await Promise.all(
        writers.map(async (writer, node) => {
          // Two senders to each node, so that submissions share transactions, too.
          const [even, odd] = [0, 1].map((rest) => shares[node]?.filter((_, index) => index % 2 === rest) ?? []);
          await Promise.all(
            [even, odd].map(async (batches) => {
              for (const batch of batches ?? []) receipts.push(...(await writer.submit(account, batch)));
            }),
          );
          await writer.schedule.deriveLeft();
        }),
      );
      // Then one after the other: nothing is late any more that would mend what a node makes of a state that is out of date.
      for (const frame of last) {
        const writer = writers[Math.floor(random() * nodes.length)];
        receipts.push(...((await writer?.submit(account, [frame])) ?? []));
      }
      expect(receipts.filter((receipt) => receipt === "accepted")).toHaveLength(frames.length);
      expect(receipts.filter((receipt) => typeof receipt === "object")).toEqual([]);
      expect(await dirtyCount(store.database)).toBe(0);
      expect(differencesOf(alone, await derivedTables(store.database))).toEqual([]);
      expect(await rederiveAll(store.database)).toMatchObject(nothingChanged);
    }
  });

  test("that get a device's very first frames at once store each of them once", async () => {
    const store = await engine.fresh();
    await loadIngestFleet(store.database);
    const account = await accountNumber(store.database);
    const frames = randomFleet(seed, 40);
    await take(store.database, [inOrder(frames)]);
    const alone = await derivedTables(store.database);
    const nodes = [await store.open(), await store.open(), await store.open()];
    for (let round = 0; round < 5; round++) {
      await forgetFrames(store.database);
      const random = randomNumbers(seed + round);
      const writers = nodes.map((database) => newWriter(database));
      const receipts = await Promise.all(writers.map((writer) => writer.submit(account, shuffled(frames, random))));
      expect(receipts.flat().filter((receipt) => receipt === "accepted")).toHaveLength(frames.length);
      for (const writer of writers) await writer.schedule.deriveLeft();
      expect(differencesOf(alone, await derivedTables(store.database))).toEqual([]);
    }
  });
});
