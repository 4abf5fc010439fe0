import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { FrameQueue } from "../../src/intake/queue.ts";
import { directoryByImei } from "../../src/store/fleet/device-writes.ts";
import { sql } from "../../src/store/sql.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { recordsIn } from "../support/exported-fleet.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { noReport } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { storedFrames } from "../support/stored-frames.ts";
import { runExport, runImport } from "./export-run.ts";

const { imei } = smallFleet.car;
const fleet = [smallFleet.acme, smallFleet.olga, smallFleet.car];
const beginAt = Date.UTC(2026, 4, 30, 8);
const window = { from: "2024-01-01", to: "2026-09-01", imei, rejected: true };

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const number = (min: number, max: number) => orNull(fc.double({ min, max, noNaN: true }).map((value) => value + 0));

/** Texts that a spreadsheet, a reader of tables or one of XML could misread. */
const trickyTexts = [
  "-",
  "none",
  "null",
  "n/a",
  "=1+1",
  "'=1+1",
  "''@x",
  " sos ",
  "a,b",
  'a"b',
  "<&>",
  "]]>",
  "−5",
  "sos;x",
  "sos;=1",
  "sos;' '@x",
  "＝1",
];
const event = fc.oneof(
  fc.constantFrom(...trickyTexts),
  fc
    .string({ unit: "binary", minLength: 1, maxLength: 20 })
    .filter((text) => /^(?=.*\S)[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Cn}\p{Co}]{1,64}$/u.test(text)),
);

const fuel = (level_percent: number, sensor = "tank") =>
  ({ kind: "fuel", sensor, level_percent, volume_l: null }) as const;

/** What a tracker may send, much of it odd: no two frames at the same moment. */
const frameArbitrary = fc.record({
  secondsLater: fc.integer({ min: 1, max: 120 }),
  delayMs: fc.constantFrom(0, 350, 90_000, 3 * 86_400_000, -600_000, 500 * 86_400_000),
  isTimeless: fc.nat(15).map((chance) => chance === 0),
  place: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(
        fc.double({ min: 52, max: 52.02, noNaN: true }),
        fc.double({ min: 13, max: 13.02, noNaN: true }),
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom([null, null], [0, 0], [1e-7, -1.5e-7], [95, 13], [60, -170.25]) },
  ),
  values: fc.record({
    altitude_m: number(-100, 3000),
    speed_kmh: number(0, 130),
    heading_deg: number(0, 360),
    accuracy_m: number(0, 400),
    satellites: orNull(fc.integer({ min: 0, max: 20 })),
    hdop: number(0, 25),
    ignition: orNull(fc.boolean()),
    odometer_km: number(0, 1e6),
    battery_percent: number(0, 100),
    external_voltage_v: number(0, 30),
    event: orNull(event),
    driver_id: fc.option(event.map(driverIdOf), { nil: undefined }),
    time_source: fc.option(fc.constant("receipt" as const), { nil: undefined }),
    fix: fc.constantFrom(null, null, true, false),
    source: fc.constantFrom(null, null, "gps" as const, "cell" as const, "wifi" as const),
    sensors: fc.constantFrom([], [], [fuel(20)], [fuel(20.5), fuel(40, "second")]),
  }),
});

/** Spaces around it go where it comes in; without anything else there is none. */
function driverIdOf(text: string): string {
  return text.trim() || "x";
}

function framesOf(
  drawn: readonly (typeof frameArbitrary extends fc.Arbitrary<infer T> ? T : never)[],
): IncomingFrame[] {
  let at = beginAt;
  const frames = drawn.map(({ secondsLater, delayMs, isTimeless, place: [latitude, longitude], values }) => {
    at += secondsLater * 1000;
    const receivedAt = Math.min(at + delayMs, Date.UTC(2026, 7, 30));
    const frame = { ...noReport, ...values, imei, latitude: latitude ?? null, longitude: longitude ?? null };
    // A frame without a time is stored by its receipt, which must be a moment of its own, too.
    return isTimeless ? { ...frame, recordedAt: null, receivedAt: at + 7 } : { ...frame, recordedAt: at, receivedAt };
  });
  // What is drawn may have none of these.
  const tricky = trickyTexts.map((event, index) => ({
    ...fixedFrame,
    event,
    driver_id: driverIdOf(trickyTexts[(index + 1) % trickyTexts.length] ?? ""),
    recordedAt: at + (index + 1) * 1000,
  }));
  return [...frames, ...tricky.map((frame) => ({ ...frame, receivedAt: frame.recordedAt }))];
}

async function store({ database }: FreshDatabase, frames: readonly IncomingFrame[]): Promise<void> {
  const [device] = await directoryByImei(database, [imei]);
  const outcomes = await new FrameQueue(database, () => {}).submit(device?.account_id ?? 0, frames);
  expect(outcomes.filter((outcome) => outcome !== "accepted")).toEqual([]);
}

