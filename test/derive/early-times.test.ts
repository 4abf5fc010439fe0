import { expect, test } from "bun:test";
import { receiveNow } from "../../src/derive/received-now.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { freshFleet, home, newYear, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, forgetFrames, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { noReport, randomNumbers, shuffled } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { changeFrames } from "../support/stored-frames.ts";

const seed = announcedSeed("times before 2015");
const minuteMs = 60_000;
const rolloverMs = 1024 * 7 * 86_400_000;
const may2009 = Date.UTC(2009, 4, 1);
const beginOf2005 = Date.UTC(2005, 0, 1);

/** A drive in 2009, a frame a minute. */
const drive = Array.from({ length: 20 }, (_, index): IncomingFrame => {
  const at = may2009 + index * minuteMs;
  const latitude = home.latitude + index * 0.005;
  return { ...noReport, imei: vanImei, recordedAt: at, receivedAt: at, ...home, latitude, speed_kmh: 33 };
});
/** The same frames, sent today. */
const sentAgain = drive.map((frame) => ({ ...frame, receivedAt: newYear }));

type Batch = readonly [frames: readonly IncomingFrame[], earliestMs?: number | undefined];

/** Each batch by a node that has just started. */
async function takeEach(database: Database, batches: readonly Batch[]): Promise<void> {
  const account = await accountNumber(database);
  for (const [frames, earliestMs] of batches) await newWriter(database).submit(account, frames, earliestMs);
}

onEachEngine("a drive from before 2015", (engine) => {
  test("is believed if its import says so, and stays believed whatever comes later or came before", async () => {
    const { database } = await freshFleet(engine);
    await takeEach(database, [[drive, beginOf2005]]);
    const wanted = await derivedTables(database);
    expect(wanted.frames.every(({ valid }) => Boolean(valid))).toBe(true);
    expect(wanted.trips).toHaveLength(1);

    const half = drive.slice(0, 10);
    const histories: readonly (readonly Batch[])[] = [
      [[drive, beginOf2005], [drive]],
      [[drive, beginOf2005], [sentAgain]],
      [[drive, beginOf2005], [sentAgain], [drive], [drive, beginOf2005]],
      [[drive], [drive, beginOf2005]],
      [[sentAgain], [drive, beginOf2005]],
      [[sentAgain], [drive, beginOf2005], [sentAgain]],
      [[half, beginOf2005], [sentAgain], [drive, beginOf2005]],
      [[[...sentAgain, ...drive], beginOf2005]],
    ];
    for (const history of histories) {
      await forgetFrames(database);
      await takeEach(database, history);
      expect(differencesOf(wanted, await derivedTables(database))).toEqual([]);
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
      const key = { accountId: await accountNumber(database), device: await deviceOf(database) };
      expect(await receiveNow(database, key, 0, newYear)).toBe(0);
    }
    // In any order and in any batches.
    for (let round = 0; round < rounds(1, 6); round++) {
      const random = randomNumbers(seed + round);
      const parts = [...drive, ...sentAgain, ...drive].map(
        (frame, index): Batch => [[frame], index < 20 ? beginOf2005 : undefined],
      );
      await forgetFrames(database);
      await takeEach(database, shuffled(parts, random));
      expect(differencesOf(wanted, await derivedTables(database))).toEqual([]);
    }
  });

  test("is believed if one of two senders vouches for it whose frames are stored at once", async () => {
    const { database } = await freshFleet(engine);
    const account = await accountNumber(database);
    await takeEach(database, [[drive, beginOf2005]]);
    const { trips } = await derivedTables(database);
    expect(trips).toHaveLength(1);
    for (const [one, other] of [
      [beginOf2005, undefined],
      [undefined, beginOf2005],
    ]) {
      await forgetFrames(database);
      const outcomes: unknown[] = [];
      const writer = newWriter(database, (seen) => {
        if (seen.kind === "frames_stored") outcomes.push([seen.accepted, seen.duplicate]);
      });
      // They share one transaction.
      await Promise.all([
        writer.submit(account, drive.slice(0, 1)),
        writer.submit(account, sentAgain, one),
        writer.submit(account, drive, other),
      ]);
      expect(outcomes).toEqual([[drive.length, drive.length + 1]]);
      expect((await derivedTables(database)).trips).toEqual(trips);
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    }
  });

  test("is not believed if nobody vouches for it, nor what is older than the date that is named", async () => {
    const { database } = await freshFleet(engine);
    for (const earliest of [undefined, may2009 + 20 * minuteMs]) {
      await forgetFrames(database);
      await takeEach(database, [[drive, earliest], [sentAgain]]);
      const { frames, trips } = await derivedTables(database);
      expect(frames.map(({ reject_reason }) => reject_reason)).toEqual(drive.map(() => "time_invalid"));
      expect(trips).toEqual([]);
    }
    await forgetFrames(database);
    await takeEach(database, [[drive, may2009 + 10 * minuteMs]]);
    const { frames } = await derivedTables(database);
    expect(frames.filter(({ valid }) => Boolean(valid))).toHaveLength(10);
  });
});

