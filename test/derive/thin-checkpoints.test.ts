import { expect, test } from "bun:test";
import { AccountContexts } from "../../src/derive/context.ts";
import { dropOldFrames } from "../../src/derive/upkeep/retention.ts";
import { thinOldCheckpoints } from "../../src/derive/upkeep/thin-checkpoints.ts";
import { dayMs, dayOf } from "../../src/domain/time/time.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database, Row } from "../../src/store/database.ts";
import type { DeviceKey } from "../../src/store/device-key.ts";
import { foundInEach } from "../../src/store/each-account.ts";
import {
  type CheckpointTotals,
  checkpointTable,
  saveTotals,
  thinCheckpoints,
} from "../../src/store/facts/checkpoints.ts";
import { foldedDevices } from "../../src/store/facts/folds.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { derivedFrom, derivedTables, differencesOf, withoutFrames } from "../support/derived-tables.ts";
import { afterCommits } from "../support/earlier-rules.ts";
import { onEachEngine } from "../support/engines.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { home, loadIngestFleet, newYear, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { forgetFrames, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomDrive, randomNumbers, shuffled } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { expectTrueCheckpointsOf } from "../support/true-checkpoints.ts";

const seed = announcedSeed("thinned checkpoints");
const hourMs = 3_600_000;
const days = 4;
/** So that all that the vehicles have sent is older than a week. */
const muchLater = newYear + (days + 20) * dayMs;
const never = new AbortController().signal;

/** Drives of an hour, each six hours after the one before. */
function drivesOf(imei: string): IncomingFrame[] {
  return Array.from({ length: days * 4 }, (_, index) => newYear + index * 6 * hourMs).flatMap((beginAt) =>
    straightDrive({ imei, from: home, beginAt, minutes: 60, kmh: 50, everyS: 20 }),
  );
}

/** Of a vehicle with regular drives, and of one with all faults. */
const history = [
  ...drivesOf(vanImei),
  ...randomDrive({ imei: truckImei, seed, count: 1_200, beginAt: newYear, ...home }),
].sort((one, other) => (one.recordedAt ?? 0) - (other.recordedAt ?? 0));

interface Place {
  readonly device: number;
  readonly recorded_at: number;
}

function checkpoints(database: Database): Promise<Place[]> {
  return database.all(sql`select device, recorded_at from fold_checkpoints order by device, recorded_at`);
}

/** The last checkpoint of each device and day before a moment, and all from it on. */
function thinned(places: readonly Place[], before: number): Place[] {
  return places.filter(({ device, recorded_at: at }, index) => {
    const next = places[index + 1];
    return at >= before || next?.device !== device || dayOf(next.recorded_at) !== dayOf(at);
  });
}

async function expectTrueCheckpoints(database: Database): Promise<void> {
  for (const key of await foundInEach(database, (account) => foldedDevices(database, account))) {
    const tracked = await (await new AccountContexts().of(database, key.accountId))?.byDevice(database, key.device);
    if (tracked) await expectTrueCheckpointsOf(database, tracked);
  }
}

