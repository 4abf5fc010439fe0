import { expect, test } from "bun:test";
import { dropOldFrames } from "../../src/derive/upkeep/retention.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { dropUntimelyFrames } from "../../src/store/upkeep/old-frames.ts";
import { altered } from "../support/altered.ts";
import { everyRow } from "../support/catalog.ts";
import { derivedFrom, derivedTables, differencesOf, withoutFrames } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { device, load } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { lastPlace, moved, straightDrive } from "../support/ingest-drive.ts";
import { freshFleet, home, loadIngestFleet, newYear, randomFleet, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, forgetFrames, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { noReport } from "../support/random-drive.ts";

const seed = announcedSeed("retention");
const count = 420;
const frames = inOrder(randomFleet(seed, count));
/** Somewhere in the second half of every drive. */
const cut = Math.min(
  ...[...Map.groupBy(frames, ({ imei }) => imei).values()].map((own) => own[count * 0.7]?.recordedAt ?? 0),
);
const isOld = (frame: IncomingFrame) => (frame.recordedAt ?? 0) < cut;

async function droppedUntil(database: Database): Promise<Map<string, number>> {
  const rows = await database.all<{ imei: string; dropped_until: number | null }>(sql`
    select d.imei, f.dropped_until from device_folds f
    join devices d on d.account_id = f.account_id and d.device = f.device`);
  return new Map(rows.map(({ imei, dropped_until }) => [imei, dropped_until ?? 0]));
}

onEachEngine("frames that are older than is kept", (engine) => {
  const filled = engine.copies(async ({ database }) => {
    await loadIngestFleet(database);
    return derivedFrom(database, [frames]);
  });

  test("go, and all that was derived from them stays, also when it is derived again", async () => {
    const { database, prepared: before } = await filled();
    const dropped = await dropOldFrames(database, cut);
    expect(dropped).toBeGreaterThan(0);
    const after = await derivedTables(database);
    expect(after.frames.length).toBe(before.frames.length - dropped);
    expect(differencesOf(withoutFrames(before), withoutFrames(after))).toEqual([]);
    // Only old ones went, and of those that stay each says what it said.
    const kept = new Set(after.frames.map((row) => JSON.stringify(row)));
    const gone = before.frames.filter((row) => !kept.has(JSON.stringify(row)));
    expect(gone).toHaveLength(dropped);
    expect(Math.max(...gone.map(({ recorded_at }) => Number(recorded_at)))).toBeLessThan(cut);

    expect(await dropOldFrames(database, cut)).toBe(0);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    expect(differencesOf(after, await derivedTables(database))).toEqual([]);
  });

  test("are missed by nobody: what comes afterwards, late or in time, gives what it would have given", async () => {
    const { database, prepared } = await filled();
    await forgetFrames(database);
    const late = frames.filter((frame, index) => !isOld(frame) && index % 5 === 0);
    const live = frames.filter((frame) => !late.includes(frame));
    const writer = newWriter(database);
    await take(database, [live.slice(0, -60)], writer);
    await dropOldFrames(database, cut);
    // Some by the node that remembers, some by one that has just started.
    await take(database, [live.slice(-60, -30), late.slice(0, late.length / 2)], writer);
    await take(database, [live.slice(-30), late.slice(late.length / 2)]);
    expect(differencesOf(withoutFrames(prepared), withoutFrames(await derivedTables(database)))).toEqual([]);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });

  test("go together if they are of one moment, and what follows is derived from a state after all of them", async () => {
    const { database } = await freshFleet(engine);
    const indoors = { ...noReport, imei: vanImei };
    const alarms = ["sos", "crash", "tampering"];
    // A state is kept after 128 frames, or as soon as it can be: not between these three.
    const sent = Array.from({ length: 140 }, (_, index): IncomingFrame => {
      const event = alarms[index - 126] ?? null;
      const recordedAt = newYear + (event === null ? index : 126) * 60_000;
      return { ...indoors, recordedAt, receivedAt: recordedAt, event };
    });
    await take(database, [sent]);
    expect((await derivedTables(database)).alerts).toHaveLength(alarms.length);
    expect(await dropOldFrames(database, newYear + 126 * 60_000 + 1)).toBe(129);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });

  test("are refused with the reason when they come again, and newer ones are not", async () => {
    const { database } = await filled();
    await dropOldFrames(database, cut);
    const until = await droppedUntil(database);
    expect(Math.max(...until.values())).toBeGreaterThan(0);
    const receipts = await take(database, [frames]);
    for (const [index, frame] of frames.entries()) {
      const isGone = (frame.recordedAt ?? 0) <= (until.get(frame.imei) ?? 0);
      const refused = { refused: "recorded_at: older than the frames that are kept" };
      expect(receipts[index]).toEqual(isGone ? refused : "duplicate");
    }
  });

  test("may have been in doubt when they went: what settles them changes no other frame, and brings none back", async () => {
    const { database } = await freshFleet(engine);
    // All the time under way, so that a state is kept every 256 frames.
    const slow = straightDrive({ imei: vanImei, from: home, beginAt: newYear, minutes: 260, kmh: 10, everyS: 60 });
    const astray = slow.map((frame, index) =>
      index === 255 ? { ...frame, ...moved(lastPlace([frame]), 4_000, 0), speed_kmh: null } : frame,
    );
    const lost = astray.map((frame, index) => (index === 256 ? { ...frame, fix: false } : frame));
    const place = astray[255]?.recordedAt ?? 0;
    for (const [sent, sentBefore] of [
      [astray, 261],
      [lost, 257],
    ] as const) {
      await forgetFrames(database);
      const writer = newWriter(database);
      await take(database, [sent.slice(0, sentBefore)], writer);
      expect(await dropOldFrames(database, place + 1)).toBe(256);
      // The frame astray was the last of which the state is kept: whether it is a spike was open.
      expect((await droppedUntil(database)).get(vanImei)).toBe(place);
      await take(database, [sent.slice(sentBefore)], writer);
      const left = await derivedTables(database);
      expect(left.frames.map(({ recorded_at }) => Number(recorded_at))).toEqual(
        sent.slice(256).map(({ recordedAt }) => Number(recordedAt)),
      );
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
      expect(differencesOf(left, await derivedTables(database))).toEqual([]);
    }
  });

  test("go by their receipt if their own time cannot be believed", async () => {
    const { database } = await freshFleet(engine);
    const odd = (recordedAt: number | null, receivedAt: number, altitude_m: number): IncomingFrame => ({
      ...noReport,
      imei: vanImei,
      recordedAt,
      receivedAt,
      ...home,
      altitude_m,
    });
    const hourMs = 3_600_000;
    await take(database, [
      [
        odd(null, newYear, 1),
        odd(newYear + 1000 * hourMs, newYear, 2),
        odd(newYear - 20_000 * hourMs, newYear, 3),
        odd(null, newYear + 2 * hourMs, 4),
        odd(newYear + 1000 * hourMs, newYear + 2 * hourMs, 5),
      ],
    ]);
    expect(await dropOldFrames(database, newYear + hourMs)).toBe(3);
    const left = (await derivedTables(database)).frames.map(({ received_at }) => received_at);
    expect(left).toEqual([newYear + 2 * hourMs, newYear + 2 * hourMs]);
  });

  test("stay as long as something must still be derived from them, up to the state that is to be kept", async () => {
    const { database } = await filled();
    const [base] = await database.all<{ device: number; at: number }>(sql`
      select device, max(recorded_at) as at from fold_checkpoints where recorded_at < ${cut} group by device
      order by device limit 1`);
    const { device: own, at } = base ?? { device: 0, at: 0 };
    // There may be no other before it.
    await database.transaction((tx) =>
      tx.run(sql`
        insert into fold_checkpoints (account_id, device, recorded_at, digest, state, totals_json)
        select account_id, device, recorded_at - 1, digest, state, totals_json from fold_checkpoints
        where device = ${own} and recorded_at = ${at}`),
    );
    const ofDevice = sql`select min(recorded_at) as first from fold_checkpoints where device = ${own}`;
    const before = await database.get<{ first: number }>(ofDevice);
    expect(before?.first).toBeLessThan(at);
    for (const [dirtyFrom, first] of [
      [at, before?.first ?? 0],
      [at + 1, at],
    ] as const) {
      await database.transaction((tx) =>
        tx.run(
          sql`update device_folds set dirty_from = ${dirtyFrom}, dirty_until = ${dirtyFrom} where device = ${own}`,
        ),
      );
      await dropOldFrames(database, cut);
      expect((await database.get<{ first: number }>(ofDevice))?.first).toBe(first);
    }
  });

  test("of no believable time go in steps of any size", async () => {
    const { database } = await freshFleet(engine);
    // Several of one receipt, so that steps end between them.
    const sent = Array.from({ length: 14 }, (_, index) => {
      const receivedAt = newYear + Math.floor(index / 4) * 1_000;
      return { ...noReport, imei: vanImei, recordedAt: null, receivedAt, ...home, altitude_m: index };
    });
    const accountId = await accountNumber(database);
    for (const size of [1, 2, 3, 5, 100]) {
      await forgetFrames(database);
      await take(database, [sent]);
      let dropped = 0;
      for (let left = 20; ; left--) {
        expect(left).toBeGreaterThan(0);
        const done = await database.transaction((tx) => dropUntimelyFrames(tx, accountId, newYear + 3_000, size));
        dropped += done.count;
        if (done.isDone) break;
      }
      expect(dropped).toBe(12);
      expect((await derivedTables(database)).frames).toHaveLength(2);
    }
  });

  test("cost nothing to look for: a pass that finds none changes nothing and holds nobody up", async () => {
    const { database } = await filled();
    await dropOldFrames(database, cut);
    const before = await everyRow(database);
    let transactions = 0;
    const counting = altered(database, {
      transaction: (work) => {
        transactions++;
        return database.transaction(work);
      },
    });
    expect(await dropOldFrames(counting, cut)).toBe(0);
    expect(transactions).toBe(0);
    expect(await everyRow(database)).toEqual(before);
  });

  test("go on to be dropped after a stop in the midst", async () => {
    const { database } = await freshFleet(engine);
    // More devices than one transaction drops frames of.
    const fleet = Array.from({ length: 20 }, (_, index) => device(100 + index));
    await load(database, fleet);
    const drives = fleet.map(({ imei }) =>
      straightDrive({ imei, from: home, beginAt: newYear, minutes: 60, kmh: 10, everyS: 60 }),
    );
    await take(database, drives);
    const before = newYear + 2 * 86_400_000;
    const whole = (await derivedTables(database)).frames.length;
    let dropped = 0;
    for (let passes = 0; ; passes++) {
      const stop = new AbortController();
      // Stops after the first transaction that drops something.
      const stopping = altered(database, {
        transaction: async (work) => {
          const done = await database.transaction(work);
          if (Array.isArray(done) && done.some(({ count }: { count: number }) => count > 0)) stop.abort();
          return done;
        },
      });
      const now = await dropOldFrames(stopping, before, stop.signal);
      dropped += now;
      if (now > 0) continue;
      expect(passes).toBeGreaterThan(2);
      break;
    }
    expect((await derivedTables(database)).frames.length).toBe(whole - dropped);
    expect(await dropOldFrames(database, before)).toBe(0);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });
});
