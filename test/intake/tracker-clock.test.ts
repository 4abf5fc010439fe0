import { afterEach, expect, test } from "bun:test";
import { dayOf } from "../../src/domain/time/time.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Observation } from "../../src/observe/observation.ts";
import { vehicleDays } from "../../src/portal/fleet-days/vehicle-days.ts";
import type { Database } from "../../src/store/database.ts";
import { visibleTrackerFaults } from "../../src/store/fleet/tracker-faults.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { device, type FleetRecord, load, smallFleet } from "../support/fleet.ts";
import { carImei, freshFleet, home, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter } from "../support/ingest-node.ts";
import { canonical, openPort } from "../support/ingest-port.ts";
import { noReport } from "../support/random-drive.ts";
import { storedFrames } from "../support/stored-frames.ts";

const begin = Date.UTC(2026, 5, 15, 8);
const hourMs = 3_600_000;
const minuteMs = 60_000;
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A drive, a frame every ten seconds, by a clock that shows so much more than it is. */
function drive(imei: string, aheadMs: number, { from = 0, count = 30, lateMs = 2_000 } = {}): IncomingFrame[] {
  return Array.from({ length: count }, (_, index): IncomingFrame => {
    const at = begin + (from + index) * 10_000;
    const latitude = home.latitude + (from + index) * 0.001;
    const times = { recordedAt: at + aheadMs, receivedAt: at + lateMs };
    return { ...noReport, imei, ...times, ...home, latitude, speed_kmh: 40 };
  });
}

async function verdictsOf(database: Database, imei: string): Promise<readonly (string | null)[]> {
  return (await framesOf(database, imei)).map(({ reject_reason }) => reject_reason);
}

async function framesOf(database: Database, imei: string) {
  const key = await database.get<{ accountId: number; device: number }>(
    sql`select account_id as "accountId", device from device_directory where imei = ${imei}`,
  );
  return key === null ? [] : storedFrames(database, key);
}

const clockLine = (number: 21 | 22 | 23, tracker_clock: string | null): FleetRecord => {
  const of = [smallFleet.van, smallFleet.truck, smallFleet.car].find((line) => line.id === device(number).id);
  return { ...of, type: "device", tracker_clock };
};

