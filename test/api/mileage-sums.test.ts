import { expect, test } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { everyRecord, keyOf, startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { Seed } from "../support/seed.ts";

const seed = announcedSeed("sums of mileage");
const dayMs = 86_400_000;
const [first, last] = ["2025-03-01", "2025-05-01"] as const;
const minute = 60_000;
const tags = ["00F1", "00F2", "00F3", null] as const;

interface SumsRow {
  readonly period_start: string;
  readonly period_end: string;
  readonly device_id: string | null;
  readonly tag: string | null;
  readonly driver_id: string | null;
  readonly driver_name: string | null;
  readonly device_count: number;
  readonly distance_km: number;
  readonly trip_count: number;
  readonly driving_s: number;
  readonly idle_s: number;
  readonly carried_km: number | null;
}

/** Days whose distance is that of their trips and a little more, as far as the vehicle moved outside of them. */
async function fleetOf(database: Database, isPushed = false) {
  const random = randomNumbers(seed);
  const below = (count: number) => Math.floor(random() * count);
  const rows = new Seed();
  const account = rows.account({ time_zone: "UTC" });
  const owner = rows.user(account, { role: "owner" });
  const anna = rows.user(account);
  // A vehicle that is towed, or pushed: nobody's trip.
  const outside = () => (below(3) === 0 && isPushed ? below(20_000) * 1000 : 0);
  const driven: { driver: (typeof tags)[number]; isStart: boolean; mm: number; isOverMidnight: boolean }[] = [];
  let carriedMm = 0;
  for (let index = 0; index < 6; index++) {
    const device = rows.device(account, {
      tags_json: ['["cold"]', '["cold","north"]', "[]"][below(3)] ?? "[]",
      seenBy: below(2) ? [anna] : [],
    });
    const days = new Map<number, { mm: number; ms: number; trips: number }>();
    const add = (day: number, mm: number, ms: number, trips: number) => {
      const known = days.get(day) ?? { mm: 0, ms: 0, trips: 0 };
      days.set(day, { mm: known.mm + mm, ms: known.ms + ms, trips: known.trips + trips });
    };
    let at = Date.parse(first) + below(600) * minute;
    while (at < Date.parse(last)) {
      const ms = (5 + below(400)) * minute;
      const mm = below(900_000) * 1000;
      const driver = tags[below(tags.length)] ?? null;
      const next = tags[below(3)] ?? null;
      // Some are handed over.
      const handedAt =
        driver !== null && next !== driver && below(3) === 0 ? at + (1 + below(ms / minute - 1)) * minute : null;
      const drivers = [
        [driver, at],
        [next, handedAt],
      ];
      const times = { started_at: at, ended_at: at + ms, duration_ms: ms, idle_ms: 0 };
      const drivers_json = handedAt === null ? null : JSON.stringify(drivers);
      rows.trip(device, { ...times, distance_mm: mm, driver_id: driver, drivers_json });
      const ofFirst = handedAt === null ? mm : (mm * (handedAt - at)) / ms;
      const isOverMidnight = Math.floor(at / dayMs) !== Math.floor((at + ms) / dayMs);
      driven.push({ driver, isStart: true, mm: ofFirst, isOverMidnight });
      if (handedAt !== null) driven.push({ driver: next, isStart: false, mm: mm - ofFirst, isOverMidnight });
      // As fast all the way: what of it was driven by midnight.
      let before = 0;
      for (let from = at; from < at + ms; ) {
        const until = Math.min(at + ms, (Math.floor(from / dayMs) + 1) * dayMs);
        const upTo = Math.round((mm * (until - at)) / ms);
        add(Math.floor(from / dayMs), upTo - before, until - from, from === at ? 1 : 0);
        [before, from] = [upTo, until];
      }
      at += ms + (10 + below(1500)) * minute;
      if (below(8) > 0) continue;
      // Carried, with somebody's card in it: that is no trip of the day, and nobody's.
      const ended_at = at + minute;
      rows.trip(device, { started_at: at, ended_at, distance_mm: 0, carried_mm: 5_000, driver_id: driver });
      at = ended_at + minute;
    }
    for (const [day, { mm, ms, trips }] of days) {
      const carried_mm = below(4) ? 0 : below(50_000) * 1000;
      carriedMm += carried_mm;
      const sums = { distance_mm: mm + outside(), driving_ms: ms, idle_ms: 0, trip_count: trips, carried_mm };
      rows.mileage(device, { day, ...sums });
    }
  }
  await rows.save(database);
  const api = await startApi(database);
  const keys = [await keyOf(database, owner.email), await keyOf(database, anna.email)];
  const all = (path: string, key: string): Promise<SumsRow[] | null> => everyRecord(api, key, path);
  return { ...api, keys, all, below, driven, carriedMm };
}

const amount = (rows: readonly SumsRow[], of: (row: SumsRow) => number) =>
  Math.round(rows.reduce((sum, row) => sum + of(row), 0) * 1e6) / 1e6;

onEachEngine("sums of mileage", (engine) => {
  test("are the rows that the report had before, a page at a time, and say where they are now", async () => {
    const { database } = await engine.fresh();
    const { get, keys, all, below, close } = await fleetOf(database);
    for (let round = 0; round < rounds(2, 8); round++) {
      const [period = "", group = ""] = [
        ["day", "week", "month", "total"][below(4)],
        ["device", "tag", "fleet"][below(3)],
      ];
      const from = Date.parse(first) + below(30) * dayMs;
      const words = new URLSearchParams({
        ...{ period, group_by: group, from: new Date(from).toISOString().slice(0, 10), to: last },
      });
      for (const key of keys) {
        const before = await get(`/reports/mileage?${words}`, key);
        expect(before.headers.get("Link")).toBe(`<mileage/sums?${words}>; rel="successor-version"`);
        const rows = await all(`/reports/mileage/sums?${words}&limit=${1 + below(50)}`, key);
        const more = { driver_id: null, driver_name: null, carried_km: expect.any(Number) };
        expect(rows as unknown[]).toEqual(before.body.data.map((row: object) => ({ ...row, ...more })));
      }
    }
    await close();
  });

  test("by driver are those of the fleet, cut at midnight, and each driver's are of their trips", async () => {
    const { database } = await engine.fresh();
    const { keys, all, driven, carriedMm, close } = await fleetOf(database, true);
    const window = `from=${first}&to=${last}`;
    for (const [index, key] of keys.entries()) {
      for (const period of ["day", "week", "total"]) {
        const path = `/reports/mileage/sums?${window}&period=${period}`;
        const byDriver = (await all(`${path}&group_by=driver&limit=7`, key)) ?? [];
        const ofFleet = (await all(`${path}&group_by=fleet`, key)) ?? [];
        const carriedOf = (rows: readonly SumsRow[]) => amount(rows, ({ carried_km }) => carried_km ?? Number.NaN);
        if (index === 0) expect(carriedOf(ofFleet)).toBeLessThanOrEqual(carriedMm / 1e6);
        expect(carriedOf(byDriver.filter(({ driver_id }) => driver_id !== null))).toBe(0);
        for (const row of ofFleet) {
          const { period_start, distance_km, driving_s, trip_count } = row;
          const own = byDriver.filter((row) => row.period_start === period_start);
          expect(amount(own, (row) => row.distance_km)).toBeCloseTo(distance_km, 3);
          expect(amount(own, (row) => row.driving_s)).toBeCloseTo(driving_s, 0);
          expect(amount(own, (row) => row.trip_count)).toBe(trip_count);
          expect(carriedOf(own)).toBe(carriedOf([row]));
        }
        expect(byDriver.map(({ driver_id }) => driver_id ?? "z")).toEqual(
          byDriver.map(({ driver_id }) => driver_id ?? "z").toSorted(),
        );
        for (const driver of ["00F1", "00F2"]) {
          const own = byDriver.filter(({ driver_id }) => driver_id === driver);
          const alone = (await all(`${path}&group_by=fleet&driver_id=${driver}`, key)) ?? [];
          const figures = ({ distance_km, trip_count, device_count }: SumsRow) => [
            distance_km,
            trip_count,
            device_count,
          ];
          expect(alone.map(figures)).toEqual(own.map(figures));
          const byDevice = (await all(`${path}&group_by=device&driver_id=${driver}&limit=3`, key)) ?? [];
          expect(amount(byDevice, (row) => row.distance_km)).toBeCloseTo(
            amount(own, (row) => row.distance_km),
            3,
          );
          if (period !== "total" || index > 0) continue;
          // Trips that began before the window's end reach beyond it.
          const trips = driven.filter((trip) => trip.driver === driver);
          const whole = trips.reduce((sum, trip) => sum + trip.mm, 0) / 1e6;
          // Of a trip over midnight, what was pushed on the first day is taken for the way of whoever drove then.
          const pushed = trips.filter(({ isOverMidnight }) => isOverMidnight).length * 20;
          expect(own[0]?.distance_km).toBeLessThanOrEqual(whole + pushed + 0.001);
          const starts = trips.filter(({ isStart }) => isStart).length;
          expect(own[0]?.trip_count).toBeLessThanOrEqual(starts);
          expect(own[0]?.trip_count).toBeGreaterThanOrEqual(starts - 6);
          expect(own[0]?.distance_km).toBeGreaterThan(whole - pushed - 6 * 900);
        }
      }
    }
    await close();
  });

  test("do not know what was carried where a day does not", async () => {
    const { database } = await engine.fresh();
    const rows = new Seed();
    const account = rows.account({ time_zone: "UTC" });
    const owner = rows.user(account, { role: "owner" });
    const van = rows.device(account, { tags_json: '["cold"]' });
    const day = Date.parse(first) / dayMs;
    rows.mileage(van, { day, carried_mm: null });
    rows.mileage(van, { day: day + 1, carried_mm: 3_000_000 });
    rows.mileage(rows.device(account, { tags_json: '["cold"]' }), { day: day + 1, carried_mm: 4_000_000 });
    await rows.save(database);
    const api = await startApi(database);
    const key = await keyOf(database, owner.email);
    const window = `from=${first}&to=${last}`;
    for (const group of ["device", "tag", "driver", "fleet"]) {
      for (const [period, sums] of [
        ["day", group === "device" ? [null, 3, 4] : [null, 7]],
        ["total", group === "device" ? [null, 4] : [null]],
      ] as const) {
        const path = `/reports/mileage/sums?${window}&group_by=${group}&period=${period}`;
        const found: SumsRow[] = (await everyRecord(api, key, path)) ?? [];
        expect(found.map(({ carried_km }) => `${carried_km}`).toSorted()).toEqual(sums.map(String).toSorted());
      }
    }
    await api.close();
  });

  test("keep what their group is named by, whatever `fields` says, on later pages, too", async () => {
    const { database } = await engine.fresh();
    const { get, keys, close } = await fleetOf(database);
    const [key = ""] = keys;
    const path = `/reports/mileage/sums?from=${first}&to=${last}&fields=distance_km&limit=1`;
    for (const [group, keysOfRow] of [
      ["tag", ["period_start", "device_id", "tag", "distance_km"]],
      ["driver", ["period_start", "device_id", "driver_id", "distance_km"]],
      ["device", ["period_start", "device_id", "distance_km"]],
    ] as const) {
      const { body } = await get(`${path}&group_by=${group}`, key);
      expect(Object.keys(body.data[0])).toEqual([...keysOfRow]);
      const next = await get(`/reports/mileage/sums?fields=distance_km&cursor=${body.next_cursor}`, key);
      expect(Object.keys(next.body.data[0])).toEqual([...keysOfRow]);
      // Dates beside a cursor are those of the first request, or contradict it.
      const beside = `/reports/mileage/sums?fields=distance_km&cursor=${body.next_cursor}&to=${last}`;
      expect((await get(`${beside}&from=${first}`, key)).status).toBe(200);
      const other = await get(`${beside}&from=2025-03-02`, key);
      expect([other.status, other.body.error?.message]).toEqual([400, expect.stringContaining("`from`")]);
    }
    await close();
  });
});
