import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { families } from "../../../src/intake/trackers/families.ts";
import { forAll } from "../../support/for-all.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { decodeAs, imei, numbers } from "../../support/trackers/one-message.ts";
import { type BinaryPoint, binaryReport, compressedReport } from "../../support/trackers/queclink-binary-encoder.ts";
import { testStreamRules } from "../../support/trackers/stream-rules.ts";

testStreamRules(
  families.queclink,
  fieldMessages("queclink-binary")
    .map(({ message }) => Uint8Array.fromHex(message))
    .filter(({ length }) => length < 400),
);

const at = Date.UTC(2026, 5, 1, 12);
/** In millionths of a degree, tenths of km/h, degrees. */
const start: fc.Arbitrary<BinaryPoint> = fc.record({
  longitude: numbers(170_000_000, -170_000_000),
  latitude: numbers(80_000_000, -80_000_000),
  speed: numbers(2_000, 64),
  heading: numbers(359),
});
const steps = fc.array(
  fc.option(
    fc.record({
      longitude: numbers(2_047, -2_048),
      latitude: numbers(1_023, -1_024),
      speed: numbers(1, -1),
      heading: numbers(63, -64),
    }),
  ),
  { maxLength: 40 },
);

describe("binary reports of Queclink", () => {
  test("a point a second is read as it was packed, also where seconds have none", () => {
    forAll(200, [start, steps], (first, taken) => {
      const points: (BinaryPoint | null)[] = [first];
      let before = first;
      for (const step of taken) {
        if (step !== null) {
          before = {
            longitude: before.longitude + step.longitude,
            latitude: before.latitude + step.latitude,
            speed: before.speed + step.speed,
            heading: before.heading + step.heading,
          };
        }
        points.push(step === null ? null : before);
      }
      const { frames, problem, identity, leftOut } = decodeAs("queclink", compressedReport(imei, at, points));
      expect({ problem, identity, leftOut }).toEqual({
        ...{ problem: null, leftOut: [] },
        identity: { kind: "imei", value: imei },
      });
      const meant = points.flatMap((point, second) =>
        point === null
          ? []
          : [
              {
                recordedAt: at + second * 1_000,
                latitude: point.latitude / 1e6,
                longitude: point.longitude / 1e6,
                speed_kmh: point.speed / 10,
                heading_deg: ((point.heading % 360) + 360) % 360,
              },
            ],
      );
      expect(frames).toMatchObject(meant as object[]);
    });
  });

  test("a report with a fix holds now; without one, the place is of then and the state of when it was sent", () => {
    const point = { longitude: 13_400_000, latitude: 52_500_000, speed: 503, heading: 90 };
    const fresh = decodeAs("queclink", binaryReport(imei, { point, at, sentAt: at + 3_000, accuracy: 1 }));
    expect(fresh.frames).toMatchObject([
      { recordedAt: at, latitude: 52.5, speed_kmh: 50.3, hdop: 1, ignition: true, odometer_km: 528.8 },
    ]);
    const old = decodeAs("queclink", binaryReport(imei, { point, at, sentAt: at + 1_500_000, accuracy: 0 }));
    expect(old.frames).toMatchObject([
      { recordedAt: at, latitude: 52.5, fix: true, ignition: null, external_voltage_v: null },
      { recordedAt: at + 1_500_000, latitude: null, fix: false, ignition: true, external_voltage_v: 12.4 },
    ]);
  });

  test("another mask is not guessed", () => {
    const message = binaryReport(imei, {
      ...{ point: { longitude: 1, latitude: 1, speed: 0, heading: 0 }, at, sentAt: at, accuracy: 1 },
      mask: 0x00fc_1fbe,
    });
    expect(decodeAs("queclink", message)).toMatchObject({ frames: [], problem: { kind: "unknown_message" } });
  });
});
