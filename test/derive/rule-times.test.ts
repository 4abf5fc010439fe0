import { expect, test } from "bun:test";
import { watchOffline } from "../../src/derive/upkeep/offline-watch.ts";
import { alertTypes } from "../../src/domain/alert-types.ts";
import type { RuleTimes } from "../../src/domain/alerts/rule-times.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { derivedFrom, derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { type FleetRecord, hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";
import { arrivals, inOrder } from "../support/ingest-arrival.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { devices, fences, freshFleet, home, newYear, people, randomFleet, vanImei } from "../support/ingest-fleet.ts";
import { newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { cutTo, spansByClock } from "../support/times-oracle.ts";

const seed = announcedSeed("times of rules");
const { acme } = smallFleet;
const every: RuleTimes["within"][number]["days"] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** Many parts of an hour, some that touch, and a day off: the frames begin on a Thursday, at nine in the morning. */
const times: RuleTimes = {
  within: [
    { days: ["thu", "fri"], from: "09:15", until: "09:45" },
    { days: every, from: "10:30", until: "11:15" },
    { days: ["thu", "sat"], from: "11:15", until: "12:00" },
    { days: ["thu"], from: "18:00", until: "06:00" },
  ],
  dates_off: ["2026-01-03"],
};

const parameters = { limit_kmh: 60, above_c: 8, below_c: 2, after_s: 120 };
const isOfCrossing = (type: string) => type.startsWith("geofence");

function rulesFor(given: RuleTimes | null): FleetRecord {
  return {
    type: "alert_settings",
    account_id: acme.id,
    valid_from: "2020-01-01T00:00:00Z",
    rules: alertTypes
      .filter((type) => type !== "tyre_pressure_low" && (given !== null || type !== "unauthorised_movement"))
      .map((alert_type) => ({
        alert_type,
        parameters: given === null ? parameters : { ...parameters, times: given },
        ...(isOfCrossing(alert_type) ? { geofence_ids: [fences.town.id, fences.ring.id] } : {}),
      })),
  };
}

interface Row {
  readonly device: number;
  readonly alert_type: string;
  readonly occurred_at: number;
  readonly ended_at: number | null;
}

function alertsOf(database: Database): Promise<Row[]> {
  return database.all<Row>(sql`select device, alert_type, occurred_at, ended_at from alerts`);
}

function tripsOf(database: Database): Promise<Row[]> {
  return database.all<Row>(sql`
    select device, 'unauthorised_movement' as alert_type, started_at as occurred_at, ended_at from trips`);
}

async function lastFrames(database: Database): Promise<Map<number, number>> {
  const rows = await database.all<{ device: number; head_recorded_at: number }>(sql`
    select device, head_recorded_at from device_folds where head_recorded_at is not null`);
  return new Map(rows.map(({ device, head_recorded_at }) => [device, head_recorded_at]));
}

const inWords = ({ device, alert_type, occurred_at, ended_at }: Row) =>
  JSON.stringify([device, alert_type, occurred_at, ended_at]);

/** A trip under way may stand by now, so its drive is not compared. */
function cutRows(rows: readonly Row[], zone: string, last: ReadonlyMap<number, number>): string[] {
  const spans = spansByClock(times, zone, newYear - 86_400_000, Math.max(...last.values()));
  return rows
    .filter(({ alert_type, ended_at }) => alert_type !== "unauthorised_movement" || ended_at !== null)
    .flatMap((row) =>
      cutTo(spans, row.occurred_at, row.ended_at, last.get(row.device) ?? 0).map(([occurred_at, ended_at]) =>
        inWords({ ...row, occurred_at, ended_at }),
      ),
    )
    .sort();
}

onEachEngine("rules with times", (engine) => {
  const frames = inOrder([
    ...straightDrive({ imei: vanImei, from: home, beginAt: newYear - 60_000, minutes: 90, kmh: 70, everyS: 30 }),
    ...randomFleet(seed, rounds(120, 400), newYear + 2 * hourMs),
  ]);

  test("raise what they raise without, cut to the times, in any order of arrival and after a change of zone", async () => {
    const { database } = await engine.fresh();
    const fleet = [...people, ...devices, ...Object.values(fences)];
    await load(database, [...fleet, rulesFor(null)]);
    await take(database, [frames]);
    const always = [...(await alertsOf(database)), ...(await tripsOf(database))];
    const last = await lastFrames(database);
    const withTimes = rulesFor(times);
    await load(database, [withTimes], loadedAt + hourMs);
    await newWriter(database).schedule.deriveLeft();
    let compared = 0;
    for (const [index, zone] of ["UTC", "Asia/Kolkata", "America/New_York"].entries()) {
      await load(database, [{ ...acme, time_zone: zone }], loadedAt + (2 + index) * hourMs);
      await newWriter(database).schedule.deriveLeft();
      const underWay = new Map(
        (await tripsOf(database)).flatMap((row) => (row.ended_at === null ? [[row.device, row]] : [])),
      );
      const found = (await alertsOf(database)).filter(
        ({ device, alert_type, occurred_at }) =>
          alert_type !== "unauthorised_movement" ||
          occurred_at < (underWay.get(device)?.occurred_at ?? Number.MAX_VALUE),
      );
      expect([zone, found.map(inWords).sort()]).toEqual([zone, cutRows(always, zone, last)]);
      compared += found.length;
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    }
    expect(compared).toBeGreaterThan(0);
    const inTheirOrder = await derivedTables(database);
    const random = randomNumbers(seed);
    for (const arrive of Object.values(arrivals).slice(0, rounds(2, 9))) {
      expect(differencesOf(inTheirOrder, await derivedFrom(database, arrive(frames, random)))).toEqual([]);
    }
  });

  test("report a silence once, when they begin", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [straightDrive({ imei: vanImei, from: home, beginAt: newYear, minutes: 10, kmh: 50 })]);
    const working: RuleTimes = { within: [{ days: ["mon", "tue"], from: "08:00", until: "18:00" }], dates_off: [] };
    const rule = { alert_type: "device_offline", parameters: { after_s: 3600, times: working } };
    const settings = { type: "alert_settings", account_id: acme.id, valid_from: "2020-01-01T00:00:00Z", rules: [rule] };
    await load(database, [settings], loadedAt + hourMs);
    // The frames are of a Thursday.
    const monday = Date.UTC(2026, 0, 5, 8);
    const offline = async () => (await alertsOf(database)).filter(({ alert_type }) => alert_type === "device_offline");
    expect(await watchOffline(database, monday - 1)).toBe(0);
    expect(await watchOffline(database, monday + 60_000)).toBe(1);
    expect(await watchOffline(database, monday + 26 * hourMs)).toBe(0);
    expect(await offline()).toMatchObject([{ occurred_at: monday, ended_at: null }]);
    const back = monday + 30 * hourMs;
    await take(database, [straightDrive({ imei: vanImei, from: home, beginAt: back, minutes: 1, kmh: 50 })]);
    expect((await offline()).map(({ ended_at }) => (ended_at ?? 0) >= back)).toEqual([true]);
  });
});
