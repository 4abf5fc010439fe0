import { expect, test } from "bun:test";
import fc from "fast-check";
import { readCanonicalFrame } from "../../src/intake/formats/canonical.ts";
import { derivedFrom, derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { batched } from "../support/ingest-arrival.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { freshFleet, home, imeis, loadIngestFleet, newYear } from "../support/ingest-fleet.ts";
import { dirtyCount, nothingChanged, rederiveAll } from "../support/ingest-node.ts";
import { canonical, openPort } from "../support/ingest-port.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { randomNumbers, shuffled } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";

const hourMs = 3_600_000;
const dayMs = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();
const isoTime = fc.oneof(
  fc.integer({ min: newYear - 3 * dayMs, max: newYear + 3 * dayMs }).map(iso),
  fc.constantFrom("0000-01-01T00:00:00Z", "1970-01-01", "1999-08-22T00:00:00Z", "2006-05-18T12:00:00Z", "2015-01-01"),
  fc.constantFrom("2026-01-01T12:00:00+14:00", "2026-01-01 12:00", "2038-01-19T03:14:08Z", "9999-12-31T23:59:59.999Z"),
);

const extreme = fc.oneof(
  fc.constantFrom(0, -0, 1e-320, Number.MIN_VALUE, 1e6, -1e6, 1e8, 100_000_000, Number.MAX_SAFE_INTEGER, 1e308, -1e308),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);
const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.constantFrom("\u0000", "\ud800", "'; drop table frames; --", "%s%n", "\u202e", "💥".repeat(70), '"}]', "null"),
  fc.constantFrom("sos", "crash", "a", "toString", "__proto__"),
);
const anything = fc.oneof(extreme, nasty, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }));

const within = (least: number, most: number) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.double({ min: least, max: most, noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(least, most) },
  );
/** Mostly what can be believed, and now and then whatever is not refused. */
const mostly = <T>(believable: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: believable }, { weight: 1, arbitrary: other });

const name = fc.constantFrom("tank_1", "'; drop table frames; --", "💥".repeat(60), "__proto__", '"}]', "\\u0000", "é́");
const sensor = fc.oneof(
  fc.record({ kind: fc.constant("fuel"), sensor: name, level_percent: within(0, 150), volume_l: within(0, 1e6) }),
  fc.record({
    kind: fc.constant("temperature"),
    sensor: name,
    temperature_c: within(-273.15, 2000),
    humidity_percent: within(0, 150),
  }),
  fc.record({
    kind: fc.constant("tyre"),
    axle: fc.integer({ min: 1, max: 20 }),
    wheel: fc.integer({ min: 1, max: 20 }),
    pressure_kpa: within(0, 10_000),
    temperature_c: within(-273.15, 2000),
  }),
);
const sensors = fc.uniqueArray(sensor, {
  maxLength: 6,
  selector: (one) => `${one.kind} ${"sensor" in one ? one.sensor : `${one.axle} ${one.wheel}`}`,
});

/** Within every bound, and hardly ever sensible. Some are of one moment, or of one place. */
const absurd = fc
  .tuple(
    fc.record(
      {
        imei: fc.constantFrom(...imeis),
        latitude: mostly(
          fc.oneof(within(52.49, 52.51), within(52.4, 52.6), fc.constant(52.5)),
          fc.oneof(within(-90, 90), within(-1e6, 1e6)),
        ),
        longitude: mostly(
          fc.oneof(within(13.39, 13.41), within(13.3, 13.5), fc.constant(13.4)),
          fc.oneof(within(-180, 180), within(-1e6, 1e6)),
        ),
        fix: mostly(fc.constant(true), fc.constant(false)),
        source: mostly(fc.constant("gps"), fc.constantFrom("cell", "wifi")),
        altitude_m: within(-20_000, 100_000),
        speed_kmh: mostly(within(0, 200), within(0, 10_000)),
        heading_deg: within(0, 360),
        accuracy_m: mostly(within(0, 200), within(0, 1e8)),
        satellites: mostly(fc.integer({ min: 4, max: 30 }), fc.integer({ min: 0, max: 200 })),
        hdop: mostly(within(0, 20), within(0, 10_000)),
        ignition: fc.boolean(),
        odometer_km: mostly(within(1000, 1100), within(0, 1e8)),
        battery_percent: within(0, 100),
        external_voltage_v: mostly(within(0, 30), within(0, 1000)),
        event: fc.constantFrom(
          "sos",
          "crash",
          "harsh_braking",
          "toString",
          "💥".repeat(60),
          "'; drop table frames; --",
        ),
        sensors,
      },
      { requiredKeys: ["imei", "latitude", "longitude"] },
    ),
    mostly(
      fc.integer({ min: -6 * 3600, max: 0 }).map((seconds) => newYear + seconds * 1000),
      fc.constant(newYear),
    ),
    mostly(fc.integer({ min: 0, max: 3_600_000 }), fc.integer({ min: -dayMs, max: 500 * dayMs })),
    mostly(fc.constant(null), isoTime),
  )
  .map(([fields, at, lateMs, odd]) => ({ ...fields, recorded_at: odd ?? iso(at), received_at: iso(at + lateMs) }));