onEachEngine("checkpoints that are older than a week", (engine) => {
  const filled = engine.copies(async ({ database }) => {
    await loadIngestFleet(database);
    return derivedFrom(database, [history]);
  });

  test("are thinned to the last of each day, once, and the newer ones stay", async () => {
    const { database } = await filled();
    const before = await checkpoints(database);
    const now = newYear + 9 * dayMs;
    await thinOldCheckpoints(database, now, never);
    const after = await checkpoints(database);
    expect(after).toEqual(thinned(before, dayOf(newYear + 2 * dayMs) * dayMs));
    expect(after.length).toBeLessThan(before.length - 5);
    const stored = await everyRow(database);
    await thinOldCheckpoints(database, now, never);
    expect(await everyRow(database)).toEqual(stored);
    await thinOldCheckpoints(database, muchLater, never);
    expect(await checkpoints(database)).toEqual(thinned(before, muchLater));
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });

  test("are thinned to the same in steps of any size", async () => {
    const { database } = await filled();
    const before = await checkpoints(database);
    const [key] = await foundInEach(database, (account) => foldedDevices(database, account));
    const { accountId, device } = key as DeviceKey;
    const own = before.filter((place) => place.device === device);
    // From just after one of them on, up to one of them.
    const [after = 0, until = 0] = [own[1]?.recorded_at, own.at(-3)?.recorded_at];
    const rows = await database.all<Row>(sql`select * from fold_checkpoints where device = ${device}`);
    const wanted = own.filter(({ recorded_at: at }, index) => {
      const next = own[index + 1]?.recorded_at ?? until;
      return at <= after || at >= until || next >= until || dayOf(next) !== dayOf(at);
    });
    for (const count of [2, 3, 7, 1_000]) {
      await database.transaction(async (tx) => {
        await tx.run(sql`delete from fold_checkpoints where device = ${device}`);
        await tx.insertMany(checkpointTable, rows);
        await tx.run(sql`update device_folds set thinned_until = 0 where device = ${device}`);
      });
      for (let left = 200, isDone = false; !isDone; left--) {
        expect(left).toBeGreaterThan(0);
        isDone = await database.transaction((tx) =>
          thinCheckpoints(tx, { accountId, device }, { after, before: until, count }),
        );
      }
      expect((await checkpoints(database)).filter((place) => place.device === device)).toEqual(wanted);
    }
    expect(wanted.length).toBeLessThan(own.length - 5);
  });

  test("are missed by nobody: late frames lead to what they lead to in order", async () => {
    const { database, prepared: inOrder } = await filled();
    await forgetFrames(database);
    const random = randomNumbers(seed);
    const late = new Set(history.filter(() => random() < rounds(18, 30) / history.length));
    await take(database, [history.filter((frame) => !late.has(frame))]);
    let queue = newWriter(database);
    for (const frame of shuffled([...late], random)) {
      if (random() < 0.5) await thinOldCheckpoints(database, muchLater, never);
      if (random() < 0.3) queue = newWriter(database);
      expect(await take(database, [[frame]], queue)).toEqual(["accepted"]);
    }
    expect(differencesOf(inOrder, await derivedTables(database))).toEqual([]);
    await expectTrueCheckpoints(database);
    // What late frames have brought back goes, too.
    await thinOldCheckpoints(database, muchLater, never);
    const left = await checkpoints(database);
    expect(left).toEqual(thinned(left, muchLater));
    await expectTrueCheckpoints(database);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });

  test("may go while another node derives from them", async () => {
    const { database, prepared: inOrder } = await filled();
    await forgetFrames(database);
    const random = randomNumbers(seed + 1);
    const late = shuffled(
      history.filter(() => random() < rounds(24, 40) / history.length),
      random,
    );
    await take(database, [history.filter((frame) => !late.includes(frame))]);
    const nodes = [newWriter(database), newWriter(database)] as const;
    let isUnderWay = true;
    const thinning = (async () => {
      while (isUnderWay) {
        await thinOldCheckpoints(database, muchLater, never);
        // SQLite answers at once: let the others have a turn.
        await new Promise((resume) => setImmediate(resume));
      }
    })();
    try {
      await Promise.all(
        nodes.map(async (node, index) => {
          for (const frame of late.filter((_, each) => each % 2 === index)) await take(database, [[frame]], node);
        }),
      );
    } finally {
      isUnderWay = false;
      await thinning;
    }
    expect(differencesOf(inOrder, await derivedTables(database))).toEqual([]);
    await expectTrueCheckpoints(database);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });

  test("may go between the reading and the writing of their totals", async () => {
    const { database } = await filled();
    const before = await database.all<CheckpointTotals & DeviceKey>(sql`
      select account_id as "accountId", device, recorded_at as "recordedAt", digest, totals_json as "totalsJson"
      from fold_checkpoints`);
    await thinOldCheckpoints(database, muchLater, never);
    const stored = await everyRow(database);
    await database.transaction((tx) => saveTotals(tx, before));
    expect(await everyRow(database)).toEqual(stored);
  });

  test("go on to be thinned after a stop in the midst", async () => {
    const { database } = await filled();
    const before = await checkpoints(database);
    const stop = new AbortController();
    await thinOldCheckpoints(
      afterCommits(database, async () => stop.abort()),
      muchLater,
      stop.signal,
    );
    const between = await checkpoints(database);
    expect(between.length).toBeLessThan(before.length);
    expect(between.length).toBeGreaterThan(thinned(before, muchLater).length);
    await thinOldCheckpoints(database, muchLater, never);
    expect(await checkpoints(database)).toEqual(thinned(before, muchLater));
  });

  // What they begin from is the fold's affair, not the store's.
  if (engine.name === "postgres") return;
  test("stay where older frames were dropped: there is nothing else to begin from", async () => {
    const { database, prepared } = await filled();
    const whole = withoutFrames(prepared);
    for (const isThinnedFirst of [false, true]) {
      await forgetFrames(database);
      const cut = newYear + 1.2 * dayMs;
      const isLate = (frame: IncomingFrame, index: number) => (frame.recordedAt ?? 0) > cut && index % 50 === 7;
      await take(database, [history.filter((frame, index) => !isLate(frame, index))]);
      if (isThinnedFirst) await thinOldCheckpoints(database, muchLater, never);
      expect(await dropOldFrames(database, cut)).toBeGreaterThan(100);
      await thinOldCheckpoints(database, muchLater, never);
      await take(database, [history.filter(isLate)]);
      await thinOldCheckpoints(database, muchLater, never);
      expect(differencesOf(whole, withoutFrames(await derivedTables(database)))).toEqual([]);
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    }
  });
});
