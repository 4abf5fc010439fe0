import { expect, test } from "bun:test";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { frameDigest } from "../../src/store/blocks/frame-digest.ts";
import type { DeviceKey } from "../../src/store/device-key.ts";
import { foundInEach } from "../../src/store/each-account.ts";
import { factsCompleted, removeFacts, saveFacts } from "../../src/store/facts/facts.ts";
import { foldedDevices } from "../../src/store/facts/folds.ts";
import { sql } from "../../src/store/sql.ts";
import { derivedFrom } from "../support/derived-tables.ts";
import { afterCommits, asEarlierRules } from "../support/earlier-rules.ts";
import { onEachEngine } from "../support/engines.ts";
import { hourMs } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { lastPlace, moved, straightDrive } from "../support/ingest-drive.ts";
import { freshFleet, home, newYear, vanImei } from "../support/ingest-fleet.ts";
import { forgetFrames, newWriter, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { expectAsFromScratch, upgradeAll } from "../support/rules-upgrade.ts";

const seed = announcedSeed("newer rules and late frames");

onEachEngine("devices of earlier rules", (engine) => {
  test("go back to each frame that comes late meanwhile, and forget what was found since then", async () => {
    const { database } = await freshFleet(engine);
    const drive = Array.from({ length: 24 }, (_, index) => newYear + index * 2 * hourMs)
      .flatMap((beginAt) => straightDrive({ imei: vanImei, from: home, beginAt, minutes: 35, kmh: 70, everyS: 30 }))
      .map((frame, index) => (index % 40 === 20 ? { ...frame, event: "sos" } : frame));
    // An alert begins with it that began with the next frame, and the trip is a little longer.
    const alarmBefore = (index: number) => {
      const [before, after] = drive.slice(index - 1, index + 1) as [IncomingFrame, IncomingFrame];
      const recordedAt = (after.recordedAt ?? 0) - 20_000;
      return { ...before, recordedAt, ...moved(lastPlace([before]), 100, 0), event: "sos" };
    };
    const sortedBefore = (frame: IncomingFrame | undefined) =>
      Array.from({ length: 20 }, (_, altitude_m) => ({ ...(frame as IncomingFrame), event: "crash", altitude_m })).find(
        (other) => frameDigest(other) < frameDigest(frame as IncomingFrame),
      ) as IncomingFrame;
    const indexOfCheckpoint = async (frames: readonly IncomingFrame[], which: number) => {
      await forgetFrames(database);
      await take(database, [frames]);
      const all = await database.all<{ at: number }>(sql`select recorded_at as at from fold_checkpoints order by at`);
      return drive.findIndex(({ recordedAt }) => recordedAt === all.at(which)?.at);
    };
    const first = alarmBefore(20);
    // In order: one that goes back further would mend what those before it should have changed.
    const late = [
      first,
      // Just before a checkpoint that is derived again by then.
      sortedBefore(drive[await indexOfCheckpoint(inOrder([...drive, first]), 2)]),
      // Where checkpoints are still of earlier rules.
      alarmBefore(1500),
      // Just before the last frame of the last part.
      sortedBefore(drive[(await indexOfCheckpoint(drive, -1)) - 1]),
    ];
    const wanted = await derivedFrom(database, [inOrder([...drive, ...late])]);
    const [van] = await foundInEach(database, (account) => foldedDevices(database, account));
    const factsNow = () => factsCompleted(database, van as DeviceKey, { from: 0, until: null });
    const facts = await factsNow();

    await forgetFrames(database);
    await take(database, [drive]);
    await asEarlierRules(database, randomNumbers(seed));
    // What there is to change before a late frame has come is wrong once it has.
    await database.transaction(async (tx) => {
      await removeFacts(tx, await factsNow());
      await saveFacts(tx, facts);
    });
    const writer = newWriter(database);
    let commits = 0;
    await upgradeAll(
      afterCommits(database, async () => {
        // In every other commit a part is saved: then comes the next, which has it go back.
        if (++commits % 2 === 0) await take(database, [late.splice(0, 1)], writer);
      }),
    );
    expect([late, commits]).toEqual([[], 11]);
    await expectAsFromScratch(database, wanted);
  });
});
