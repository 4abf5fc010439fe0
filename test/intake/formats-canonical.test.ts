import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readCanonicalFrame } from "../../src/intake/formats/canonical.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { forAll } from "../support/for-all.ts";

const now = Date.UTC(2026, 2, 14, 8, 30);
const imei = "356307042441013";

/** As one reads after its way through JSON, so that what JSON cannot say is not tested. */
function read(fields: object): IncomingFrame | string {
  return readCanonicalFrame(JSON.parse(JSON.stringify({ imei, ...fields })), now);
}

function accepted(fields: object): IncomingFrame {
  const frame = read(fields);
  if (typeof frame === "string") throw new Error(frame);
  return frame;
}

const full = {
  imei,
  recorded_at: "2026-03-14T08:15:30.250Z",
  received_at: "2026-03-14T08:15:31Z",
  latitude: 52.5200066,
  longitude: 13.404954,
  altitude_m: 34.2,
  speed_kmh: 52.3,
  heading_deg: 271,
  accuracy_m: 4.5,
  satellites: 11,
  hdop: 0.9,
  ignition: true,
  odometer_km: 123456.789,
  battery_percent: 98,
  external_voltage_v: 12.61,
  event: "harsh_braking",
  fix: true,
  source: "gps",
  sensors: [
    { kind: "fuel", sensor: "tank_1", level_percent: 62.5, volume_l: 44.4 },
    { kind: "temperature", sensor: "cargo", temperature_c: -18.5, humidity_percent: 71 },
    { kind: "tyre", sensor: "front left", axle: 1, wheel: 1, pressure_kpa: 352, temperature_c: 31.5 },
  ],
};

describe("a canonical frame", () => {
  test("is read field by field", () => {
    const { recorded_at, received_at, ...content } = full;
    const frame = {
      ...content,
      recordedAt: Date.UTC(2026, 2, 14, 8, 15, 30, 250),
      receivedAt: Date.UTC(2026, 2, 14, 8, 15, 31),
    };
    expect(read(full)).toEqual(frame as IncomingFrame);
  });

  test("needs nothing but an IMEI: all else is unknown, and it was received now", () => {
    const frame = accepted({});
    const { imei: _, receivedAt, sensors, driver_id, time_source, ...rest } = frame;
    expect(receivedAt).toBe(now);
    expect([driver_id, time_source]).toEqual([undefined, undefined]);
    expect(sensors).toEqual([]);
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
    expect(Object.keys(rest)).toHaveLength(16);
  });

  test("may say that its time is that of a receipt, and nothing but that or the tracker's", () => {
    expect(accepted({ time_source: "receipt" }).time_source).toBe("receipt");
    expect(accepted({ time_source: "tracker" })).toEqual(accepted({}));
    expect(read({ imei, time_source: "gateway" })).toBe('time_source: expected one of tracker, receipt, got "gateway"');
  });

  test("may say null for what it does not know", () => {
    const nulls = Object.fromEntries(Object.keys(full).map((name) => [name, null]));
    expect(read({ ...nulls, imei })).toEqual(accepted({}));
  });

  test("may have fields that are not known", () => {
    expect(read({ type: "frame", colour: "red", latitude: 1 })).toEqual(accepted({ latitude: 1 }));
  });

  test("keeps coordinates that are out of range, and a heading of 360", () => {
    const { latitude, longitude, heading_deg } = accepted({ latitude: 91, longitude: -999_999, heading_deg: 360 });
    expect([latitude, longitude, heading_deg]).toEqual([91, -999_999, 360]);
  });

  test("keeps every number to the last digit, and makes 0 of -0", () => {
    forAll(100, [fc.double({ min: -1e6, max: 1e6, noNaN: true })], (latitude) => {
      expect(accepted({ latitude }).latitude).toBe(latitude + 0);
    });
    expect(readCanonicalFrame(JSON.parse(`{"imei":"${imei}","latitude":-0}`), now)).toEqual(accepted({ latitude: 0 }));
  });
});

const expectedNumber = (name: string, least: number, most: number, got: unknown) =>
  `${name}: expected a number from ${least} to ${most}, got ${got}`;

test("a receipt that the clock has not come to yet is counted as now, and costs no frame", () => {
  const receivedAt = (received_at: string) => accepted({ received_at }).receivedAt;
  expect(receivedAt("2026-03-14T08:35:00Z")).toBe(now + 300_000);
  expect(receivedAt("2026-03-14T08:35:00.001Z")).toBe(now);
  expect(receivedAt("2036-03-14T08:35:00Z")).toBe(now);
});

