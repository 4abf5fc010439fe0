import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { FrameQueue } from "../../src/intake/queue.ts";
import { directoryByImei } from "../../src/store/device-writes.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { noReport } from "../support/random-drive.ts";
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
  "＝1",
];
const event = fc.oneof(
  fc.constantFrom(...trickyTexts),
  fc
    .string({ unit: "binary", minLength: 1, maxLength: 20 })
    .filter((text) => /^(?=.*\S)[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Cn}\p{Co}]{1,64}$/u.test(text)),
);

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
    fix: fc.constantFrom(null, null, true, false),
    source: fc.constantFrom(null, null, "gps" as const, "cell" as const, "wifi" as const),
  }),
});

function framesOf(
  drawn: readonly (typeof frameArbitrary extends fc.Arbitrary<infer T> ? T : never)[],
): IncomingFrame[] {
  let at = beginAt;
  return drawn.map(({ secondsLater, delayMs, isTimeless, place: [latitude, longitude], values }) => {
    at += secondsLater * 1000;
    const receivedAt = Math.min(at + delayMs, Date.UTC(2026, 7, 30));
    const frame = { ...noReport, ...values, imei, latitude: latitude ?? null, longitude: longitude ?? null };
    // A frame without a time is stored by its receipt, which must be a moment of its own, too.
    return isTimeless ? { ...frame, recordedAt: null, receivedAt: at + 7 } : { ...frame, recordedAt: at, receivedAt };
  });
}

async function store({ database }: FreshDatabase, frames: readonly IncomingFrame[]): Promise<void> {
  const [device] = await directoryByImei(database, [imei]);
  const outcomes = await new FrameQueue(database, () => {}).submit(device?.account_id ?? 0, frames);
  expect(outcomes.filter((outcome) => outcome !== "accepted")).toEqual([]);
}

async function history(given: FreshDatabase): Promise<Record<string, unknown>[]> {
  const output = join(given.directory, "history.ndjson");
  await runExport(given, "positions", { ...window, output });
  return (await readFile(output, "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const hasGpxPlace = ({ latitude, longitude }: Record<string, unknown>) =>
  typeof latitude === "number" && Math.abs(latitude) <= 90 && Math.abs(Number(longitude)) <= 180;

onEachEngine("what was exported", (engine) => {
  const runs = { numRuns: 6 };

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
        const frames = framesOf(drawn);
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
});