onEachEngine("a tracker whose clock does not show UTC", (engine) => {
  async function fleet() {
    const { database } = await freshFleet(engine);
    const account = await accountNumber(database);
    const owner = { accountId: account, userId: smallFleet.olga.id, sees: "account" } as const;
    const ann = { accountId: account, userId: smallFleet.ann.id, sees: "assigned" } as const;
    const port = await openPort(database);
    ends.push(port.close);
    const send = async (frames: readonly IncomingFrame[]) => {
      for (const frame of frames) await port.post("/frames", [canonical(frame)]);
      await port.service.trackers.save();
    };
    const faults = (viewer: typeof owner | typeof ann = owner) => visibleTrackerFaults(database, viewer);
    const reported = () => port.observations.filter(({ kind }: Observation) => kind === "tracker_clock_wrong");
    return { database, owner, ann, port, send, faults, reported };
  }

  test("is found out with its 20th live frame; set, its frames are right and nothing more is said", async () => {
    const { database, owner, port, send, faults, reported } = await fleet();
    await send(drive(vanImei, 3 * hourMs, { count: 19 }));
    expect(await faults()).toEqual([]);
    await send(drive(vanImei, 3 * hourMs, { from: 19, count: 11 }));
    expect(await faults()).toMatchObject([{ id: device(21).id, clockAheadS: 10_800, tracker_clock: null }]);
    expect(reported()).toMatchObject([{ imei: vanImei, aheadSeconds: 10_800 }]);
    expect(port.service.trackers.counts).toEqual({ clock: 1, shared_imei: 0 });
    expect(new Set(await verdictsOf(database, vanImei))).toEqual(new Set(["future_time"]));
    const days = { firstDay: dayOf(begin), lastDay: dayOf(begin) };
    const selection = { tags: new Set<string>(), deviceIds: new Set([device(21).id]) };
    const zones = { present: "UTC", earlier: [] };
    const ofDay = () => vehicleDays(database, owner, { zones, days, before: null, selection });
    expect(await ofDay()).toMatchObject([{ activity: "silent", isFaulty: true }]);
    // Nothing is put right by itself.
    const before = await framesOf(database, vanImei);

    await load(database, [clockLine(21, "+03:00")]);
    expect(await faults()).toEqual([]);
    await send(drive(vanImei, 3 * hourMs, { from: 30, count: 30 }));
    const after = await framesOf(database, vanImei);
    expect(after.filter(({ reject_reason }) => reject_reason === "future_time")).toEqual(before);
    const right = after.filter(({ valid }) => Boolean(valid)).map(({ recorded_at }) => recorded_at);
    expect(right).toEqual(drive(vanImei, 0, { from: 30, count: 30 }).map(({ recordedAt }) => recordedAt as number));
    expect(await database.all(sql`select trip_id from latest_positions where trip_id is not null`)).toHaveLength(1);
    expect(await ofDay()).toMatchObject([{ activity: "drove", isFaulty: false }]);
    expect([await faults(), reported().length, port.service.trackers.counts.clock]).toEqual([[], 1, 0]);
  });

  test.each([
    ["6 min fast", 360, "+360s"],
    ["40 min slow", -2_400, "-2400s"],
    ["on the local time of Nepal", 20_700, "+05:45"],
  ])("%s is found out, and right when it is set", async (_, aheadS, clock) => {
    const { database, send, faults } = await fleet();
    await send(drive(truckImei, aheadS * 1000, { count: 20 }));
    expect(await faults()).toMatchObject([{ clockAheadS: aheadS }]);
    await load(database, [clockLine(22, clock)]);
    await send(drive(truckImei, aheadS * 1000, { from: 20, count: 20 }));
    expect(await faults()).toEqual([]);
    const sent = new Set(drive(truckImei, 0, { from: 20, count: 20 }).map(({ recordedAt }) => recordedAt as number));
    const stored = await framesOf(database, truckImei);
    expect(stored.filter(({ recorded_at, valid }) => sent.has(recorded_at) && Boolean(valid))).toHaveLength(20);
  });

  test("is not suspected while a right one sends what it stored, in one body or in many", async () => {
    const { port, send, faults } = await fleet();
    const stored = drive(carImei, 0, { count: 200 });
    const at = begin + 2 * hourMs;
    await port.post(
      "/frames",
      stored.slice(0, 100).map((frame) => canonical({ ...frame, receivedAt: at })),
    );
    await send(stored.slice(100).map((frame, index) => ({ ...frame, receivedAt: at + 500 + index * 500 })));
    await send(drive(carImei, 0, { from: 900, count: 30, lateMs: 40_000 }));
    expect(await faults()).toEqual([]);
    expect(port.service.trackers.counts.clock).toBe(0);
  });

  test("is forgotten when its frames have been right for some minutes, no matter what put it right", async () => {
    const { send, faults } = await fleet();
    await send(drive(vanImei, 360_000, { count: 20 }));
    await send(drive(vanImei, 0, { from: 20, count: 30 }));
    expect(await faults()).toHaveLength(1);
    await send(drive(vanImei, 0, { from: 50, count: 40 }));
    expect(await faults()).toEqual([]);
  });

  test("is reported to those who see the device alone", async () => {
    const { send, faults, ann } = await fleet();
    await send(drive(vanImei, 3 * hourMs, { count: 20 }));
    await send(drive(carImei, 3 * hourMs, { count: 20 }));
    expect((await faults()).map(({ id }) => id)).toEqual([device(21).id, device(23).id]);
    expect((await faults(ann)).map(({ id }) => id)).toEqual([device(21).id]);
  });

  test("sends a frame again: a duplicate of what came since the setting, a new frame of what came before", async () => {
    const { database } = await fleet();
    const account = await accountNumber(database);
    const writer = newWriter(database);
    const sent = drive(vanImei, 3 * hourMs, { count: 5 });
    const outcomes = async () => (await writer.submit(account, sent)).map(String);
    expect(await outcomes()).toEqual(Array(5).fill("accepted"));
    expect(await outcomes()).toEqual(Array(5).fill("duplicate"));
    await load(database, [clockLine(21, "+03:00")]);
    expect(await outcomes()).toEqual(Array(5).fill("accepted"));
    expect(await outcomes()).toEqual(Array(5).fill("duplicate"));
    expect(await verdictsOf(database, vanImei)).toEqual([...Array(5).fill(null), ...Array(5).fill("future_time")]);
  });

  test("is read by its zone, whatever the offset that a format names; a file's times are UTC", async () => {
    const { database, port } = await fleet();
    await load(database, [clockLine(21, "Europe/Berlin"), clockLine(22, "Europe/Berlin")]);
    // As local times say it: with the Z of UTC, or with an offset that is not so.
    const place = { latitude: 52.5, longitude: 13.4, received_at: "2026-06-15T08:00:10Z" };
    await port.post("/frames", [
      { imei: vanImei, recorded_at: "2026-06-15T10:00:00Z", ...place },
      { imei: vanImei, recorded_at: "2026-06-15T11:00:01+01:00", ...place },
    ]);
    const stored = await framesOf(database, vanImei);
    expect(stored.map(({ recorded_at }) => recorded_at)).toEqual([begin, begin + 1_000]);
    const imported = drive(truckImei, 0, { count: 3 });
    await newWriter(database).submit(await accountNumber(database), imported, Date.UTC(2015, 0, 1));
    expect((await framesOf(database, truckImei)).map(({ recorded_at }) => recorded_at)).toEqual(
      imported.map(({ recordedAt }) => recordedAt as number),
    );
  });

  test("and another with its IMEI are reported of, until only one of them sends", async () => {
    const { port, send, faults } = await fleet();
    const parked = drive(vanImei, 0, { count: 60 }).map((frame) => {
      const times = { recordedAt: (frame.recordedAt ?? 0) + 5_000, receivedAt: frame.receivedAt + 5_000 };
      return { ...frame, ...times, latitude: 48.1, longitude: 11.6, speed_kmh: 0, ignition: false };
    });
    await send(drive(vanImei, 0, { count: 60 }).flatMap((frame, index) => [frame, parked[index] ?? frame]));
    expect(await faults()).toMatchObject([{ id: device(21).id, clockAheadS: null, isTwin: true }]);
    expect(port.observations.filter(({ kind }) => kind === "imei_shared")).toMatchObject([{ imei: vanImei }]);
    expect(port.service.trackers.counts).toEqual({ clock: 0, shared_imei: 1 });
    await send(drive(vanImei, 0, { from: 60, count: 5 }));
    expect(await faults()).toHaveLength(1);
    await send(drive(vanImei, 0, { from: 60 + 400, count: 5 }));
    expect(await faults()).toEqual([]);
    expect(port.service.trackers.counts.shared_imei).toBe(0);
  });

  test("is reported again after another tracker was put into the vehicle, and not before that one has sent 20 frames", async () => {
    const { database, send, faults } = await fleet();
    await send(drive(vanImei, 3 * hourMs, { count: 20 }));
    const other = device(99).imei;
    await load(database, [{ ...clockLine(21, null), imei: other }]);
    expect(await faults()).toEqual([]);
    await send(drive(other, -40 * minuteMs, { from: 100, count: 20 }));
    expect(await faults()).toMatchObject([{ clockAheadS: -2_400 }]);
  });
});
