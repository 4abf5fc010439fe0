import { expect, test } from "bun:test";
import { watchSilence } from "../../src/derive/upkeep/silent-trips.ts";
import type { Database } from "../../src/store/database.ts";
import { derivedFrom, derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { freshFleet, home, loadIngestFleet, newYear, randomFleet, vanImei } from "../support/ingest-fleet.ts";
import { forgetFrames, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";

const hourMs = 3_600_000;

function driveOf(minutes: number, everyS: number) {
  return straightDrive({ imei: vanImei, from: home, beginAt: newYear, minutes, kmh: 50, everyS });
}

async function trips(database: Database) {
  const { trips: rows, latest_positions: live } = await derivedTables(database);
  return {
    trips: rows.map(({ ended_at, end_reason }) => [ended_at, end_reason]),
    isOnTrip: live.map(({ trip_id }) => trip_id !== null),
  };
}

onEachEngine("a trip that falls silent", (engine) => {
  test("is over after an hour, where it was last seen, and its day has all of it", async () => {
    const { database } = await freshFleet(engine);
    const frames = driveOf(30, 10);
    const last = frames.at(-1)?.recordedAt ?? 0;
    await take(database, [frames]);
    expect(await watchSilence(database, last + hourMs - 1)).toBe(0);
    expect(await trips(database)).toEqual({ trips: [[null, null]], isOnTrip: [true] });
    expect(await watchSilence(database, last + hourMs + 1)).toBe(1);
    expect(await watchSilence(database, last + hourMs + 2)).toBe(0);
    expect(await trips(database)).toEqual({ trips: [[last, "gap"]], isOnTrip: [false] });
    const { trips: rows, mileage_days: days } = await derivedTables(database);
    expect(days.map(({ distance_mm }) => distance_mm)).toEqual(rows.map(({ distance_mm }) => distance_mm));
    // Deriving everything again leaves it so.
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });

  test("waits for four of the intervals of a tracker that seldom reports", async () => {
    const { database } = await freshFleet(engine);
    const frames = driveOf(300, 1800);
    const last = frames.at(-1)?.recordedAt ?? 0;
    await take(database, [frames]);
    expect(await watchSilence(database, last + 2 * hourMs - 1)).toBe(0);
    expect(await watchSilence(database, last + 2 * hourMs)).toBe(1);
  });

  test("goes on if frames come late, and ends as if the clock had never ended it", async () => {
    const frames = driveOf(240, 30);
    const cut = frames.length / 2;
    const { database } = await freshFleet(engine);
    const wanted = await derivedFrom(database, [frames]);
    for (const node of [undefined, newWriter(database)]) {
      await forgetFrames(database);
      await take(database, [frames.slice(0, cut)], node);
      expect(await watchSilence(database, newYear + 24 * hourMs)).toBe(1);
      await take(database, [frames.slice(cut, -5)], node);
      expect((await trips(database)).trips).toEqual([[null, null]]);
      await take(database, [frames.slice(-5)], node);
      expect(differencesOf(wanted, await derivedTables(database))).toEqual([]);
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    }
  });

  test("is ended alike whenever the clock looks: after each batch, or once", async () => {
    const frames = randomFleet(11, 120);
    const now = newYear + 1000 * hourMs;
    const [often, once] = [await engine.fresh(), await engine.fresh()];
    for (const { database } of [often, once]) await loadIngestFleet(database);
    const writer = newWriter(often.database);
    for (let begin = 0; begin < frames.length; begin += 25) {
      await take(often.database, [frames.slice(begin, begin + 25)], writer);
      await watchSilence(often.database, now);
    }
    await take(once.database, [frames]);
    await watchSilence(once.database, now);
    expect(differencesOf(await derivedTables(once.database), await derivedTables(often.database))).toEqual([]);
  });

  test("is not silent as long as its tracker sends with a clock that is hours behind", async () => {
    const { database } = await freshFleet(engine);
    const receivedAt = newYear + 5 * hourMs;
    await take(database, [driveOf(30, 10).map((frame) => ({ ...frame, receivedAt }))]);
    expect(await watchSilence(database, receivedAt + 20_000)).toBe(0);
    expect(await watchSilence(database, receivedAt + 31_000)).toBe(1);
  });
});
