import { expect, test } from "bun:test";
import { noting } from "../support/altered.ts";
import { derivedFrom, derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { home, imeis, loadIngestFleet, newYear } from "../support/ingest-fleet.ts";
import { accountNumber, forgetFrames, newWriter, nothingChanged, rederiveAll } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomDrive, randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";

const seed = announcedSeed("nodes overtaking each other");

onEachEngine("nodes whose bodies overtake each other", (engine) => {
  const store = engine.shared(async ({ database }) => {
    await loadIngestFleet(database);
    return database;
  });

  test("derive what one node derives in order", async () => {
    const database = store();
    const account = await accountNumber(database);
    for (let round = 0; round < rounds(2, 20); round++) {
      const random = randomNumbers(seed + round);
      const frames = inOrder(
        imeis.flatMap((imei, index) =>
          randomDrive({ imei, seed: seed + 10 * round + index, count: 160, beginAt: newYear, ...home }),
        ),
      );
      await forgetFrames(database);
      const alone = await derivedFrom(database, [frames]);
      await forgetFrames(database);
      // Most are late by some bodies, some by far more.
      const reach = 4 + 60 * random() ** 3;
      const bodies = Array.from({ length: Math.ceil(frames.length / 9) }, (_, index) => ({
        place: index + reach * random(),
        frames: frames.slice(9 * index, 9 * (index + 1)),
      })).sort((one, other) => one.place - other.place);
      const nodes = [newWriter(database), newWriter(database), newWriter(database)];
      while (bodies.length > 0) {
        if (random() < 0.03) nodes[Math.floor(3 * random())] = newWriter(database);
        const atOnce = bodies.splice(0, 1 + Math.floor(4 * random()));
        await Promise.all(atOnce.map((body) => nodes[Math.floor(3 * random())]?.submit(account, body.frames)));
      }
      expect(differencesOf(alone, await derivedTables(database))).toEqual([]);
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    }
  });

  test("go on from what they know of before the late frames", async () => {
    const database = store();
    await forgetFrames(database);
    const account = await accountNumber(database);
    const drives = imeis.map((imei) => straightDrive({ imei, from: home, beginAt: newYear, minutes: 13, kmh: 50 }));
    const bodies = Array.from({ length: 78 }, (_, index) => drives.flatMap((drive) => drive[index] ?? []));
    const alone = await derivedFrom(database, bodies);
    await forgetFrames(database);
    const texts: string[] = [];
    const noted = noting(database, ({ text }) => texts.push(text));
    const [one, other] = [newWriter(noted), newWriter(noted)];
    // The second of each pair comes first, to the other node.
    for (let index = 0; index < bodies.length; index += 2) {
      texts.length = 0;
      await other.submit(account, bodies[index + 1] ?? []);
      await one.submit(account, bodies[index] ?? []);
      // Both know a state of before.
      if (index < 4) continue;
      expect(texts.filter((text) => text.includes("select") && text.includes("fold_checkpoints"))).toEqual([]);
    }
    expect(differencesOf(alone, await derivedTables(database))).toEqual([]);
  });
});
