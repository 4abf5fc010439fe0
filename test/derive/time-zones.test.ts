import { expect, test } from "bun:test";
import { dropOldFrames } from "../../src/derive/upkeep/retention.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import { storedZone } from "../../src/domain/time/time-zone.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { derivedFrom, derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { freshFleet, home, newYear, randomFleet, vanImei } from "../support/ingest-fleet.ts";
import { dirtyCount, forgetFrames, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { randomNumbers, shuffled } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";

const seed = announcedSeed("days of time zones");
const { acme } = smallFleet;
const zones = Intl.supportedValuesOf("timeZone");

/** As far from each other as zones are, and some in between. */
const farApart = ["UTC", "Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kolkata", "America/St_Johns"];

async function loadZone(database: Database, time_zone: string, count = 0): Promise<void> {
  await load(database, [{ ...acme, time_zone }], loadedAt + hourMs + count);
}

async function changeZone(database: Database, time_zone: string): Promise<void> {
  await loadZone(database, time_zone);
  await newWriter(database).schedule.deriveLeft();
}

interface Day {
  readonly imei: string;
  readonly day: number;
  readonly time_zone: string;
  readonly distance_mm: number;
  readonly final_at: number;
}

function daysOf(database: Database): Promise<Day[]> {
  return database.all<Day>(sql`
    select d.imei, m.day, m.time_zone, m.distance_mm, m.final_at from mileage_days m
    join devices d on d.account_id = m.account_id and d.device = m.device order by d.imei, m.day`);
}

/** Millimetres by device. */
function sums(days: readonly Day[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { imei, distance_mm } of days) sums[imei] = (sums[imei] ?? 0) + distance_mm;
  return sums;
}

const dateOf = ({ day }: Day) => new Date(day * dayMs).toISOString().slice(0, 10);

/** By position alone: which days the odometer is believed on depends on where they begin. */
function withoutOdometer(frames: readonly IncomingFrame[]): IncomingFrame[] {
  return frames.map((frame) => ({ ...frame, odometer_km: null }));
}

const frames = inOrder(withoutOdometer(randomFleet(seed, rounds(250, 400))));

onEachEngine("days of mileage", (engine) => {
  test("are those of the account's zone, with 23 and 25 hours when its clocks change", async () => {
    const { database } = await freshFleet(engine);
    for (const [beginAt, dates, hours] of [
      ["2026-03-27T23:00:30Z", ["2026-03-28", "2026-03-29", "2026-03-30"], [24, 23, 24]],
      ["2026-10-23T22:00:30Z", ["2026-10-24", "2026-10-25", "2026-10-26"], [24, 25, 24]],
    ] as const) {
      await forgetFrames(database);
      await loadZone(database, "Europe/Berlin");
      const minutes = hours.reduce((sum, own) => sum + own * 60, 0) - 1;
      const begun = { imei: vanImei, from: home, beginAt: Date.parse(beginAt) };
      // No frame is at midnight, so that a leg is split there.
      await take(database, [straightDrive({ ...begun, minutes, kmh: 36, everyS: 60 })]);
      const days = await daysOf(database);
      expect(days.map(dateOf)).toEqual([...dates]);
      expect(days.map(({ time_zone }) => time_zone)).toEqual(dates.map(() => "Europe/Berlin"));
      for (const [index, { distance_mm }] of days.entries()) {
        // A leg is half a kilometre; the first day and the last one lack half of one.
        expect(Math.abs(distance_mm / 1e6 - 36 * (hours[index] ?? 0))).toBeLessThan(2);
      }
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    }
  });

  test("add up to the same millimetres in every zone, and follow a change of it", async () => {
    const { database } = await freshFleet(engine);
    const inUtc = await derivedFrom(database, [frames]);
    const wanted = sums(await daysOf(database));
    expect(Object.keys(wanted)).toHaveLength(3);
    const random = randomNumbers(seed);
    const others = Array.from({ length: rounds(1, 6) }, () => zones[Math.floor(random() * zones.length)] ?? "UTC");
    for (const zone of [...farApart, ...others]) {
      await changeZone(database, zone);
      const days = await daysOf(database);
      expect([zone, sums(days)]).toEqual([zone, wanted]);
      expect([...new Set(days.map(({ time_zone }) => time_zone))]).toEqual([zone]);
      expect([zone, await rederiveAll(database)]).toMatchObject([zone, nothingChanged]);
    }
    const changed = await derivedTables(database);
    expect(differencesOf(changed, await derivedFrom(database, [frames]))).toEqual([]);
    // Nothing but the days depends on the zone.
    expect(differencesOf({ ...changed, mileage_days: inUtc.mileage_days }, inUtc)).toEqual([]);
  });

  test("are of the last zone if it changes again and again while frames come in", async () => {
    const { database, open } = await freshFleet(engine);
    const node = await open();
    await take(database, [frames.slice(0, 30)]);
    let isDone = false;
    const loading = (async () => {
      for (let count = 0; !isDone; count++) await loadZone(node, farApart[count % farApart.length] ?? "UTC", count);
    })();
    const writer = newWriter(database);
    for (let begin = 30; begin < frames.length; begin += 40) {
      await take(database, [frames.slice(begin, begin + 40)], writer);
    }
    isDone = true;
    await loading;
    await changeZone(database, "Asia/Tokyo");
    const changed = await derivedTables(database);
    expect(changed.mileage_days.every(({ time_zone }) => time_zone === "Asia/Tokyo")).toBe(true);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    expect(differencesOf(changed, await derivedFrom(database, [frames]))).toEqual([]);
  });
});

/** How days are cut is the fold's affair, not the store's. */
onOneEngine("days of mileage whose frames were dropped", (engine) => {
  test("stay days of the zone they were counted by if their frames were dropped, and lose nothing", async () => {
    const { database } = await freshFleet(engine);
    const kmh = 20;
    const endAt = newYear + 4 * dayMs;
    // Without a frame for more than an hour each day, so that trips end. The way between counts, so it is always linear.
    const drive = straightDrive({ imei: vanImei, from: home, beginAt: newYear, minutes: 5760, kmh, everyS: 120 });
    const sent = drive.filter((_, index) => index % 720 > 45);
    const cases = farApart.slice(1).flatMap((zone) => [2, 8, 14, 20].map((hour) => [zone, hour] as const));
    for (const [zone, hour] of shuffled(cases, randomNumbers(seed + 1)).slice(0, rounds(3, cases.length))) {
      await forgetFrames(database);
      await loadZone(database, "UTC");
      await take(database, [sent]);
      const before = await daysOf(database);
      const cut = Math.floor(newYear / dayMs) * dayMs + 2 * dayMs + hour * hourMs;
      expect(await dropOldFrames(database, cut)).toBeGreaterThan(0);
      const row = await database.get<{ until: number }>(sql`select max(dropped_until) as until from device_folds`);
      const until = row?.until ?? 0;
      await changeZone(database, zone);
      const after = await daysOf(database);
      expect([zone, hour, sums(after)]).toEqual([zone, hour, sums(before)]);
      // Days that were open at the last frame that went are derived again, and so are all later ones.
      const isOver = ({ final_at }: Day) => final_at < until;
      expect([zone, hour, after.filter(isOver)]).toEqual([zone, hour, before.filter(isOver)]);
      expect(after.filter(isOver).length).toBeGreaterThan(0);
      const again = after.filter((day) => !isOver(day));
      expect([...new Set(again.map(({ time_zone }) => time_zone))]).toEqual([zone]);
      // The day of the last frame that went ends with the next midnight of the new zone, or with that frame if it is later.
      let from = (again[0]?.day ?? 0) * dayMs;
      for (const { day, distance_mm } of again) {
        const isGone = day < Math.floor(until / dayMs);
        const midnight = isGone ? (day + 1) * dayMs : Math.max(storedZone(zone).startOf(day + 1), until);
        const end = Math.min(midnight, endAt);
        const km = (kmh * (end - from)) / hourMs;
        expect([zone, hour, day, Math.abs(distance_mm / 1e6 - km) < 2]).toEqual([zone, hour, day, true]);
        from = end;
      }
      expect(from).toBe(endAt);
      expect([zone, hour, await rederiveAll(database)]).toMatchObject([zone, hour, nothingChanged]);
      // And back again: the days are as they were.
      await changeZone(database, "UTC");
      expect([zone, hour, await daysOf(database)]).toEqual([zone, hour, before]);
    }
  });

  test("go on from what was dropped if the zone changed while a device was silent", async () => {
    const { database } = await freshFleet(engine);
    const drive = straightDrive({ imei: vanImei, from: home, beginAt: newYear, minutes: 2880, kmh: 20, everyS: 120 });
    await take(database, [drive]);
    const wanted = sums(await daysOf(database));
    const random = randomNumbers(seed + 2);
    for (const zone of farApart.slice(1)) {
      await forgetFrames(database);
      await loadZone(database, "UTC");
      const sent = 250 + Math.floor(random() * 750);
      await take(database, [drive.slice(0, sent)]);
      expect(await dropOldFrames(database, newYear + 100 * dayMs)).toBe(sent);
      await changeZone(database, zone);
      expect(await dirtyCount(database)).toBe(0);
      await take(database, [drive.slice(sent, sent + 150), drive.slice(sent + 150)]);
      const days = await daysOf(database);
      expect([zone, sent, sums(days)]).toEqual([zone, sent, wanted]);
      expect([zone, sent, await rederiveAll(database)]).toMatchObject([zone, sent, nothingChanged]);
    }
  });
});
