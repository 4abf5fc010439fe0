import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type AlertState, initialAlerts } from "../../src/domain/alerts/alerts.ts";
import { type AlertFact, factKey } from "../../src/domain/facts.ts";
import type { SensorReport } from "../../src/domain/frame.ts";
import { forAll } from "../support/for-all.ts";
import { Drive, type Moment, rule, type Settings } from "./alerts-drive.ts";

const odd = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 1e308, -1e308, 5e-324);
const number = (...few: number[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...few) }, { weight: 1, arbitrary: odd });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });

const names = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("a", "b", "c") },
  { weight: 1, arbitrary: fc.string({ maxLength: 80, unit: "binary" }) },
  { weight: 1, arbitrary: fc.nat(5000).map((index) => `sensor ${index}`) },
);
const sensors: fc.Arbitrary<SensorReport> = fc.oneof(
  fc.record({
    kind: fc.constant("fuel" as const),
    sensor: names,
    level_percent: maybe(number(5, 20, 21, 60, 90)),
    volume_l: maybe(number(10, 100, 300)),
  }),
  fc.record({
    kind: fc.constant("temperature" as const),
    sensor: names,
    temperature_c: maybe(number(-20, 1, 5, 9, 20)),
    humidity_percent: fc.constant(null),
  }),
  fc.record({
    kind: fc.constant("tyre" as const),
    sensor: names,
    axle: fc.integer({ min: -1, max: 3 }),
    wheel: fc.nat(3),
    pressure_kpa: maybe(number(0, 500, 600, 730, 900)),
    temperature_c: maybe(number(20, 84, 90)),
  }),
);
const events = fc.oneof(
  fc.constantFrom("sos", "crash", "harsh_braking", "towing", "__proto__"),
  fc.string({ unit: "binary" }),
);

/** What comes between a moment and the next, and the moment itself. */
const changes = fc.record(
  {
    wait: fc.constantFrom(0, 0, 1, 5, 10, 59, 60, 61, 300, 301, 600, 900, 4000, 90_000, 800_000),
    speed: maybe(fc.constantFrom(0, 2, 4, 10, 54, 56, 70, 120)),
    ignition: maybe(fc.boolean()),
    north: fc.constantFrom(0, 5, 150, 5000, -1e6),
    valid: fc.boolean(),
    elsewhere: fc.boolean(),
    event: maybe(events),
    battery: maybe(number(0, 9, 15, 21, 50)),
    volts: maybe(number(0, 11, 11.6, 14)),
    sensors: fc.array(sensors, { maxLength: 6 }),
    trip: fc.constantFrom("none", "same", "new"),
    towed: fc.boolean(),
    away: fc.constantFrom("once", "again", "there"),
    accuracy: fc.constantFrom(10, 100),
    known: fc.boolean(),
    inside: fc.subarray(["yard", "port", "field"]),
  },
  { requiredKeys: ["wait", "trip"] },
);

/** In time; trips begin at the moment they are first seen. */
const drives = fc.array(changes, { maxLength: 60, size: "+1" }).map((all): Moment[] => {
  let at = 0;
  let trip: number | null = null;
  let awaySince: number | null = null;
  return all.map(({ wait, trip: next, away: shown, ...rest }) => {
    at += wait;
    if (next === "none") trip = null;
    if (next === "new" && (trip === null || at > trip)) trip = at;
    // No trip under way, and a discontinuity is a tow of its own.
    awaySince = shown === undefined || trip !== null ? null : rest.elsewhere ? at : (awaySince ?? at);
    const away: Pick<Moment, "away"> = awaySince === null || shown === undefined ? {} : { away: [awaySince, shown] };
    return { at, ...rest, ...away, trip };
  });
});

const someRules = fc.subarray([
  rule("speeding", { parameters: { limit_kmh: 50 } }),
  rule("speeding", { parameters: { limit_kmh: 30 }, geofenceIds: ["yard"] }),
  rule("speeding", { enabled: false, geofenceIds: ["port"] }),
  rule("temperature_high", { parameters: { above_c: 8 } }),
  rule("temperature_high", { parameters: { above_c: 4, sensor: "a" }, severity: "info" }),
  rule("temperature_low", { parameters: { below_c: 2 } }),
  rule("tyre_pressure_low", { parameters: { nominal_kpa: { "1": 900, "2": 800 } } }),
  rule("idling", { parameters: { after_s: 60 }, geofenceIds: ["field"] }),
  rule("low_battery", { enabled: false, geofenceIds: ["port"] }),
  rule("sos", { severity: "info", geofenceIds: ["yard"] }),
  rule("towing", { enabled: false, geofenceIds: ["yard"] }),
]);
const settings: fc.Arbitrary<Settings> = fc.record({
  rules: fc
    .tuple(someRules, someRules, someRules)
    .map((all) => all.map((rules, index) => [index * 700, rules] as const)),
  capacityL: fc.constantFrom(null, 60, 400),
});

/** Generous: a device in every kind of trouble at once, with names that JSON has to escape. */
const maxBytes = 10_000;
const usualBytes = 200;