describe("a refusal names the field and what was expected", () => {
  test.each<[object, string]>([
    [{ imei: undefined }, "imei: expected a string of 14 to 16 digits, but it is missing"],
    [{ imei: 356307042441013 }, "imei: expected a string of 14 to 16 digits, got 356307042441013"],
    [{ imei: "1234567890123" }, 'imei: expected a string of 14 to 16 digits, got "1234567890123"'],
    [{ imei: "12345678901234567" }, 'imei: expected a string of 14 to 16 digits, got "12345678901234567"'],
    [{ recorded_at: "yesterday" }, 'recorded_at: expected an ISO 8601 time, got "yesterday"'],
    [{ recorded_at: 1_700_000_000_000 }, "recorded_at: expected an ISO 8601 time, got 1700000000000"],
    [{ received_at: false }, "received_at: expected an ISO 8601 time, got false"],
    [{ latitude: "abc" }, 'latitude: expected a number, got "abc"'],
    [{ longitude: [] }, "longitude: expected a number, got an array of 0"],
    [{ latitude: 1_000_001 }, expectedNumber("latitude", -1_000_000, 1_000_000, 1_000_001)],
    [{ speed_kmh: -0.001 }, expectedNumber("speed_kmh", 0, 10_000, -0.001)],
    [{ heading_deg: 360.001 }, expectedNumber("heading_deg", 0, 360, 360.001)],
    [{ accuracy_m: -1 }, expectedNumber("accuracy_m", 0, 100_000_000, -1)],
    [{ satellites: 4.5 }, "satellites: expected a whole number from 0 to 200, got 4.5"],
    [{ battery_percent: 100.1 }, expectedNumber("battery_percent", 0, 100, 100.1)],
    [{ altitude_m: -20_000.1 }, expectedNumber("altitude_m", -20_000, 100_000, -20_000.1)],
    [{ external_voltage_v: 1001 }, expectedNumber("external_voltage_v", 0, 1000, 1001)],
    [{ odometer_km: 100_000_001 }, expectedNumber("odometer_km", 0, 100_000_000, 100_000_001)],
    [{ ignition: 1 }, "ignition: expected true or false, got 1"],
    [{ fix: "true" }, 'fix: expected true or false, got "true"'],
    [{ event: "" }, 'event: expected text of 1 to 64 visible characters, got ""'],
    [{ event: "  " }, 'event: expected text of 1 to 64 visible characters, got "  "'],
    [{ event: "a\nb" }, 'event: expected text of 1 to 64 visible characters, got "a\\u{a}b"'],
    [{ event: "x".repeat(65) }, `event: expected text of 1 to 64 visible characters, got "${"x".repeat(40)}…"`],
    [{ source: "GPS" }, 'source: expected one of gps, cell, wifi, got "GPS"'],
    [{ sensors: {} }, "sensors: expected an array of at most 64, got an object"],
    [{ sensors: [7] }, "sensors[0]: expected an object, got 7"],
    [{ sensors: [{ kind: "door" }] }, 'sensors[0].kind: expected one of fuel, temperature, tyre, got "door"'],
    [
      { sensors: [{ kind: "fuel" }] },
      "sensors[0].sensor: expected text of 1 to 64 visible characters, but it is missing",
    ],
    [
      { sensors: [{ kind: "fuel", sensor: "a", level_percent: 151 }] },
      expectedNumber("sensors[0].level_percent", 0, 150, 151),
    ],
    [
      { sensors: [{ kind: "temperature", sensor: "a", temperature_c: -273.16 }] },
      expectedNumber("sensors[0].temperature_c", -273.15, 2000, -273.16),
    ],
    [
      { sensors: [{ kind: "tyre", axle: 0 }] },
      "sensors[0].axle: expected a whole number from 1 to 20, got 0; sensors[0].wheel: expected a whole number from 1 to 20, but it is missing",
    ],
    [
      {
        sensors: [
          { kind: "fuel", sensor: "a" },
          { kind: "tyre", axle: 1, wheel: 1, sensor: "a" },
          { kind: "fuel", sensor: "a" },
        ],
      },
      'sensors[2].sensor: expected another name for each fuel sensor, got "a"',
    ],
    [
      { latitude: "abc", recorded_at: "yesterday" },
      'recorded_at: expected an ISO 8601 time, got "yesterday"; latitude: expected a number, got "abc"',
    ],
  ])("%j", (fields, reason) => expect(read(fields)).toBe(reason));

  test("a number that is too large for a number", () => {
    expect(readCanonicalFrame(JSON.parse(`{"imei":"${imei}","hdop":1e999}`), now)).toBe(
      expectedNumber("hdop", 0, 10_000, Number.POSITIVE_INFINITY),
    );
  });

  test.each([[null], [7], ["frame"], [true], [[]]])("%j, which is no object", (value) => {
    expect(readCanonicalFrame(value, now)).toStartWith("expected an object, got ");
  });

  test("tells ten problems, and how many more there are", () => {
    const reason = read({ sensors: Array(64).fill(7) });
    expect(String(reason).split("; ")).toHaveLength(11);
    expect(reason).toEndWith("; and 54 more");
  });
});

describe("exactly at a bound", () => {
  test.each([
    [{ received_at: "2026-03-14T08:35:00Z" }],
    [{ speed_kmh: 0, heading_deg: 0, satellites: 0, battery_percent: 0, altitude_m: -20_000 }],
    [{ speed_kmh: 10_000, heading_deg: 360, satellites: 200, battery_percent: 100, altitude_m: 100_000 }],
    [{ imei: "35630704244101", event: "x".repeat(64) }],
    [{ imei: "3563070424410131", event: "😀".repeat(64) }],
  ])("%j is accepted", (fields) => expect(read(fields)).toBeObject());
});

test("a tyre that is not named is called by its place", () => {
  expect(accepted({ sensors: [{ kind: "tyre", wheel: 2, axle: 1 }] }).sensors).toEqual([
    { kind: "tyre", sensor: "axle_1_wheel_2", axle: 1, wheel: 2, pressure_kpa: null, temperature_c: null },
  ]);
});

test("a frame has 64 sensors at most", () => {
  const sensors = Array.from({ length: 65 }, (_, index) => ({ kind: "fuel", sensor: `tank_${index}` }));
  expect(accepted({ sensors: sensors.slice(1) }).sensors).toHaveLength(64);
  expect(read({ sensors })).toBe("sensors: expected an array of at most 64, got an array of 65");
});