/** Such a frame in which some fields are anything at all. */
const broken = fc
  .tuple(
    absurd,
    fc.dictionary(fc.constantFrom("imei", "recorded_at", "latitude", "speed_kmh", "event", "sensors", "fix"), anything),
  )
  .map(([frame, changes]) => ({ ...frame, ...changes }));

const tooManySensors = absurd.map((frame) => ({
  ...frame,
  sensors: Array.from({ length: 3000 }, (_, index) => ({ kind: "fuel", sensor: `tank_${index}`, level_percent: 50 })),
}));

const frame = fc.oneof(
  { weight: 6, arbitrary: absurd },
  { weight: 3, arbitrary: broken },
  { weight: 1, arbitrary: anything },
);
const batch = fc.oneof(
  { weight: 8, arbitrary: fc.array(frame, { minLength: 1, maxLength: 25 }) },
  { weight: 1, arbitrary: fc.array(tooManySensors, { maxLength: 2 }) },
);

/** More of what the fold takes in than of what is refused at the door. */
const runs = { sqlite: rounds(20, 60), postgres: rounds(10, 40) } as const;

onEachEngine("whatever is sent as frames", (engine) => {
  const shared = engine.shared(
    async ({ database }) => {
      await loadIngestFleet(database);
      return { database, port: await openPort(database) };
    },
    ({ port }) => port.close(),
  );

  test("is stored or refused in words, breaks nothing, and a good drive after it is what it should be", async () => {
    const { database, port } = shared();
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(batch, async (frames) => {
        const answer = await port.post("/frames", JSON.stringify(frames));
        expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, expect.any(String)]);
        const { body } = answer;
        expect(body.accepted + body.duplicate + body.refused.length).toBe(frames.length);
        accepted += body.accepted;
      }),
      { numRuns: runs[engine.name], endOnFailure: true },
    );
    expect(accepted).toBeGreaterThan(0);
    expect(await dirtyCount(database)).toBe(0);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);

    const beginAt = newYear + 5 * dayMs;
    const drive = straightDrive({ imei: imeis[0] ?? "", from: home, beginAt, minutes: 30, kmh: 60 });
    expect((await port.post("/frames", drive.map(canonical))).body.accepted).toBe(drive.length);
    const { trips } = await derivedTables(database);
    // First seen on the move, it left before: at most two of its usual intervals, which were an hour at most.
    const trip = trips.find(({ started_at }) => Number(started_at) >= beginAt - 2 * hourMs);
    // The first few may contradict what came before.
    expect(Number(trip?.position_count)).toBeGreaterThan(drive.length - 5);
    expect(Number(trip?.distance_mm) / 1e6).toBeGreaterThan(29.5);
  });

  test("to the other paths is answered without a 5xx", async () => {
    const { port } = shared();
    const paths = fc.constantFrom("/traccar/positions", "/traccar/events", "/osmand", "/owntracks", "/frames");
    const body = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc.uint8Array({ maxLength: 200 }),
      fc.record({
        device: fc.record({ uniqueId: fc.constantFrom(...imeis) }),
        position: fc.record({
          fixTime: fc.oneof(isoTime, extreme),
          latitude: extreme,
          longitude: extreme,
          speed: extreme,
          attributes: fc.dictionary(
            fc.constantFrom("alarm", "fuelLevel", "temp1", "odometer", "power", "batteryLevel"),
            anything,
          ),
        }),
        event: fc.record({ type: fc.constant("alarm"), attributes: fc.record({ alarm: nasty }) }),
      }),
      fc.record({
        _type: fc.constant("location"),
        imei: fc.constantFrom(...imeis),
        tst: extreme,
        lat: extreme,
        lon: extreme,
        vel: extreme,
        acc: extreme,
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        paths,
        body,
        fc.dictionary(fc.constantFrom("id", "lat", "lon", "timestamp", "speed", "alarm", "d"), nasty),
        async (path, content, query) => {
          const address = `${path}?${new URLSearchParams(query)}`;
          const { status, body: answer } = await port.post(address, content);
          expect([status < 500, status, JSON.stringify(answer)]).toEqual([true, status, expect.any(String)]);
        },
      ),
      { numRuns: 5 * runs[engine.name], endOnFailure: true },
    );
    expect(await rederiveAll(shared().database)).toMatchObject(nothingChanged);
  });
});

onOneEngine("whatever frames are stored", (engine) => {
  test("they tell the same in whatever order they come", async () => {
    const { database } = await freshFleet(engine);
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(absurd, { minLength: 30, maxLength: 120 }), fc.nat(), async (sent, seed) => {
        const random = randomNumbers(seed);
        const frames = sent
          .map((frame) => readCanonicalFrame(frame, Date.now()))
          .filter((read) => typeof read !== "string");
        const together = await derivedFrom(database, [frames]);
        accepted += together.frames.filter(({ valid }) => Boolean(valid)).length;
        expect(
          differencesOf(
            together,
            await derivedFrom(database, batched(shuffled([...frames, ...frames.slice(0, 5)], random), random, 30)),
          ),
        ).toEqual([]);
        expect(await rederiveAll(database)).toMatchObject(nothingChanged);
      }),
      { numRuns: rounds(4, 7), endOnFailure: true },
    );
    // Else it would say nothing about the fold. There are 100, give or take 20.
    expect(accepted).toBeGreaterThan(25);
  });
});
