import { expect, test } from "bun:test";
import { readTip } from "../../src/derive/base.ts";
import { AccountContexts, type TrackedContext } from "../../src/derive/context.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { foundInEach } from "../../src/store/each-account.ts";
import { foldedDevices } from "../../src/store/facts/folds.ts";
import { sql } from "../../src/store/sql.ts";
import { derivedFrom, derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { home, loadIngestFleet, newYear, vanImei } from "../support/ingest-fleet.ts";
import { forgetFrames, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomDrive, randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { expectTrueCheckpointsOf } from "../support/true-checkpoints.ts";

const seed = announcedSeed("late frames sent alone");
const hourMs = 3_600_000;

/** Three days of drives of half an hour, each two hours after the one before; the parked vehicle reports, too. */
function workingDays(): IncomingFrame[] {
  return Array.from({ length: 30 }, (_, index) => newYear + 6 * hourMs + index * 2.4 * hourMs).flatMap((beginAt) => {
    const drive = straightDrive({ imei: vanImei, from: home, beginAt, minutes: 30, kmh: 50, everyS: 30 });
    const last = drive.at(-1) as IncomingFrame;
    const parked = Array.from({ length: 10 }, (_, minute) => {
      const recordedAt = (last.recordedAt ?? 0) + (minute + 1) * 60_000;
      return { ...last, recordedAt, receivedAt: recordedAt + 1000, speed_kmh: 0, ignition: false };
    });
    return [...drive, ...parked];
  });
}

async function vanIn(database: Database): Promise<TrackedContext> {
  const [key] = await foundInEach(database, (account) => foldedDevices(database, account));
  const context = key && (await new AccountContexts().of(database, key.accountId));
  const van = key && (await context?.byDevice(database, key.device));
  if (!van) throw new Error("the van has no frames");
  return van;
}

async function expectTrueCheckpoints(database: Database): Promise<number> {
  return expectTrueCheckpointsOf(database, await vanIn(database));
}

onEachEngine("a late frame that is sent alone", (engine) => {
  const store = engine.shared(async ({ database }) => {
    await loadIngestFleet(database);
    return database;
  });

  const histories: readonly (readonly [string, () => IncomingFrame[]])[] = [
    ["of regular drives", workingDays],
    [
      "of a vehicle with all faults",
      () => randomDrive({ imei: vanImei, seed, count: 1_200, beginAt: newYear, ...home }),
    ],
  ];
  for (const [which, historyOf] of histories) {
    test(`${which} leads to what it leads to in order, and leaves every checkpoint true`, async () => {
      const database = store();
      const history = historyOf();
      const inOrder = await derivedFrom(database, [history]);
      await forgetFrames(database);
      const random = randomNumbers(seed);
      const late = new Set(history.filter(() => random() < rounds(15, 25) / history.length));
      let queue = newWriter(database);
      await take(database, [history.filter((frame) => !late.has(frame))], queue);
      for (const frame of [...late].sort(() => random() - 0.5)) {
        // Now and then the server has just been restarted, and holds nothing in memory.
        if (random() < 0.3) queue = newWriter(database);
        expect(await take(database, [[frame]], queue)).toEqual(["accepted"]);
      }
      expect(differencesOf(inOrder, await derivedTables(database))).toEqual([]);
      expect(await expectTrueCheckpoints(database)).toBeGreaterThan(5);
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    });
  }

  test("that left a checkpoint wrong is mended by deriving everything again", async () => {
    const database = store();
    await forgetFrames(database);
    await take(database, [workingDays()]);
    await database.transaction((tx) =>
      tx.run(sql`update fold_checkpoints set totals_json = (select min(totals_json) from fold_checkpoints)`),
    );
    await rederiveAll(database);
    expect(await expectTrueCheckpoints(database)).toBeGreaterThan(5);
  });

  test.each([
    ["alone", false],
    ["together with the newest one", true],
  ] as const)("has few frames derived again, however many came after it, %s", async (_, isWithNewest) => {
    const database = store();
    await forgetFrames(database);
    const history = workingDays();
    const late = history.splice(200, 1);
    if (isWithNewest) late.push(...history.splice(-1));
    let framesRun = 0;
    const queue = newWriter(database, (seen) => {
      if (seen.kind === "late_frames_refolded") framesRun += seen.frames;
    });
    await take(database, [history, late], queue);
    // From the checkpoint before it to the one after, and where its day ends.
    expect(framesRun).toBeLessThan(3 * 192);
    expect(framesRun).toBeLessThan(history.length / 2);
    const lastAt = Math.max(...[...history, ...late].map(({ recordedAt }) => recordedAt ?? 0));
    expect((await readTip(database, await vanIn(database), null)).state.place?.recordedAt).toBe(lastAt);
  });
});
