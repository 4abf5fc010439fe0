import { afterAll, afterEach, describe, expect, spyOn, test } from "bun:test";
import { mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Observation } from "../../src/observe/observation.ts";
import type { Database } from "../../src/store/database.ts";
import { NodeClock } from "../../src/store/node-clock.ts";
import { openDatabase } from "../../src/store/open.ts";
import { KnownTime, lastUsedAt } from "../../src/store/sqlite/known-time.ts";
import { onEachEngine } from "../support/engines.ts";
import { carImei, home, loadIngestFleet, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import { noReport } from "../support/random-drive.ts";

const hourMs = 3_600_000;
const trueNow = Date.now;
/** The store answers within this, however busy the machine is. */
const sameMs = 60_000;

let shiftMs = 0;
const shifted = spyOn(Date, "now").mockImplementation(() => trueNow() + shiftMs);
afterEach(() => {
  shiftMs = 0;
});
afterAll(() => shifted.mockRestore());

/** A millisecond may begin between two looks. */
function expectOwnTime(clock: NodeClock): void {
  const [before, now, after] = [Date.now(), clock.now(), Date.now()];
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(after);
}

onEachEngine("a node's clock", (engine) => {
  const store = engine.shared(async ({ database }) => database);

  for (const [words, hours] of [
    ["two hours ahead", 2],
    ["two hours behind", -2],
  ] as const) {
    test(`that is ${words} of the store's is corrected, and the operator is warned once`, async () => {
      const observations: Observation[] = [];
      const clock = new NodeClock(store(), (fact) => observations.push(fact));
      shiftMs = hours * hourMs;
      await clock.compare();
      await clock.compare();
      const warnings = observations.filter(({ kind }) => kind === "clock_differs");
      const [compared] = observations;
      const aheadSeconds = compared?.kind === "clock_compared" ? compared.aheadSeconds : null;
      if (engine.name === "sqlite") {
        // There is one node, and no other clock. Nothing is known of the time (below).
        expect([warnings, aheadSeconds]).toEqual([[], 0]);
        expectOwnTime(clock);
        return;
      }
      // What the store calls old may not be, if it is this far ahead of a node.
      expect(clock.doubtMs() > hourMs - sameMs).toBe(hours < 0);
      expect(warnings).toHaveLength(1);
      expect(Math.abs((aheadSeconds ?? 0) - hours * 3_600)).toBeLessThan(sameMs / 1000);
      expect(Math.abs(clock.now() - trueNow())).toBeLessThan(sameMs);

      // Set right: at once, and not corrected a second time until they are compared.
      shiftMs = 0;
      expect(Number.isInteger(clock.now())).toBe(true);
      expect(Math.abs(clock.now() - trueNow())).toBeLessThan(sameMs);
      await clock.compare();
      expect(Math.abs(clock.now() - trueNow())).toBeLessThan(sameMs);
      shiftMs = hours * hourMs;
      await clock.compare();
      expect(observations.filter(({ kind }) => kind === "clock_differs")).toHaveLength(2);
    });
  }

  test("is watched: since when it has run on is known, until it is set", async () => {
    const clock = new NodeClock(store(), () => {}, null);
    expect(clock.watchedSince()).toBeNull();
    if (engine.name === "sqlite") return;
    await clock.compare();
    const since = clock.watchedSince();
    expect(Math.abs((since ?? 0) - trueNow())).toBeLessThan(sameMs);
    await clock.compare();
    expect(clock.watchedSince()).toBe(since);
    // What this node's own clock says does not matter, if it is the store's that is right.
    shiftMs = 2 * hourMs;
    await clock.compare();
    expect(clock.watchedSince()).toBe(since);
  });

  test("that is a moment off is used as it is", async () => {
    const clock = new NodeClock(store(), () => {});
    shiftMs = 2_000;
    await clock.compare();
    expectOwnTime(clock);
  });
});

describe("the clock of an embedded store", () => {
  const fleet = async () => {
    const directory = await mkdtemp(join(tmpdir(), "odograph-"));
    directories.push(directory);
    const database = await openDatabase({ engine: "sqlite", directory }, { create: true });
    open.push(database);
    await loadIngestFleet(database);
    const observations: Observation[] = [];
    /** As at a start of the server, which looks at the files before it opens them. */
    const started = async () => {
      const known = new KnownTime(directory, lastUsedAt(directory), () => trueNow() + counterShiftMs);
      const clock = new NodeClock(database, (fact) => observations.push(fact), known);
      await clock.compare();
      return clock;
    };
    const ahead = () => observations.findLast(({ kind }) => kind === "clock_compared") as { aheadSeconds: number };
    return { directory, database, observations, started, ahead: () => Math.round(ahead().aheadSeconds / 3_600) };
  };
  const directories: string[] = [];
  const open: Database[] = [];
  let counterShiftMs = 0;
  afterEach(async () => {
    counterShiftMs = 0;
    for (const database of open.splice(0)) await database.close();
    for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
  });
  const position = (recordedAt: number, receivedAt: number, imei = vanImei): IncomingFrame => ({
    ...noReport,
    imei,
    recordedAt,
    receivedAt,
    ...home,
  });

  test("that was set forward before a start is doubted, also after the next, and the frames' own time does not end it", async () => {
    const { database, started, observations, ahead } = await fleet();
    await take(database, [[position(trueNow() - hourMs, trueNow() - hourMs)]]);
    await started();
    expect([ahead(), observations.some(({ kind }) => kind === "clock_differs")]).toEqual([0, false]);

    shiftMs = 60 * 24 * hourMs;
    const first = await started();
    expect([ahead(), first.doubtMs() > 0]).toEqual([60 * 24, true]);
    // It is received by the wrong clock; the tracker knows better.
    await take(database, [[position(trueNow(), Date.now())]]);
    await first.compare();
    expect([ahead(), first.doubtMs() > 0]).toEqual([60 * 24, true]);
    expectOwnTime(first);
    const again = await started();
    expect([ahead(), again.doubtMs() > 0]).toEqual([60 * 24, true]);
    expect(observations.filter(({ kind }) => kind === "clock_differs")).toHaveLength(2);

    shiftMs = 0;
    await again.compare();
    expect([ahead(), again.doubtMs()]).toEqual([0, 0]);
  });

  test("that is right after a long rest of the server is believed with the first position of now", async () => {
    const { database, started, ahead } = await fleet();
    await started();
    shiftMs = 60 * 24 * hourMs;
    counterShiftMs = 24 * hourMs;
    const clock = await started();
    expect(ahead()).toBe(60 * 24);
    await take(database, [[position(Date.now() - 10_000, Date.now())]]);
    await clock.compare();
    expect([ahead(), clock.doubtMs()]).toEqual([0, 0]);
    await started();
    expect(ahead()).toBe(0);
  });

  /** How many hours it is ahead, after the server has rested for 60 days or the clock was set forward, and these positions. */
  const doubtAfter = async (...positions: readonly (() => IncomingFrame)[]) => {
    const { database, started, ahead } = await fleet();
    // All three were heard of before.
    const before = [vanImei, truckImei, carImei].map((imei) =>
      position(trueNow() - hourMs, trueNow() - hourMs + 1, imei),
    );
    await take(database, [before]);
    await started();
    shiftMs = 60 * 24 * hourMs;
    const clock = await started();
    expect(ahead()).toBe(60 * 24);
    await take(database, [positions.map((make) => make())]);
    await clock.compare();
    const left = ahead();
    // The next start knows the same, but believes a gap of up to three days.
    await started();
    expect(ahead()).toBe(left > 3 * 24 ? left : 0);
    return left;
  };
  const stamped = (imei: string) => () => position(Date.now(), Date.now(), imei);
  const ofAgo = (imei: string, agoMs: number) => () => position(Date.now() - agoMs, Date.now(), imei);
  const ofTruth = (imei: string) => () => position(trueNow(), Date.now(), imei);

  test("is not confirmed by times that the server itself gave, however many vehicles have them", async () => {
    expect(await doubtAfter(stamped(vanImei), stamped(truckImei), stamped(carImei))).toBe(60 * 24);
  });

  test("is not confirmed by one vehicle of several, nor if as many speak against it", async () => {
    expect(await doubtAfter(ofAgo(vanImei, 1_000))).toBe(60 * 24);
    expect(await doubtAfter(ofAgo(vanImei, 1_000), ofTruth(truckImei))).toBe(60 * 24);
    expect(await doubtAfter(ofAgo(vanImei, 1_000), ofTruth(truckImei), ofTruth(carImei))).toBe(60 * 24);
  });

  test("is ahead by no more than vehicles leave: those that send late end the doubt or lessen it", async () => {
    expect(await doubtAfter(ofAgo(vanImei, 400_000), ofAgo(truckImei, 900_000))).toBe(0);
    expect(await doubtAfter(ofAgo(vanImei, 5 * hourMs), ofAgo(truckImei, 7 * hourMs))).toBe(7);
  });

  test("is known to have run on since the start, or since it was believed, and not while it is in doubt", async () => {
    const { started } = await fleet();
    const beganAt = Date.now();
    const clock = await started();
    const since = clock.watchedSince() ?? 0;
    expect(since).toBeGreaterThanOrEqual(beganAt);
    counterShiftMs = 40 * hourMs;
    shiftMs = 40 * hourMs - 1_000;
    await clock.compare();
    expect(clock.watchedSince()).toBe(since);
    shiftMs = 60 * 24 * hourMs;
    expect(clock.watchedSince()).toBeNull();
    // Put right, a little too far.
    shiftMs = 39 * hourMs;
    await clock.compare();
    expect(clock.watchedSince()).toBeGreaterThan(since);
  });

  test("that is set forward while the server runs is doubted; one that ran on during a suspension is not", async () => {
    const { started, ahead } = await fleet();
    const clock = await started();
    // The machine counts while it sleeps.
    shiftMs = 8 * hourMs;
    counterShiftMs = 8 * hourMs;
    await clock.compare();
    expect([ahead(), clock.doubtMs()]).toEqual([0, 0]);
    shiftMs = 20 * hourMs;
    expect(clock.doubtMs()).toBeGreaterThan(0);
    await clock.compare();
    expect([ahead(), clock.doubtMs() > 0]).toEqual([12, true]);
  });

  test("is believed if nobody knows better: a new store, or files of a day ago", async () => {
    const { directory, started, ahead } = await fleet();
    await started();
    expect(ahead()).toBe(0);
    shiftMs = 24 * hourMs;
    counterShiftMs = hourMs;
    await started();
    expect(ahead()).toBe(0);
    expect((await stat(join(directory, "last-served"))).mode & 0o777).toBe(0o600);
  });

  test("is doubted by the files of a store that no newer version has served yet", async () => {
    const { directory } = await fleet();
    const old = (trueNow() - 90 * 24 * hourMs) / 1000;
    for (const name of ["odograph.db", "odograph.db-wal"]) await utimes(join(directory, name), old, old);
    expect(new KnownTime(directory, lastUsedAt(directory)).aheadMs() / hourMs / 24).toBeCloseTo(90, 1);
  });
});