onEachEngine("a clock that is wrong", (engine) => {
  const frameAt = (recordedAt: number, receivedAt: number): IncomingFrame => ({
    ...noReport,
    imei: vanImei,
    recordedAt,
    receivedAt,
    ...home,
  });

  test("is given no invented date", async () => {
    const { database } = await freshFleet(engine);
    const starts = [0, 90_000, Date.UTC(1980, 0, 6), Date.UTC(2000, 0, 1), Date.UTC(2000, 0, 1, 0, 5)];
    await take(database, [starts.map((at) => frameAt(at, newYear))]);
    const { frames } = await derivedTables(database);
    expect(frames.map((row) => [row.recorded_at, row.reject_reason])).toEqual(starts.map((at) => [at, "time_invalid"]));
  });

  test("by one or two rollovers is repaired, and a day ahead is from the future", async () => {
    const { database } = await freshFleet(engine);
    const sent = [newYear - rolloverMs, newYear + minuteMs - 2 * rolloverMs, newYear + 86_400_000];
    await take(database, [sent.map((at) => frameAt(at, newYear + minuteMs))]);
    const { frames } = await derivedTables(database);
    expect(frames.map((row) => [row.recorded_at, row.reject_reason])).toEqual([
      [newYear, null],
      [newYear + minuteMs, null],
      [newYear + 86_400_000, "future_time"],
    ]);
  });

  test("that an earlier version gave an invented date is mended when the frame is sent again", async () => {
    const { database } = await freshFleet(engine);
    // 1.0.0 stored a frame of 1970 under 2009, and one of 200 days before its receipt, rolled over, as believed.
    const kept = frameAt(newYear, newYear + 1_000);
    const broken = [frameAt(90_000, newYear), frameAt(newYear - 200 * 86_400_000 - rolloverMs, newYear)];
    await take(database, [[kept, ...broken]]);
    const wanted = await derivedTables(database);
    for (const { recordedAt } of broken) {
      const at = Number(recordedAt);
      const count = at < 100_000 ? 2 : 1;
      await database.transaction((tx) =>
        changeFrames(tx, ({ frame, ...rest }) => ({
          ...rest,
          frame: frame.recordedAt === at ? { ...frame, recordedAt: at + count * rolloverMs } : frame,
        })),
      );
    }
    await take(database, [broken]);
    const mended = await derivedTables(database);
    const places = (tables: typeof wanted) => tables.frames.map((row) => [row.recorded_at, row.reject_reason]);
    expect(places(mended)).toEqual(places(wanted));
  });
});

async function deviceOf(database: Database): Promise<number> {
  const row = await database.get<{ device: number }>(sql`select device from device_folds`);
  return row?.device ?? 0;
}