function run(moments: readonly Moment[], how: Settings, each: (drive: Drive) => void = () => {}): Drive {
  const drive = new Drive(how);
  for (const moment of moments) {
    drive.step(moment);
    each(drive);
  }
  return drive;
}

const kindOf = ({ alertType, qualifier }: AlertFact) => `${alertType} ${qualifier}`;

describe("whatever the frames are", () => {
  test("one alert of a type and sensor is open at most; it stays, or becomes final under its key; the state is small", () => {
    forAll(120, [drives, settings], (moments, how) => {
      let before: string[] = [];
      run(moments, how, ({ open, final, state }) => {
        const lasting = open.filter(({ endedAt }) => endedAt === null).map(kindOf);
        expect(new Set(lasting).size).toBe(lasting.length);
        const keys = [...final, ...open].map(factKey);
        expect(new Set(keys).size).toBe(keys.length);
        expect(before.filter((key) => !keys.includes(key))).toEqual([]);
        before = open.map(factKey);
        expect(JSON.stringify(state).length).toBeLessThan(maxBytes);
      });
    });
  });

  test("a final alert has ended, not before it began, and its numbers are numbers", () => {
    forAll(60, [drives, settings], (moments, how) => {
      const { final, open } = run(moments, how);
      for (const alert of final) expect(alert.endedAt).not.toBeNull();
      for (const { occurredAt, endedAt, value, threshold, unit, message } of [...final, ...open]) {
        expect(endedAt ?? occurredAt).toBeGreaterThanOrEqual(occurredAt);
        for (const figure of [value ?? 0, threshold ?? 0]) expect(Number.isFinite(figure)).toBe(true);
        expect(unit === null).toBe(value === null && threshold === null);
        expect(message).not.toMatch(/\?|null|undefined|NaN/);
      }
    });
  });

  test("stopping anywhere and going on from the stored state changes nothing", () => {
    forAll(60, [drives, settings, fc.nat(60)], (moments, how, cut) => {
      const whole = run(moments, how);
      const first = run(moments.slice(0, cut), how);
      const text = JSON.stringify(first.state);
      expect(JSON.parse(text)).toStrictEqual(first.state as never);
      const second = new Drive(how);
      second.state = JSON.parse(text);
      second.previous = first.previous;
      second.trail = first.trail;
      for (const moment of moments.slice(cut)) second.step(moment);
      expect(JSON.stringify(second.state)).toBe(JSON.stringify(whole.state));
      expect([...first.final, ...second.final]).toEqual(whole.final);
    });
  });

  test("a state is never changed, and is the same one when nothing happens", () => {
    forAll(60, [drives, settings], (moments, how) => {
      const states: [AlertState, string][] = [];
      // A sensor says one thing in a frame.
      const plain = moments.map((moment) => ({ ...moment, sensors: moment.sensors?.slice(0, 1) ?? [] }));
      run(plain, how, ({ state }) => states.push([state, JSON.stringify(state)]));
      for (const [index, [state, text]] of states.entries()) {
        expect(JSON.stringify(state)).toBe(text);
        const before = states[index - 1];
        // A reading of a tank is always news: it is one of five.
        if (before?.[1] === text && state.tanks.length === 0) expect(state).toBe(before[0]);
      }
    });
  });

  test("after a quiet fortnight nothing of the past is left in the state", () => {
    forAll(60, [drives, settings], (moments, how) => {
      const driven = run(moments, how);
      const end = (moments.at(-1)?.at ?? 0) + 14 * 86_400;
      driven.step({ at: end, speed: 20, ignition: true, trip: end });
      driven.step({ at: end + 61, speed: 20, ignition: true, trip: end });
      expect({ ...driven.state, hasSupply: false }).toEqual(initialAlerts);
    });
  });
});

test("thousands of sensors, all in trouble, do not make the state grow", () => {
  const driven = new Drive({ rules: [[0, [rule("tyre_pressure_low", { parameters: { nominal_kpa: 900 } })]]] });
  for (let frame = 0; frame < 20; frame++) {
    const many = Array.from({ length: 1000 }, (_, index): SensorReport[] => {
      const sensor = `${"\u0000".repeat(50)}${frame} ${index}`;
      return [
        { kind: "tyre", sensor, axle: 1, wheel: 1, pressure_kpa: 100, temperature_c: 100 },
        { kind: "fuel", sensor, level_percent: frame % 10 < 5 ? 20 : 90, volume_l: null },
      ];
    });
    driven.step({
      at: frame * 600,
      speed: 0,
      ignition: false,
      event: "sos",
      battery: 1,
      volts: 1,
      sensors: many.flat(),
    });
    expect(JSON.stringify(driven.state).length).toBeLessThan(maxBytes);
  }
});

test("a vehicle without trouble has next to no state", () => {
  const driven = new Drive();
  for (let at = 0; at < 3600; at += 10) {
    driven.step({ at, speed: 60, north: at * 16, ignition: true, battery: 90, volts: 14, trip: 0 });
  }
  expect(JSON.stringify(driven.state).length).toBeLessThan(usualBytes);
});
