import { expect, test } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { keyOf, startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { Seed } from "../support/seed.ts";

const seed = announcedSeed("mileage by periods");
const periods = ["day", "week", "month", "total"] as const;
const groups = ["device", "tag", "fleet"] as const;
type Period = (typeof periods)[number];

interface Day {
  readonly device_id: string;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
  readonly date: string;
  readonly distance_km: number;
  readonly trip_count: number;
  readonly driving_s: number;
  readonly idle_s: number;
  readonly max_speed_kmh: number | null;
  readonly gap_distance_km: number;
}

const dayMs = 86_400_000;
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const laterOf = (one: string, other: string) => (one > other ? one : other);
const earlierOf = (one: string, other: string) => (one < other ? one : other);

/** Walks day by day, to have no arithmetic in common with the program. */
function periodOf(period: Period, date: string, [from, to]: readonly [string, string]): readonly [string, string] {
  if (period === "total") return [from, to];
  const isFirst = (ms: number) =>
    period === "day" || (period === "week" ? new Date(ms).getUTCDay() === 1 : new Date(ms).getUTCDate() === 1);
  let start = Date.parse(date);
  while (!isFirst(start)) start -= dayMs;
  let end = Date.parse(date) + dayMs;
  while (!isFirst(end)) end += dayMs;
  return [laterOf(dateOf(start), from), earlierOf(dateOf(end), to)];
}

/** The rows of days, added up one by one. */
function summed(
  days: readonly Day[],
  period: Period,
  group: (typeof groups)[number],
  window: readonly [string, string],
  tagsOf: ReadonlyMap<string, readonly string[]>,
) {
  const rows = new Map<string, { key: readonly [string | null, string, string]; days: Day[] }>();
  for (const day of days) {
    const inside = laterOf(earlierOf(day.date, dateOf(Date.parse(window[1]) - dayMs)), window[0]);
    const [start, end] = periodOf(period, inside, window);
    const tags = tagsOf.get(day.device_id) ?? [];
    const members = group === "device" ? [day.device_id] : group === "fleet" || tags.length === 0 ? [null] : tags;
    for (const member of members) {
      const row = rows.get(`${member} ${start}`) ?? { key: [member, start, end] as const, days: [] };
      row.days.push(day);
      rows.set(`${member} ${start}`, row);
    }
  }
  const order = ([member, start]: readonly [string | null, string, string]) =>
    `${member === null ? "\uffff" : member}\u0000${start}`;
  return [...rows.values()]
    .sort((one, other) => (order(one.key) < order(other.key) ? -1 : 1))
    .map(({ key: [member, period_start, period_end], days: own }) => {
      const sum = (of: (day: Day) => number) => Math.round(own.reduce((all, day) => all + of(day) * 1e6, 0)) / 1e6;
      const speeds = own.flatMap(({ max_speed_kmh }) => max_speed_kmh ?? []);
      const [first] = own;
      const { device_id, imei, name, plate } =
        group === "device" && first ? first : { device_id: null, imei: null, name: null, plate: null };
      return {
        ...{ period_start, period_end, time_zone: "Europe/Berlin", device_id, imei, name, plate },
        tag: group === "tag" ? member : null,
        device_count: new Set(own.map((day) => day.device_id)).size,
        distance_km: sum((day) => day.distance_km),
        trip_count: sum((day) => day.trip_count),
        driving_s: sum((day) => day.driving_s),
        idle_s: sum((day) => day.idle_s),
        max_speed_kmh: speeds.length === 0 ? null : Math.max(...speeds),
        gap_distance_km: sum((day) => day.gap_distance_km),
      };
    });
}

async function fleetOf(database: Database, earlier_time_zones: string, salt: number) {
  const random = randomNumbers(seed + salt);
  const below = (count: number) => Math.floor(random() * count);
  const rows = new Seed();
  const account = rows.account({ time_zone: "Europe/Berlin", earlier_time_zones });
  const owner = rows.user(account, { role: "owner" });
  const anna = rows.user(account);
  const tagsOf = new Map<string, readonly string[]>();
  const tagLists = [["cold"], ["cold", "north"], ["Zug", "ärger", "cold"], []];
  for (let index = 0; index < 9; index++) {
    const tags = tagLists[below(tagLists.length)] ?? [];
    const device = rows.device(account, { tags_json: JSON.stringify(tags), seenBy: below(2) ? [anna] : [] });
    tagsOf.set(device.id, tags);
    for (let day = below(30); day < 460; day += 1 + below(index === 8 ? 90 : 4)) {
      rows.mileage(device, {
        day: Date.parse("2025-01-01") / dayMs + day,
        // Days of an earlier zone are those of long ago.
        time_zone: earlier_time_zones !== "" && day < 230 ? earlier_time_zones : "Europe/Berlin",
        distance_mm: below(500_000) * 1000,
        trip_count: below(9),
        driving_ms: below(30_000) * 1000,
        idle_ms: below(3_000) * 1000,
        max_speed_m_per_h: below(5) ? below(130_000) : null,
        gap_distance_mm: below(9_000) * 1000,
      });
    }
  }
  // Of another account.
  rows.mileage(rows.device(rows.account(), { tags_json: '["cold"]' }), { day: Date.parse("2025-06-01") / dayMs });
  await rows.save(database);
  const api = await startApi(database);
  const keys = [await keyOf(database, owner.email), await keyOf(database, anna.email)];
  return { ...api, keys, tagsOf, below };
}

onEachEngine("the mileage of periods", (engine) => {
  test.each(["", "Pacific/Auckland", "America/Los_Angeles"])(
    "is the sum of its days, for each period, group and viewer (earlier zone: %p)",
    async (earlier) => {
      const { database } = await engine.fresh();
      const { get, close, keys, tagsOf, below } = await fleetOf(database, earlier, earlier.length);
      for (let round = 0; round < rounds(4, 12); round++) {
        const start = Date.parse("2025-01-01") + below(300) * dayMs;
        const window = [dateOf(start), dateOf(start + (1 + below(round % 2 ? 366 : 40)) * dayMs)] as const;
        for (const key of keys) {
          const path = `/reports/mileage?from=${window[0]}&to=${window[1]}`;
          const days: Day[] = (await get(path, key)).body.data;
          for (const period of periods) {
            for (const group of groups) {
              const { status, body } = await get(`${path}&period=${period}&group_by=${group}`, key);
              expect([status, body.next_cursor]).toEqual([200, null]);
              expect(body.data).toEqual(summed(days, period, group, window, tagsOf));
            }
          }
        }
      }
      await close();
    },
  );

  test("is that of a device each day, if only one of the two is named; in CSV, too, and of one device", async () => {
    const { database } = await engine.fresh();
    const { get, close, keys, tagsOf } = await fleetOf(database, "", 7);
    const [key = ""] = keys;
    const path = "/reports/mileage?from=2025-02-03&to=2025-03-05";
    const whole = (await get(`${path}&period=week&group_by=device`, key)).body;
    expect((await get(`${path}&period=week`, key)).body).toEqual(whole);
    expect((await get(`${path}&group_by=tag`, key)).body).toEqual(
      (await get(`${path}&group_by=tag&period=day`, key)).body,
    );
    const [id = ""] = tagsOf.keys();
    const ofOne = whole.data.filter((row: { device_id: string }) => row.device_id === id);
    expect((await get(`${path}&period=week&device_id=${id}`, key)).body.data).toEqual(ofOne);
    const csv = (await get(`${path}&period=week&format=csv`, key)).text.split("\r\n");
    expect(csv).toHaveLength(whole.data.length + 2);
    expect(csv[0]).toBe(Object.keys(whole.data[0]).join(","));
    const lines = (await get(`${path}&period=week&format=ndjson`, key)).text.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(whole.data);
    expect((await get(`${path}&period=year`, key)).status).toBe(400);
    await close();
  });

  test("of many devices and days is streamed, and is whole", async () => {
    const { database } = await engine.fresh();
    const rows = new Seed();
    const account = rows.account();
    const owner = rows.user(account, { role: "owner" });
    const day = Date.parse("2025-12-31") / dayMs;
    for (let index = 0; index < 620; index++) {
      const device = rows.device(account, { tags_json: index % 2 ? '["odd"]' : "[]" });
      for (const back of [0, 100, 200]) rows.mileage(device, { day: day - back, distance_mm: 1_000_000 });
    }
    await rows.save(database);
    const { get, close } = await startApi(database);
    const key = await keyOf(database, owner.email);
    const path = "/reports/mileage?from=2025-01-01&to=2026-01-01&period=total";
    for (const [format, length] of [
      ["json", null],
      ["ndjson", 2],
      ["csv", 3],
    ] as const) {
      const { status, body, text } = await get(`${path}&group_by=tag&format=${format}`, key);
      expect(status).toBe(200);
      if (length !== null) expect(text.trim().split("\n")).toHaveLength(length);
      else
        expect(body.data).toMatchObject([
          { tag: "odd", device_count: 310, distance_km: 930 },
          { tag: null, device_count: 310, distance_km: 930 },
        ]);
    }
    const ofDevices: { device_id: string; distance_km: number }[] = (await get(path, key)).body.data;
    expect(ofDevices).toHaveLength(620);
    expect(new Set(ofDevices.map(({ distance_km }) => distance_km))).toEqual(new Set([3]));
    expect(ofDevices.map(({ device_id }) => device_id)).toEqual(ofDevices.map(({ device_id }) => device_id).toSorted());
    await close();
  });
});
