import { expect, test } from "bun:test";
import { type RetentionOptions, retainFrames } from "../../src/derive/upkeep/retention-guard.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import { startIngest } from "../../src/intake/service.ts";
import type { Observation } from "../../src/observe/observation.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { smallFleet } from "../support/fleet.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { freshFleet, home, newYear, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, take } from "../support/ingest-node.ts";
import { until } from "../support/patience.ts";
import { countFrames } from "../support/stored-frames.ts";

const retainDays = 30;
const rivalImei = smallFleet.rivalVan.imei;

/** Two vehicles on each of these days, with frames of some hours. */
function drives(days: readonly number[]) {
  return days.flatMap((day) =>
    [vanImei, truckImei].flatMap((imei) =>
      straightDrive({ imei, from: home, beginAt: newYear + day * dayMs, minutes: 140, kmh: 30, everyS: 60 }),
    ),
  );
}

/** What the operator reads, when the clock says that so many days have passed. */
async function passAt(database: Database, days: number, options: Partial<RetentionOptions> = {}) {
  const observed: Observation[] = [];
  const now = newYear + days * dayMs;
  const clock = { isClockDoubted: false, clockWatchedSince: null, trustsClock: false };
  await retainFrames(database, { now, retainDays, ...clock, ...options }, (fact) => observed.push(fact));
  return observed;
}

const passed = { kind: "retention_passed" };

onEachEngine("a pass of retention", (engine) => {
  test("by a limit later than the newest receipt is refused, unless the clock is trusted", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [drives([0, 1])]);
    const stored = await countFrames(database);
    expect(await passAt(database, 1.2)).toMatchObject([passed]);
    expect(await passAt(database, 62)).toMatchObject([
      {
        kind: "retention_refused",
        reason: "limit_after_newest_receipt",
        before: "2026-02-02T09:00:00.000Z",
        clock: "2026-03-04T09:00:00.000Z",
        newestReceipt: "2026-01-02T11:20:01.000Z",
        sharePercent: 100,
        advice: expect.stringContaining("--trust-clock yes"),
      },
    ]);
    expect(await countFrames(database)).toBe(stored);

    expect(await passAt(database, 62, { trustsClock: true })).toMatchObject([
      { kind: "frames_dropped", count: stored },
      passed,
    ]);
    // There is nothing left to be wrong about.
    expect(await passAt(database, 63)).toMatchObject([passed]);
  });

  test("that would leave hardly anything is refused, also if frames came while the clock was ahead", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [drives([0, 1, 2, 3, 4])]);
    const aheadMs = 60 * dayMs;
    const live = drives([5]).map((frame) => ({ ...frame, receivedAt: frame.receivedAt + aheadMs }));
    await take(database, [live]);
    const stored = await countFrames(database);
    const newestReceipt = "2026-03-07T11:20:01.000Z";
    expect(await passAt(database, 65.2)).toMatchObject([
      { kind: "retention_refused", reason: "nearly_everything", newestReceipt, sharePercent: 100, accounts: 1 },
    ]);
    expect(await countFrames(database)).toBe(stored);
  });

  test("that would drop nearly everything is refused, also if a gateway stamps some by the fast clock", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [drives(Array.from({ length: 20 }, (_, day) => day))]);
    await take(database, [drives([66])]);
    const stored = await countFrames(database);
    expect(await passAt(database, 66.2)).toMatchObject([
      { kind: "retention_refused", reason: "nearly_everything", accounts: 1 },
    ]);
    expect(await countFrames(database)).toBe(stored);
  });

  test("is not held up for all by an account that sent years of old tracks", async () => {
    const { database } = await freshFleet(engine);
    const days = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index * 5);
    await take(database, [drives(days(0, 9))]);
    const own = await countFrames(database);
    const tracks = days(-350, 60).flatMap((day) =>
      straightDrive({ imei: rivalImei, from: home, beginAt: newYear + day * dayMs, minutes: 400, kmh: 30, everyS: 60 }),
    );
    // They were sent in one go.
    const sent = tracks.map((frame) => ({ ...frame, receivedAt: newYear + 40 * dayMs }));
    await newWriter(database).submit(await accountNumber(database, smallFleet.rival.id), sent);
    const all = await countFrames(database);
    const observed = await passAt(database, 40.5);
    expect(observed).toMatchObject([
      { kind: "retention_refused", reason: "nearly_everything", accounts: 1 },
      { kind: "frames_dropped", before: "2026-01-11T21:00:00.000Z" },
    ]);
    const left = await countFrames(database);
    expect(left).toBeLessThan(all);
    expect(left).toBeGreaterThan(all - own);
  });

  test("by a limit later than the newest receipt is made if the clock was watched since", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [drives([0, 1])]);
    const stored = await countFrames(database);
    const watched = (day: number) => ({ clockWatchedSince: newYear + day * dayMs });
    expect(await passAt(database, 62, watched(2))).toMatchObject([{ reason: "limit_after_newest_receipt" }]);
    expect(await passAt(database, 62, { ...watched(0), isClockDoubted: true })).toMatchObject([
      { reason: "clock_ahead" },
    ]);
    expect(await passAt(database, 62, watched(0))).toMatchObject([{ kind: "frames_dropped", count: stored }, passed]);
  });

  test("that a right clock asks for is made", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [drives([0, 5, 10, 15, 20, 25, 30, 35, 40])]);
    const stored = await countFrames(database);
    const observed = await passAt(database, 40.5);
    expect(observed).toMatchObject([{ kind: "frames_dropped", before: "2026-01-11T21:00:00.000Z" }, passed]);
    expect(await countFrames(database)).toBeLessThan(stored);
  });

  test("is refused while the clock is doubted, whatever is stored", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [drives([0, 20, 40])]);
    const stored = await countFrames(database);
    expect(await passAt(database, 40.5, { isClockDoubted: true })).toMatchObject([
      { kind: "retention_refused", reason: "clock_ahead", newestReceipt: null, sharePercent: null },
    ]);
    expect(await countFrames(database)).toBe(stored);
  });
});