const fixedFrame: Omit<IncomingFrame, "recordedAt" | "receivedAt"> = {
  ...noReport,
  imei,
  latitude: 52.25,
  longitude: 13.5,
  fix: true,
  source: "gps",
  sensors: [fuel(12.5)],
};

/** Everything that is stored of the device. */
async function stored({ database }: FreshDatabase): Promise<unknown> {
  const [device] = await directoryByImei(database, [imei]);
  const ofDevice = sql`where account_id = ${device?.account_id ?? 0} and device = ${device?.device ?? 0}`;
  const frames = await storedFrames(database, { accountId: device?.account_id ?? 0, device: device?.device ?? 0 });
  const readings = await database.all(sql`select * from readings ${ofDevice} order by recorded_at, kind`);
  return { frames, readings };
}

async function history(given: FreshDatabase): Promise<Record<string, unknown>[]> {
  const output = join(given.directory, "history.ndjson");
  await runExport(given, "positions", { ...window, output });
  return recordsIn(await readFile(output, "utf8"));
}

const hasGpxPlace = ({ latitude, longitude }: Record<string, unknown>) =>
  typeof latitude === "number" && Math.abs(latitude) <= 90 && Math.abs(Number(longitude)) <= 180;

onEachEngine("what was exported", (engine) => {
  const runs = { numRuns: rounds(3, 20) };

  test("as CSV is imported as the same frames, with the same times and verdicts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frameArbitrary, { minLength: 1, maxLength: 60 }), async (drawn) => {
        const [from, to] = [await engine.fresh(), await engine.fresh()];
        for (const { database } of [from, to]) await load(database, fleet);
        await store(from, framesOf(drawn));
        const file = join(from.directory, "track.csv");
        await runExport(from, "positions", { ...window, output: file });
        await runImport(to, file, { imei });
        expect(await history(to)).toEqual(await history(from));
        await Promise.all([from.dispose(), to.dispose()]);
      }),
      runs,
    );
  });

  test("as GPX is imported as the same frames, but for those without a place", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frameArbitrary, { minLength: 1, maxLength: 60 }), async (drawn) => {
        // What a frame without a place says of its reception counts for the verdicts of others.
        const frames = framesOf(drawn).map((frame) =>
          frame.latitude === null ? { ...frame, satellites: null, hdop: null, accuracy_m: null } : frame,
        );
        const [from, to] = [await engine.fresh(), await engine.fresh()];
        for (const { database } of [from, to]) await load(database, fleet);
        await store(from, [
          { ...noReport, imei, recordedAt: beginAt, receivedAt: beginAt, latitude: 52, longitude: 13 },
        ]);
        await store(from, frames);
        const file = join(from.directory, "track.gpx");
        await runExport(from, "positions", { ...window, output: file });
        await runImport(to, file, { imei });
        expect(await history(to)).toEqual((await history(from)).filter(hasGpxPlace));
        await Promise.all([from.dispose(), to.dispose()]);
      }),
      runs,
    );
  });

  test("changes nothing in the store that it comes from", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frameArbitrary, { minLength: 1, maxLength: 60 }), async (drawn) => {
        const given = await engine.fresh();
        await load(given.database, fleet);
        const frames = framesOf(drawn);
        await store(given, frames);
        await store(given, [{ ...fixedFrame, recordedAt: beginAt, receivedAt: beginAt }]);
        const before = await stored(given);
        for (const format of ["csv", "gpx"]) {
          const file = join(given.directory, `track.${format}`);
          await runExport(given, "positions", { ...window, output: file });
          const { added, refused } = JSON.parse(await runImport(given, file, { imei, json: true }));
          expect([format, added, refused]).toEqual([format, 0, 0]);
          expect(await stored(given)).toEqual(before);
        }
        await given.dispose();
      }),
      runs,
    );
  });

  test("tells apart frames of one moment that differ in what the tracker said of its fix and source", async () => {
    const [from, to] = [await engine.fresh(), await engine.fresh()];
    for (const { database } of [from, to]) await load(database, fleet);
    const frame = { ...fixedFrame, recordedAt: beginAt, receivedAt: beginAt };
    await store(from, [
      { ...frame, fix: false },
      { ...frame, source: "wifi" },
      { ...frame, fix: true },
    ]);
    const file = join(from.directory, "track.csv");
    await runExport(from, "positions", { ...window, output: file });
    const imported = async (given: FreshDatabase) => JSON.parse(await runImport(given, file, { imei, json: true }));
    expect(await imported(from)).toEqual({ added: 0, unchanged: 3, refused: 0 });
    expect(await imported(to)).toEqual({ added: 3, unchanged: 0, refused: 0 });
    expect(await imported(to)).toEqual({ added: 0, unchanged: 3, refused: 0 });
    // A row that someone changed is another frame.
    await writeFile(file, (await readFile(file, "utf8")).replaceAll("52.25", "52.26"));
    expect(await imported(from)).toEqual({ added: 3, unchanged: 0, refused: 0 });
  });
});
