import { expect, test } from "bun:test";
import type { Observation } from "../../src/observe/observation.ts";
import { onEachEngine } from "../support/engines.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { loadIngestFleet, randomFleet } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";

const seed = announcedSeed("messages that come in together");

onEachEngine("messages that come in together", (engine) => {
  test("are stored in one transaction, the first of them, too", async () => {
    const store = await engine.fresh();
    await loadIngestFleet(store.database);
    const account = await accountNumber(store.database);
    const stored: Observation[] = [];
    const writer = newWriter(store.database, (observation) => stored.push(observation));
    const frames = inOrder(randomFleet(seed, 60));
    const outcomes = await Promise.all(frames.map((frame) => writer.submit(account, [frame])));
    expect(outcomes.flat()).toEqual(frames.map(() => "accepted"));
    expect(stored).toEqual([{ kind: "frames_stored", accepted: frames.length, duplicate: 0, refused: 0 }]);
  });
});
