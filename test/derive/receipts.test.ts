import { expect, test } from "bun:test";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { sql } from "../../src/store/sql.ts";
import { type DerivedTables, derivedFrom, derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { batched, inOrder } from "../support/ingest-arrival.ts";
import { freshFleet, newYear, randomFleet, vanFrame, vanImei } from "../support/ingest-fleet.ts";
import { dirtyCount, forgetFrames, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { randomNumbers, shuffled } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const rolloverMs = 1024 * 7 * dayMs;
const seed = announcedSeed("receipts that differ");

onEachEngine("of several receipts of one frame", (engine) => {
  test("what a slow clock made of a drive is mended by sending it again, and by nothing else", async () => {
    const { database } = await freshFleet(engine);
    const drive = inOrder(randomFleet(seed, 150));
    const slow = drive.map((frame) => ({ ...frame, receivedAt: frame.receivedAt - hourMs }));
    await take(database, [drive]);
    const wanted = withoutReceipts(await derivedTables(database));

    await forgetFrames(database);
    expect(new Set(await take(database, [slow]))).toEqual(new Set(["accepted"]));
    expect((await derivedTables(database)).trips).toEqual([]);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);

    // The sender has not sent anything new.
    expect(new Set(await take(database, batched(drive, randomNumbers(seed), 40)))).toEqual(new Set(["duplicate"]));
    const mended = await derivedTables(database);
    expect(mended.trips.length).toBeGreaterThan(0);
    expect(differencesOf(wanted, withoutReceipts(mended))).toEqual([]);
    expect(mended.frames.map(({ received_at }) => Number(received_at)).toSorted()).toEqual(
      slow.map(({ receivedAt }) => receivedAt).toSorted(),
    );
    expect(await rederiveAll(database)).toMatchObject({ frames: drive.length, ...nothingChanged });
    // From here on it goes on as ever: nothing of it is late.
    const refolds: unknown[] = [];
    const last = drive.findLast(({ imei }) => imei === vanImei)?.recordedAt ?? newYear;
    const writer = newWriter(database, (seen) => refolds.push(...(seen.kind === "late_frames_refolded" ? [seen] : [])));
    await take(database, [[vanFrame(last + minuteMs)], [vanFrame(last + 2 * minuteMs)]], writer);
    expect(refolds).toEqual([]);
  });

  test("a frame sent again costs no write once it is believed", async () => {
    const { database } = await freshFleet(engine);
    const frame = vanFrame(newYear, { receivedAt: newYear - hourMs });
    const received = (afterMs: number) => [{ ...frame, receivedAt: newYear + afterMs }];
    await take(database, [[frame], received(2_000)]);
    const before = await database.all(sql`select * from device_folds`);
    await take(database, [received(3_000), received(dayMs), received(1_000 * dayMs)]);
    expect(await database.all(sql`select * from device_folds`)).toEqual(before);
  });
});

/** What is derived of them is the fold's affair, not the store's. */
onOneEngine("of several receipts of one frame, in whatever order", (engine) => {
  test("the tables are the same, in whatever batches and numbers they come", async () => {
    const { database } = await freshFleet(engine);
    for (let round = 0; round < rounds(1, 3); round++) {
      const random = randomNumbers(seed + round);
      const frames = randomFleet(seed + round, 60);
      const pairs = frames.flatMap((frame) => receivedBySeveralClocks(frame, random));
      const together = await derivedFrom(database, [pairs]);
      expect(together.frames).toHaveLength(frames.length);
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
      const again = pairs.filter(() => random() < 0.3);
      for (const batches of [
        batched(shuffled([...pairs, ...again], random), random, 50),
        batched(shuffled(pairs, random), random, 12),
        batched(
          pairs.toSorted((one, other) => one.receivedAt - other.receivedAt),
          random,
          30,
        ),
        batched(
          pairs.toSorted((one, other) => other.receivedAt - one.receivedAt),
          random,
          30,
        ),
      ]) {
        expect(differencesOf(together, await derivedFrom(database, batches))).toEqual([]);
        expect(await dirtyCount(database)).toBe(0);
        expect(await rederiveAll(database)).toMatchObject(nothingChanged);
      }
    }
  });

  test("the first is shown, and any may make the frame's time believable", async () => {
    const { database } = await freshFleet(engine);
    const around = [vanFrame(newYear), vanFrame(newYear + minuteMs)];
    const ahead = vanFrame(newYear + 2 * minuteMs, {
      sensors: [{ kind: "fuel", sensor: "tank_1", level_percent: 50, volume_l: null }],
    });
    // Ten minutes before its own time, in its time, and so long after that it is too old.
    const receipts = [-10 * minuteMs, 2_000, 401 * dayMs].map((afterMs) => ({
      ...ahead,
      receivedAt: newYear + 2 * minuteMs + afterMs,
    }));
    const later = vanFrame(newYear + 3 * minuteMs);
    const [early, timely, tooLate] = receipts;
    for (const { sent, believed } of [
      { sent: receipts, believed: true },
      { sent: [timely, tooLate], believed: true },
      { sent: [early, timely], believed: true },
      // By the first it is not too old, by the other not from the future.
      { sent: [early, tooLate], believed: true },
      { sent: [early], believed: false },
      { sent: [tooLate], believed: false },
    ]) {
      const arrived = sent.filter((frame) => frame !== undefined);
      const together = await derivedFrom(database, [[...around, ...arrived, later]]);
      expect(together.frames.filter((row) => Boolean(row.valid))).toHaveLength(believed ? 4 : 3);
      const [shown] = together.frames.filter(({ recorded_at }) => recorded_at === ahead.recordedAt);
      expect(shown?.received_at).toBe(Math.min(...arrived.map(({ receivedAt }) => receivedAt)));
      for (const order of shuffled(permutations(arrived), randomNumbers(seed)).slice(0, rounds(2, 6))) {
        for (const batches of [
          [around, ...order.map((frame) => [frame]), [later]],
          [...order.map((frame) => [frame]), around, [later]],
          [[later], ...order.map((frame) => [frame]), around],
        ]) {
          expect(differencesOf(together, await derivedFrom(database, batches))).toEqual([]);
        }
      }
    }
  });

  test("those that repair a rolled-over week differently are still receipts of one frame", async () => {
    const { database } = await freshFleet(engine);
    const sensors = [{ kind: "fuel", sensor: "tank_1", level_percent: 50, volume_l: null }] as const;
    const around = [vanFrame(newYear), vanFrame(newYear + minuteMs), vanFrame(newYear + 3 * minuteMs)];
    const rolled = vanFrame(newYear + 2 * minuteMs - rolloverMs, { sensors });
    const edge = newYear + 2 * minuteMs - 90 * dayMs;
    const right = newYear + 2 * minuteMs;
    // By slow clocks it is not repaired, since it would be from the future; then it is; then it would be long ago.
    const receipts = [edge, edge + 1, right, right + 90 * dayMs + 1, newYear + rolloverMs].map((receivedAt) => ({
      ...rolled,
      receivedAt,
    }));
    const places: [number[], number, string | null][] = [
      [[2], right, null],
      [[1], right - rolloverMs, "time_invalid"],
      [[3], right - rolloverMs, "time_invalid"],
      // One receipt by a right clock is enough, whatever others say.
      [[1, 2], right, null],
      [[2, 4], right, null],
      [[0, 1, 2, 3], right, null],
      [[0, 1, 3], right - rolloverMs, "time_invalid"],
      // A rollover later it is repaired by two.
      [[0, 3, 4], right + rolloverMs, null],
    ];
    const random = randomNumbers(seed);
    for (const [sent, recordedAt, reason] of places) {
      let together: DerivedTables | null = null;
      const orders = shuffled(permutations(sent.map((index) => receipts[index] as IncomingFrame)), random);
      for (const order of orders.slice(0, rounds(2, orders.length))) {
        for (const batches of [
          [[...around, ...order]],
          [around, ...order.map((frame) => [frame])],
          [...order.map((frame) => [frame]), around],
        ]) {
          const tables = await derivedFrom(database, batches);
          together ??= tables;
          expect(differencesOf(together, tables)).toEqual([]);
          const found = tables.frames.filter(({ sensors }) => (sensors as readonly unknown[]).length > 0);
          expect(found.map((row) => [row.recorded_at, row.reject_reason])).toEqual([[recordedAt, reason]]);
          expect(tables.readings).toHaveLength(1);
        }
        expect(await rederiveAll(database)).toMatchObject(nothingChanged);
      }
    }
    // Where a frame has gone to a later place, it is the last one.
    await forgetFrames(database);
    const writer = newWriter(database);
    await take(database, [around.slice(0, 2), ...[0, 2].map((index) => [receipts[index] as IncomingFrame])], writer);
    const head = await database.get<{ head: number }>(sql`select head_recorded_at as head from device_folds`);
    expect(head?.head).toBe(right);
  });
});

onEachEngine("a frame that a further receipt gives another place", (engine) => {
  test("leaves nothing at the old one, however many frames are between", async () => {
    const { database } = await freshFleet(engine);
    const minutes = Array.from({ length: 200 }, (_, minute) => newYear + minute * minuteMs);
    const around = [...minutes, ...minutes.map((at) => at + rolloverMs)].map((at) => vanFrame(at));
    const at = newYear + 60.5 * minuteMs;
    const receivedAt = (sentAt: number, ...times: readonly number[]) =>
      times.map((time) => vanFrame(sentAt, { event: "sos", receivedAt: time }));
    for (const [first, second] of [
      // To a later place, since the other clock repairs its time, and to an earlier one, which that clock repairs less.
      receivedAt(at, at, at + rolloverMs),
      receivedAt(at - rolloverMs, at + rolloverMs, at),
    ] as [IncomingFrame, IncomingFrame][]) {
      const before = await derivedFrom(database, [[...around, first]]);
      const together = await derivedFrom(database, [[...around, first, second]]);
      expect([before, together].map(({ alerts }) => alerts.length)).toEqual([1, 1]);
      expect(together.alerts[0]?.occurred_at).not.toBe(before.alerts[0]?.occurred_at);
      expect(differencesOf(together, await derivedFrom(database, [[...around, first], [second]]))).toEqual([]);
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    }
  });
});

/** A tenth are of a tracker that rolled over. Clocks are right, slow, fast, or so wrong that the repair differs. */
function receivedBySeveralClocks(frame: IncomingFrame, random: () => number): IncomingFrame[] {
  const recordedAt = (frame.recordedAt ?? 0) - (random() < 0.1 ? rolloverMs : 0);
  const days = [-401, 401, -91, 91].map((count) => count * dayMs);
  const wrong = [-hourMs, hourMs, -10 * minuteMs, ...days, -rolloverMs, rolloverMs];
  const count = 1 + Math.floor(random() * 3);
  return Array.from({ length: count }, () => {
    const error = random() < 0.4 ? 0 : (wrong[Math.floor(random() * wrong.length)] ?? 0);
    return { ...frame, recordedAt, receivedAt: frame.receivedAt + error + Math.floor(random() * 3_000) };
  });
}

const ofReceipts = new Set(["received_at", "timely_at", "updated_at", "last_seen_at", "packed"]);

/** The tables without what shows when something was received. */
function withoutReceipts(tables: DerivedTables): DerivedTables {
  const without = (row: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !ofReceipts.has(column)));
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.map(without)]),
  ) as unknown as DerivedTables;
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
