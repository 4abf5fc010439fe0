import { expect, test } from "bun:test";
import { type Explanation, explainId, explainMileage } from "../../src/derive/explain/explain.ts";
import { dropOldFrames } from "../../src/derive/upkeep/retention.ts";
import { watchSilence } from "../../src/derive/upkeep/silent-trips.ts";
import type { Database } from "../../src/store/database.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { derivedTables } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { fences, freshFleet, home, loadIngestFleet, newYear, randomFleet, vanImei } from "../support/ingest-fleet.ts";
import { newWriter, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { Track } from "../support/track.ts";

const seed = announcedSeed("explanations");
const count = 350;
const frames = randomFleet(seed, count);

interface DayRow {
  readonly account_id: number;
  readonly device: number;
  readonly day: number;
  readonly distance_mm: number;
  readonly distance_source: string;
  readonly driving_ms: number;
  readonly idle_ms: number;
  readonly gap_distance_mm: number;
}

async function explainedDays(database: Database): Promise<{ row: DayRow; explanation: Explanation | null }[]> {
  const rows = await database.all<DayRow>(plainSql("select * from mileage_days order by device, day"));
  const explained = [];
  for (const row of rows) {
    const key = { accountId: row.account_id, device: row.device };
    explained.push({ row, explanation: await explainMileage(database, key, row.day) });
  }
  return explained;
}

/** That the parts of a day give its row, to the millimetre and the millisecond. */
function expectSum({ row, explanation }: Awaited<ReturnType<typeof explainedDays>>[number]): void {
  const sum = (name: "distanceMm" | "gapMm" | "drivingMs" | "idleMs") =>
    (explanation?.parts ?? []).reduce((all, part) => all + part[name], 0);
  expect({ day: row.day, idle: sum("idleMs"), driving: sum("drivingMs"), gap: sum("gapMm") }).toEqual({
    day: row.day,
    idle: row.idle_ms,
    driving: row.driving_ms,
    gap: row.gap_distance_mm,
  });
  const isPartlyByOdometer = text(explanation, "Distance").includes("which agrees");
  if (!isPartlyByOdometer) expect(sum("distanceMm")).toBe(row.distance_mm);
}

async function explainAll(database: Database): Promise<(Explanation | null)[]> {
  const { trips, geofence_events } = await derivedTables(database);
  const explained = [];
  for (const { id } of [...trips, ...geofence_events]) explained.push(await explainId(database, String(id)));
  return explained;
}

function text(explanation: Explanation | null, title?: string): string {
  const sections = explanation?.sections.filter((section) => title === undefined || section.title === title) ?? [];
  return sections.flatMap(({ lines }) => lines).join("\n");
}

onEachEngine("explanations", (engine) => {
  const filled = engine.copies(async ({ database }) => {
    await loadIngestFleet(database);
    await take(database, [frames]);
  });

  test("find every row of drives at random as it is stored, and change nothing", async () => {
    const { database } = await filled();
    const before = await everyRow(database);
    const explained = await explainAll(database);
    expect(explained.length).toBeGreaterThan(5);
    for (const explanation of explained) {
      expect(explanation).toMatchObject({ notes: [], isAsStored: true });
      expect(explanation?.sections.length).toBeGreaterThan(2);
      expect(text(explanation)).not.toMatch(/undefined|NaN|null|not stored any more/);
    }
    expect(await everyRow(database)).toEqual(before);
  });

  test("give parts of each day that add up to its row, in every time zone", async () => {
    const { database } = await filled();
    for (const [index, time_zone] of ["UTC", "Asia/Kolkata", "Pacific/Kiritimati"].entries()) {
      await load(database, [{ ...smallFleet.acme, time_zone }], loadedAt + hourMs + index);
      await newWriter(database).schedule.deriveLeft();
      const days = await explainedDays(database);
      expect(days.length).toBeGreaterThan(2);
      for (const day of days) {
        expectSum(day);
        expect(day.explanation).toMatchObject({ notes: [], isAsStored: true });
      }
    }
  });

  test("say that frames were dropped, and add up what the rest shows", async () => {
    const { database } = await filled();
    // More than half of every drive, so that some rows are gone with every seed.
    const drives = [...Map.groupBy(frames, ({ imei }) => imei).values()].map(inOrder);
    await dropOldFrames(database, Math.max(...drives.map((own) => own[count * 0.6]?.recordedAt ?? 0)));
    const explained = await explainAll(database);
    const gone = explained.filter((explanation) => explanation?.isAsStored === null);
    expect(gone.length).toBeGreaterThan(0);
    for (const explanation of gone) {
      expect(explanation?.notes).toEqual([expect.stringMatching(/^The frames up to .* were dropped/)]);
      expect(explanation?.sections.map(({ title }) => title)).toEqual(["The row"]);
    }
    const days = await explainedDays(database);
    for (const day of days) {
      if (day.explanation?.isAsStored === null) continue;
      expectSum(day);
      expect(day.explanation?.isAsStored).toBe(true);
    }
    expect(days.some(({ explanation }) => explanation?.parts.some(({ kind }) => kind === "gone"))).toBe(true);
  });

  test("say that a row waits to be derived again", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [new Track(vanImei, newYear, home).stand(5).drive(10, 50).stand(10).frames]);
    await database.transaction((tx) => tx.run(plainSql("update trips set distance_mm = 5, position_count = 1")));
    const [trip] = await explainAll(database);
    expect(trip).toMatchObject({ kind: "trip", isAsStored: false });
    expect(trip?.notes.join()).toContain("The stored frames now give another distance_mm, position_count: ");
    expect(text(trip ?? null, "The row")).toContain(": 0.000 km");
    expect(text(trip ?? null, "Distance")).toMatch(/^8\.\d{3} km;/);

    // The fence is another one, and nothing was derived since.
    const smaller = { ...fences.town, radius_m: 300, valid_from: new Date(newYear - hourMs).toISOString() };
    const [exit] = await database.all<{ id: string }>(sql`select id from geofence_events
      where geofence_id = ${fences.town.id} and event_type = ${"exit"}`);
    await load(database, [smaller]);
    const missing = await explainId(database, exit?.id ?? "");
    expect(missing).toMatchObject({ kind: "crossing", isAsStored: false });
    expect(missing?.notes.join()).toContain("The stored frames do not give this row now: ");
  });

  test("say that silence ended a trip by the clock, and what keeps one in progress", async () => {
    const { database } = await freshFleet(engine);
    const track = new Track(vanImei, newYear, home).stand(5).drive(10, 50);
    await take(database, [track.frames]);
    const [open] = await explainAll(database);
    expect(text(open ?? null, "End")).toBe(
      "It has not ended. Its last position is of 09:15:00Z. If none comes for 60 min, it ends there.",
    );
    expect(await watchSilence(database, track.at + 2 * hourMs)).toBe(1);
    const [ended] = await explainAll(database);
    expect(ended).toMatchObject({ notes: [], isAsStored: true });
    expect(text(ended ?? null, "End")).toContain("No position came for 60 min: it ended where it was last seen.");
    for (const day of await explainedDays(database)) expectSum(day);
  });

  test("say who drove, and by which card it is known", async () => {
    const { database } = await freshFleet(engine);
    const track = new Track(vanImei, newYear, home).stand(5).send(30, { speed_kmh: 0, driver_id: "4711" }).stand(2);
    track.drive(5, 50);
    track.fields = { driver_id: "4712" };
    track.drive(1, 50);
    track.fields = {};
    await take(database, [track.drive(4, 50).stand(10).frames]);
    const [trip] = await explainAll(database);
    expect(text(trip ?? null, "Drivers").split("\n")).toEqual([
      "4711 drove from 09:07:30Z to 09:12:40Z, by the card sent 120 s before, 09:05:30Z.",
      "4712 drove from 09:12:40Z to 09:18:00Z, by the card sent then.",
      "4712: sent with 6 frames, 09:12:40Z to 09:13:30Z.",
    ]);
  });

  test("know no other ids and days", async () => {
    const { database } = await freshFleet(engine);
    expect(await explainId(database, smallFleet.van.id)).toBeNull();
    expect(await explainMileage(database, { accountId: 1, device: 1 }, 20_000)).toBeNull();
  });
});
