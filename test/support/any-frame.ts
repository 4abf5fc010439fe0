import fc from "fast-check";
import { type Frame, positionSources, type SensorReport } from "../../src/domain/frame.ts";
import type { Reported } from "../../src/domain/reported.ts";
import {
  accepted,
  acceptedDiscontinuity,
  isTimeReason,
  rejectReasons,
  type Verdict,
} from "../../src/domain/verdict.ts";
import { frameDigest } from "../../src/store/blocks/frame-digest.ts";
import type { StoredFrame } from "../../src/store/blocks/stored-frame.ts";

/** Whatever a tracker may send, and more. */

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 });

/** `-0` is `0`: it is so in all that is stored and shown. */
const withoutMinusZero = (value: number) => (value === 0 ? 0 : value);

/** Any number that is finite, often near where another way of writing begins. */
export const finite: fc.Arbitrary<number> = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: -2000, max: 2_000_000 }).map((milli) => milli / 1000),
    fc.integer({ min: -18e8, max: 18e8 }).map((e7) => e7 / 1e7),
    fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 12 })).map(([digits, places]) => digits / 10 ** places),
    fc.constantFrom(1e-6, 9.99e-7, 1e-7, 1.5e-10, 5e-324, 1e300, -1e300, 1e21, 123456789012345680000, 2 ** 50, 2 ** 53),
    fc.constantFrom(2 ** 50 + 1, -(2 ** 50), 0.1 + 0.2, 1 / 3, 99999.9999999999, 1e10 + 0.5),
  )
  .map(withoutMinusZero);

/** Of few decimals, as almost all trackers send. */
export const ordinary: fc.Arbitrary<number> = fc
  .tuple(fc.integer({ min: -2_000_000, max: 2_000_000 }), fc.integer({ min: 0, max: 7 }))
  .map(([digits, places]) => withoutMinusZero(digits / 10 ** places));

const text = fc.oneof(
  fc.constantFrom("sos", "ignition_on", "\t", "a\tb\nc", '"', "\\", "\u0000", "\ud800", "🚚", "null", "", "[1,2]"),
  fc.string({ unit: "binary", maxLength: 40 }),
);

function reported(number: fc.Arbitrary<number>): fc.Arbitrary<Reported> {
  return fc.record({
    latitude: maybe(number),
    longitude: maybe(number),
    altitude_m: maybe(number),
    speed_kmh: maybe(number),
    heading_deg: maybe(number),
    accuracy_m: maybe(number),
    satellites: maybe(fc.integer()),
    hdop: maybe(number),
    ignition: maybe(fc.boolean()),
    odometer_km: maybe(number),
    battery_percent: maybe(number),
    external_voltage_v: maybe(number),
    event: maybe(text),
  });
}

function sensorReport(number: fc.Arbitrary<number>): fc.Arbitrary<SensorReport> {
  const [sensor, value] = [text, maybe(number)];
  return fc.oneof(
    fc.record({ kind: fc.constant("fuel" as const), sensor, level_percent: value, volume_l: value }),
    fc.record({ kind: fc.constant("temperature" as const), sensor, temperature_c: value, humidity_percent: value }),
    fc.record({
      kind: fc.constant("tyre" as const),
      sensor,
      axle: fc.integer({ min: 1, max: 20 }),
      wheel: fc.integer({ min: 1, max: 20 }),
      pressure_kpa: value,
      temperature_c: value,
    }),
  );
}

export const verdicts: readonly Verdict[] = [
  accepted,
  acceptedDiscontinuity,
  ...rejectReasons.map((rejectReason) => ({ valid: false, rejectReason, discontinuity: false })),
];

export const timelyVerdicts = verdicts.filter(({ rejectReason }) => !isTimeReason(rejectReason));

/** From the year 0 to 9999, and often near one another. */
const instant = fc.oneof(
  fc.integer({ min: Date.parse("0000-01-01T00:00:00.000Z"), max: Date.parse("9999-12-31T23:59:59.999Z") }),
  fc.integer({ min: 0, max: 20 }).map((step) => Date.UTC(2026, 0, 1) + step * 1000),
);

export function anyFrame(
  number: fc.Arbitrary<number> = finite,
  allowed: readonly Verdict[] = verdicts,
  time: fc.Arbitrary<number> = instant,
): fc.Arbitrary<StoredFrame> {
  return fc
    .record({
      values: reported(number),
      recordedAt: time,
      // Received before it was recorded, too.
      receivedAfter: fc.oneof(fc.integer({ min: -5_000, max: 60_000 }), fc.integer({ min: -1e12, max: 1e12 })),
      fix: maybe(fc.boolean()),
      source: maybe(fc.constantFrom(...positionSources)),
      sensors: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(sensorReport(number), { maxLength: 4 })),
      driver_id: fc.option(text, { freq: 3, nil: undefined }),
      time_source: fc.option(fc.constant("receipt" as const), { freq: 3, nil: undefined }),
      verdict: fc.constantFrom(...allowed),
      timelyAt: maybe(instant),
      // Another than its content has, if its time was repaired or is that of its receipt.
      digest: maybe(fc.maxSafeNat()),
    })
    .map(({ values, recordedAt, receivedAfter, verdict, timelyAt, digest, ...more }) => {
      const content = { ...values, recordedAt, ...more };
      const frame: Frame = {
        ...content,
        receivedAt: recordedAt + receivedAfter,
        digest: digest ?? frameDigest(content),
      };
      return { frame, verdict, timelyAt };
    });
}
