import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readCanonicalFrame } from "../../src/intake/formats/canonical.ts";
import { frameDigest } from "../../src/store/blocks/frame-digest.ts";
import { forAll } from "../support/for-all.ts";

const now = Date.UTC(2026, 2, 14, 8, 30);
const imei = "356307042441013";

function digestOf(json: string, receivedAt = now): number {
  const frame = readCanonicalFrame(JSON.parse(json), receivedAt);
  if (typeof frame === "string") throw new Error(frame);
  return frameDigest(frame);
}

const number = (most: number) => fc.double({ min: 0, max: most, noNaN: true });
const frames = fc.record(
  {
    imei: fc.constant(imei),
    recorded_at: fc
      .date({ min: new Date(0), max: new Date(now), noInvalidDate: true })
      .map((date) => date.toISOString()),
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    altitude_m: number(9000),
    speed_kmh: number(250),
    heading_deg: number(360),
    accuracy_m: number(200),
    satellites: fc.nat(40),
    hdop: number(20),
    ignition: fc.boolean(),
    odometer_km: number(1e6),
    battery_percent: number(100),
    external_voltage_v: number(30),
    event: fc.constantFrom("sos", "jamming", "tür,auf", "門"),
    fix: fc.boolean(),
    source: fc.constantFrom("gps", "cell", "wifi"),
    sensors: fc.uniqueArray(
      fc.record({ kind: fc.constant("fuel"), sensor: fc.constantFrom("a", "b", "c"), level_percent: number(100) }),
      { minLength: 1, maxLength: 3, selector: ({ sensor }) => sensor },
    ),
  },
  { requiredKeys: ["imei"] },
);

describe("the digest of a frame", () => {
  test("is 53 bits of a fixed hash of a fixed text, on every machine and in every version", () => {
    expect(Bun.hash.xxHash64("")).toBe(0xef46db3751d8e999n);
    expect(Bun.hash.xxHash64("abc")).toBe(0x44bc2cf5ad770999n);
    const text = 'null,null,null,[null,null,null,null,null,null,null,null,null,null,null,null,"tür"]';
    const digest = Number(Bun.hash.xxHash64(new TextEncoder().encode(text)) >> 11n);
    expect(digestOf(`{"imei":"${imei}","event":"tür"}`)).toBe(digest);
    expect(digest).toBe(8_933_772_962_385_604);
  });

  test("is a whole number that JavaScript holds exactly", () => {
    fc.assert(fc.property(frames, (frame) => Number.isSafeInteger(digestOf(JSON.stringify(frame)))));
  });

  test("does not depend on the order of keys, on unknown fields or on when the frame came", () => {
    forAll(100, [frames, fc.integer({ min: now - 1e9, max: now })], (frame, receivedAt) => {
      const turned = Object.fromEntries(Object.entries(frame).reverse());
      const other = { colour: "red", ...turned, received_at: new Date(receivedAt).toISOString() };
      expect(digestOf(JSON.stringify(other), now + 1)).toBe(digestOf(JSON.stringify(frame)));
    });
  });

  test("does not depend on how a number or a time is written", () => {
    const frame = (rest: string) => digestOf(`{"imei":"${imei}",${rest}}`);
    expect(frame(`"speed_kmh":1.0`)).toBe(frame(`"speed_kmh":1`));
    expect(frame(`"speed_kmh":1e1`)).toBe(frame(`"speed_kmh":10.00`));
    expect(frame(`"latitude":-0.0`)).toBe(frame(`"latitude":0`));
    expect(frame(`"hdop":null`)).toBe(frame(`"x":1`));
    expect(frame(`"recorded_at":"2026-03-14T09:15:30+01:00"`)).toBe(frame(`"recorded_at":"2026-03-14T08:15:30.000Z"`));
    expect(frame(`"sensors":[{"kind":"tyre","axle":1,"wheel":2}]`)).toBe(
      frame(`"sensors":[{"sensor":"axle_1_wheel_2","wheel":2,"axle":1,"kind":"tyre","pressure_kpa":null}]`),
    );
  });

  test("differs when any field differs, or is there in one frame only", () => {
    forAll(100, [frames, frames], (one, other) => {
      for (const name of Object.keys(other) as (keyof typeof other)[]) {
        const changed = { ...one, [name]: other[name] };
        const isSame = JSON.stringify(changed[name] ?? null) === JSON.stringify(one[name] ?? null);
        expect(digestOf(JSON.stringify(changed)) === digestOf(JSON.stringify(one))).toBe(isSame);
      }
    });
  });
});