onEachEngine("a server whose clock is doubted", (engine) => {
  test("forgets no removal, counter, checkpoint or unknown device, and begins again when the doubt is over", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [drives([0, 1])]);
    const old = newYear - 100 * dayMs;
    await database.transaction(async (tx) => {
      await tx.run(sql`update viewer_records set removed = ${true}, changed_at = ${old} where type = 'geofence'`);
      await tx.run(sql`
        insert into account_counters (account_id, day, day_used)
        select account_id, 1, 1 from accounts`);
      await tx.run(sql`
        insert into unknown_devices (account_id, imei, first_seen_at, last_seen_at, count)
        select account_id, '356307042441099', ${old}, ${old}, 1 from accounts`);
    });
    const left = () =>
      database.get<Record<string, number>>(sql`
        select (select count(*) from viewer_records where removed) as removals,
          (select count(*) from account_counters) as counters,
          (select count(*) from fold_checkpoints) as checkpoints,
          (select count(*) from unknown_devices) as unknown`);
    const before = await left();
    expect(Math.min(...Object.values(before ?? {}))).toBeGreaterThan(0);

    // Each kind of work that forgets asks once in its first round.
    let [asked, doubtMs] = [0, dayMs];
    const clockDoubtMs = () => {
      asked++;
      return doubtMs;
    };
    const options = { database, metrics: async () => "", retainDays: null };
    const doubting = startIngest({ ...options, observe: () => {}, clockDoubtMs });
    await until(() => asked >= 5);
    await doubting.close();
    expect(asked).toBe(5);
    expect(await left()).toEqual(before);

    doubtMs = 0;
    const believing = startIngest({ ...options, observe: () => {}, clockDoubtMs });
    await until(async () => {
      const { removals, counters, unknown } = (await left()) ?? {};
      return removals === 0 && counters === 0 && unknown === 0;
    });
    await believing.close();
  });

  test("makes a pass of retention as soon as the doubt is over, having warned once", async () => {
    const { database } = await freshFleet(engine);
    const kinds: string[] = [];
    const observe = ({ kind }: Observation) => void (kind.startsWith("retention_") && kinds.push(kind));
    let [asked, doubtMs] = [0, dayMs];
    const clockDoubtMs = () => {
      asked++;
      return doubtMs;
    };
    const service = startIngest({ database, metrics: async () => "", retainDays, observe, clockDoubtMs });
    // The fifth to ask is retention again.
    await until(() => kinds.length > 0 && asked > 5);
    expect(kinds).toEqual(["retention_refused"]);
    doubtMs = 0;
    await until(() => kinds.length > 1);
    await service.close();
    expect(kinds).toEqual(["retention_refused", "retention_passed"]);
  });
});
