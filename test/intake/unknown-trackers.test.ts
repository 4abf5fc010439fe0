import { expect, test } from "bun:test";
import { dayMs } from "../../src/domain/time/time.ts";
import { UnknownDevices } from "../../src/intake/unknown-devices.ts";
import type { Database } from "../../src/store/database.ts";
import {
  expectedTrackers,
  expectTracker,
  forgetExpectedTrackers,
  maxExpectedTrackers,
} from "../../src/store/fleet/expected-trackers.ts";
import { unknownDevicesOf } from "../../src/store/fleet/unknown-devices.ts";
import { sql } from "../../src/store/sql.ts";
import { altered } from "../support/altered.ts";
import { onEachEngine } from "../support/engines.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";

const minuteMs = 60_000;
const begin = Date.UTC(2026, 2, 1, 9);
const { acme, olga, car, rival } = smallFleet;
const phone = "013812345678";

onEachEngine("trackers that call and belong to no device", (engine) => {
  async function alone() {
    const { database } = await engine.fresh();
    await load(database, [acme, olga, car]);
    const account = await accountNumber(database);
    return { database, account, listed: () => unknownDevicesOf(database, account, begin) };
  }

  async function several() {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    return { database, ours: await accountNumber(database), theirs: await accountNumber(database, rival.id) };
  }

  const expectIt = (database: Database, account: number, tracker: string, now = begin) =>
    database.transaction((tx) => expectTracker(tx, account, tracker, now));

  test("are shown with their protocol where there is one account alone", async () => {
    const { database, listed } = await alone();
    const unknown = new UnknownDevices(database);
    unknown.noteTracker(phone, "jt808", begin);
    unknown.noteTracker("0356307042441013", "gt06", begin + 1000);
    unknown.noteTracker("00000356307042441021", "gt06", begin + 2000);
    // No device could have it.
    unknown.noteTracker("a b", "h02", begin + 3000);
    unknown.noteTracker("", "h02", begin + 3000);
    await unknown.save(begin + 4000);
    const once = (imei: string, protocol: string, at: number) => {
      return { imei, protocol, firstSeenAt: begin + at, lastSeenAt: begin + at, count: 1 };
    };
    expect(await listed()).toEqual([
      once("356307042441021", "gt06", 2000),
      once("356307042441013", "gt06", 1000),
      once(phone, "jt808", 0),
    ] as never);
    // As an id of a device, however it is written, or as its IMEI, it is no longer unknown.
    await load(database, [{ ...car, imei: "356307042441013", tracker_id: "13812345678" }]);
    expect((await listed()).map(({ imei }) => imei)).toEqual(["356307042441021"]);
    unknown.noteTracker("356307042441021", "teltonika", begin + 2 * minuteMs);
    await unknown.save(begin + 2 * minuteMs);
    expect(await listed()).toEqual([
      { ...once("356307042441021", "teltonika", 2000), lastSeenAt: begin + 2 * minuteMs, count: 2 } as never,
    ]);
    expect(await database.all(sql`select imei from unknown_devices`)).toHaveLength(1);
  });

  test("are shown to those alone who expect them where there are several accounts", async () => {
    const { database, ours, theirs } = await several();
    const unknown = new UnknownDevices(database);
    await expectIt(database, ours, "13812345678");
    await expectIt(database, theirs, "4209876543");
    for (const [name, protocol] of [
      [phone, "jt808"],
      ["4209876543", "h02"],
      ["4201111111", "h02"],
    ] as const) {
      unknown.noteTracker(name, protocol, begin + 1000);
    }
    await unknown.save(begin + 2000);
    const seenBy = async (account: number) => ({
      listed: (await unknownDevicesOf(database, account, begin)).map(({ imei, protocol }) => [imei, protocol]),
      expected: (await expectedTrackers(database, account, begin)).map((row) => [
        row.tracker,
        row.called_at,
        row.last_protocol,
        row.count,
      ]),
    });
    expect(await seenBy(ours)).toEqual({
      listed: [[phone, "jt808"]],
      expected: [["13812345678", begin + 1000, "jt808", 1]],
    });
    expect(await seenBy(theirs)).toEqual({
      listed: [["4209876543", "h02"]],
      expected: [["4209876543", begin + 1000, "h02", 1]],
    });
    expect(await database.all(sql`select imei from unknown_devices where imei = '4201111111'`)).toEqual([]);
    // Entered after it has called, it is found with the next call.
    await expectIt(database, theirs, "4201111111");
    unknown.noteTracker("4201111111", "h02", begin + 8000);
    await unknown.save(begin + 8000);
    expect((await seenBy(theirs)).expected).toContainEqual(["4201111111", begin + 8000, "h02", 1]);
    // Two may expect one: each learns that it called, and nothing of the other.
    await expectIt(database, theirs, phone);
    unknown.noteTracker(phone, "gt06", begin + 3000);
    unknown.noteTracker(phone, "gt06", begin + 4000);
    await unknown.save(begin + 3 * minuteMs);
    expect((await seenBy(ours)).expected).toEqual([["13812345678", begin + 4000, "gt06", 3]]);
    expect((await seenBy(theirs)).expected).toContainEqual([phone, begin + 4000, "gt06", 2]);
    // What went to both is counted as written once.
    unknown.noteTracker(phone, "gt06", begin + 4 * minuteMs);
    await unknown.save(begin + 4 * minuteMs);
    expect((await seenBy(ours)).expected).toEqual([["13812345678", begin + 4 * minuteMs, "gt06", 4]]);
    // A suspended account's tracker is refused, and yet no other account learns that it called.
    await load(database, [{ ...rival, status: "suspended" }]);
    await expectIt(database, ours, smallFleet.rivalVan.imei);
    unknown.noteTracker(`0${smallFleet.rivalVan.imei}`, "gt06", begin + 5000);
    await unknown.save(begin + 4 * minuteMs);
    expect((await seenBy(ours)).expected).toContainEqual([smallFleet.rivalVan.imei, null, null, 0]);
    expect((await seenBy(ours)).listed).toEqual([[phone, "gt06"]]);
    // What nobody expects any more is nobody's.
    unknown.noteTracker("4209876543", "h02", begin + 31 * dayMs);
    await unknown.save(begin + 31 * dayMs);
    expect((await unknownDevicesOf(database, theirs, begin + 31 * dayMs)).map(({ imei }) => imei)).toEqual([]);
  });

  test("wait in memory while the store fails", async () => {
    const { database, listed } = await alone();
    let fails = true;
    const transaction: Database["transaction"] = (work) =>
      fails ? Promise.reject(new Error("no room")) : database.transaction(work);
    const unknown = new UnknownDevices(altered(database, { transaction }));
    unknown.noteTracker(phone, "jt808", begin);
    await expect(unknown.save(begin)).rejects.toThrow("no room");
    fails = false;
    await unknown.save(begin + 1000);
    expect((await listed()).map(({ count }) => count)).toEqual([1]);
  });

  test("that are invented in great numbers are bounded, and hide none that is expected", async () => {
    const { database, account, listed } = await alone();
    const unknown = new UnknownDevices(database);
    await expectIt(database, account, phone);
    for (let number = 0; number < 9_000; number++) {
      unknown.noteTracker(String(4_000_000_000 + number), "h02", begin + number);
    }
    unknown.noteTracker(phone, "jt808", begin + 9_000);
    await unknown.save(begin + 10_000);
    const first = await listed();
    expect(first).toHaveLength(100);
    expect(first[0]?.imei).toBe(phone);
    // Within the minute no others are written.
    for (let number = 0; number < 2_000; number++) {
      unknown.noteTracker(String(4_100_000_000 + number), "h02", begin + 20_000 + number);
    }
    await unknown.save(begin + 30_000);
    expect(await listed()).toEqual(first);
    expect(await database.all(sql`select imei from unknown_devices`)).toHaveLength(100);
  });

  test("are expected for 30 days, at most 100 by an account, also if many are entered at once", async () => {
    const { database, ours, theirs } = await several();
    const names = Array.from({ length: maxExpectedTrackers + 5 }, (_, index) => String(5_000_000_000 + index));
    const entered = await Promise.all(names.map((name) => expectIt(database, ours, name)));
    expect(entered.filter((row) => row !== null)).toHaveLength(maxExpectedTrackers);
    const [first] = entered.filter((row) => row !== null);
    expect(await expectIt(database, ours, `0${first?.tracker}`, begin + dayMs)).toEqual({
      ...first,
      tracker: `0${first?.tracker}`,
      entered_at: begin + dayMs,
    } as never);
    expect(await expectIt(database, theirs, "6000000000")).not.toBe(null);
    expect(await expectedTrackers(database, ours, begin + 30 * dayMs + 1)).toHaveLength(1);
    await forgetExpectedTrackers(database, begin + 30 * dayMs);
    expect(await database.all(sql`select id from expected_trackers`)).toHaveLength(maxExpectedTrackers + 1);
    await forgetExpectedTrackers(database, begin + 30 * dayMs + 1);
    expect(await database.all(sql`select id from expected_trackers`)).toHaveLength(1);
    // Those that are forgotten leave room for others.
    expect(await expectIt(database, ours, "7000000000", begin + 30 * dayMs + 1)).not.toBe(null);
  });
});
