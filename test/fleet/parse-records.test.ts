import { describe, expect, test } from "bun:test";
import { alertTypes } from "../../src/domain/alert-types.ts";
import { parseFleetLine } from "../../src/fleet/parse/parse.ts";

const id = "0b5f1c1e-0000-4000-8000-000000000001";
const otherId = "0b5f1c1e-0000-4000-8000-000000000002";

const valid = {
  account: { type: "account", id, name: "Acme" },
  user: { type: "user", id, account_id: id, name: "Ana", email: "ana@acme.test", role: "owner" },
  device: { type: "device", id, account_id: id, imei: "356307042441013", name: "Van 1" },
  geofence: {
    type: "geofence",
    id,
    account_id: id,
    name: "Depot",
    shape: "circle",
    geometry: { type: "Point", coordinates: [13.4, 52.5] },
    radius_m: 100,
  },
  alert_settings: { type: "alert_settings", device_id: id, rules: [{ alert_type: "towing" }] },
};

type Type = keyof typeof valid;

function parse(type: Type, change: Record<string, unknown> = {}) {
  return parseFleetLine(7, JSON.stringify({ ...valid[type], ...change }));
}

function problem(type: Type, change: Record<string, unknown>): string {
  try {
    parse(type, change);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

describe("a record with nothing but what it must have", () => {
  const nothing = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, null]));
  const limits = { per_second: 10, per_day: 50_000, account_per_day: null };
  const ofUser = { name: "Ana", email: "ana@acme.test", role: "owner" };
  const circle = { shape: "circle", geometry: { type: "Point", coordinates: [13.4, 52.5] }, radiusM: 100 };
  const towing = { alertType: "towing", enabled: true, severity: null, parameters: {}, geofenceIds: [] };
  test.each([
    ["account", { id, name: "Acme", status: "active", limits, time_zone: "UTC" }],
    ["user", { id, account_id: id, status: "active", ...ofUser, ...nothing("password", "password_hash") }],
    [
      "device",
      {
        ...{ id, account_id: id, imei: "356307042441013", name: "Van 1", status: "active" },
        ...nothing("plate", "vin", "vehicle_make", "vehicle_model", "vehicle_year", "vehicle_type", "tracker_model"),
        ...nothing("tracker_clock", "tracker_id", "tracker_protocol", "fuel_tank_capacity_l", "tag_versions"),
        ...{ tags: [], external_ids: {}, user_ids: [] },
      },
    ],
    [
      "geofence",
      {
        ...{ id, account_id: id, name: "Depot", ...circle, device_ids: [] },
        ...nothing("description", "color", "widthM", "valid_from"),
      },
    ],
    ["alert_settings", { scope: { for: "device", deviceId: id }, rules: [towing], valid_from: null }],
  ] as [Type, object][])("%s: every other field has its default", (type, record) => {
    expect(parse(type)).toEqual({ type, line: 7, record, unknownFields: [] } as never);
  });

  test.each(Object.keys(valid) as Type[])("%s: each optional field may also be null", (type) => {
    const optional = {
      account: ["status", "limits", "time_zone"],
      user: ["password", "password_hash", "status"],
      device: [
        ...["plate", "status", "vin", "vehicle_make", "vehicle_model", "vehicle_year", "vehicle_type"],
        ...[
          "tracker_model",
          "tracker_clock",
          "tracker_id",
          "tracker_protocol",
          "fuel_tank_capacity_l",
          "tags",
          "tag_versions",
          "external_ids",
          "user_ids",
        ],
      ],
      geofence: ["description", "color", "width_m", "device_ids", "valid_from"],
      alert_settings: ["account_id", "tag", "valid_from"],
    }[type];
    expect(parse(type, Object.fromEntries(optional.map((field) => [field, null])))).toEqual(parse(type));
  });
});

describe("what a record says is kept", () => {
  const record = (type: Type, change: Record<string, unknown>) => {
    const parsed = parse(type, change);
    return parsed !== null && "record" in parsed ? parsed.record : null;
  };

  test("texts are trimmed, an empty optional one is none, and ids are in lower case", () => {
    expect(record("user", { name: " Ana ", email: "\tAna@Acme.test ", id: id.toUpperCase() })).toMatchObject({
      id,
      name: "Ana",
      email: "Ana@Acme.test",
    });
    expect(record("device", { plate: "  ", vin: "", user_ids: [otherId.toUpperCase(), id, otherId] })).toMatchObject({
      plate: null,
      vin: null,
      user_ids: [otherId, id],
    });
  });

  test("a password is taken to the letter", () => {
    expect(record("user", { password: "  pass word  " })).toMatchObject({ password: "  pass word  " });
  });

  test("limits, each alone", () => {
    expect(record("account", { limits: { per_second: 99 } })).toMatchObject({
      limits: { per_second: 99, per_day: 50_000, account_per_day: null },
    });
    expect(record("account", { limits: { per_day: 5 }, status: "suspended" })).toMatchObject({
      status: "suspended",
      limits: { per_second: 10, per_day: 5, account_per_day: null },
    });
  });

  test("a time zone, in any case and by an old name", () => {
    const zone = (time_zone: string) => record("account", { time_zone });
    expect(zone(" europe/berlin ")).toMatchObject({ time_zone: "Europe/Berlin" });
    expect(zone("Asia/Calcutta")).toMatchObject({ time_zone: "Asia/Calcutta" });
    expect(zone("Etc/GMT-2")).toMatchObject({ time_zone: "Etc/GMT-2" });
    expect(zone("")).toMatchObject({ time_zone: "UTC" });
  });

  test("a full device", () => {
    const change = {
      plate: "B-OD 1",
      status: "blocked",
      vehicle_year: 2021,
      fuel_tank_capacity_l: 80.5,
      tags: ["cold", "north", "cold"],
      external_ids: { sap: "4711", "old id": "x" },
    };
    expect(record("device", change)).toMatchObject({
      plate: "B-OD 1",
      status: "blocked",
      vehicle_year: 2021,
      fuel_tank_capacity_l: 80.5,
      tags: ["cold", "north"],
      external_ids: { sap: "4711", "old id": "x" },
    });
  });

  test("a fence's time, colour and devices", () => {
    const change = { valid_from: "2026-01-01T01:00:00+01:00", color: "#1E90FF", device_ids: [id] };
    expect(record("geofence", change)).toMatchObject({
      valid_from: Date.UTC(2026, 0, 1),
      color: "#1E90FF",
      device_ids: [id],
    });
  });

  test("an alert rule of every type", () => {
    const rules = alertTypes.map((alert_type) => ({
      alert_type,
      enabled: false,
      severity: "info",
      geofence_ids: [id],
    }));
    expect(record("alert_settings", { rules })).toMatchObject({
      rules: alertTypes.map((alertType) => ({
        alertType,
        enabled: false,
        severity: "info",
        parameters: {},
        geofenceIds: [id],
      })),
    });
  });
});

describe("a wrong field is named with what was expected", () => {
  const long = "x".repeat(3000);
  const aText = "text of 1 to 200 characters, none of them a control character";
  const rule = (change: object) => ({ rules: [{ alert_type: "sos" }, { alert_type: "towing", ...change }] });
  const wrong: Readonly<Record<Type, readonly [change: Record<string, unknown>, expected: string][]>> = {
    account: [
      [{ id: undefined }, 'field "id": expected a UUID, but it is missing'],
      [{ id: "7" }, 'field "id": expected a UUID, got "7"'],
      [{ name: undefined }, `field "name": expected ${aText}, but it is missing`],
      [{ name: null }, `field "name": expected ${aText}, got null`],
      [{ name: "  " }, `field "name": expected ${aText}, got "  "`],
      [{ name: 5 }, `field "name": expected ${aText}, got 5`],
      [{ name: "x".repeat(201) }, `field "name": expected ${aText}, got "${"x".repeat(60)}…"`],
      [{ name: "a\u0000b" }, `field "name": expected ${aText}, got "a\\u{0}b"`],
      [{ name: "a\u009bb" }, `field "name": expected ${aText}, got "a\\u{9b}b"`],
      [{ name: "a\ud800b" }, `field "name": expected ${aText}, got "a\\u{d800}b"`],
      [{ status: "closed" }, 'field "status": expected one of active, suspended, got "closed"'],
      [
        { time_zone: "Europe/Berlim" },
        'field "time_zone": expected an IANA time zone such as "Europe/Berlin", got "Europe/Berlim"',
      ],
      [{ time_zone: 2 }, 'field "time_zone": expected an IANA time zone such as "Europe/Berlin", got 2'],
      [{ time_zone: "+02:00" }, 'such as "Europe/Berlin", or "Etc/GMT-2" if its clocks never change, got "+02:00"'],
      [{ time_zone: "UTC-3" }, 'or "Etc/GMT+3" if its clocks never change, got "UTC-3"'],
      [{ time_zone: "+05:30" }, 'expected an IANA time zone such as "Europe/Berlin", got "+05:30"'],
      [{ time_zone: "+99:00" }, 'expected an IANA time zone such as "Europe/Berlin", got "+99:00"'],
      [{ limits: 5 }, 'field "limits": expected an object with per_second, per_day and account_per_day, got 5'],
      [{ limits: { per_second: 0 } }, 'field "limits.per_second": expected a whole number from 1 to 100000, got 0'],
      [
        { limits: { account_per_day: 0 } },
        'field "limits.account_per_day": expected a whole number from 1 to 1000000000, got 0',
      ],
      [{ limits: { per_day: 1.5 } }, 'field "limits.per_day": expected a whole number from 1 to 1000000000, got 1.5'],
    ],
    user: [
      [{ account_id: undefined }, 'field "account_id": expected a UUID, but it is missing'],
      [{ email: "ana" }, 'field "email": expected an e-mail address of at most 254 characters, got "ana"'],
      [{ email: "a@b@c" }, 'field "email": expected an e-mail address'],
      [{ email: `${long}@b` }, 'field "email": expected an e-mail address'],
      [{ email: undefined }, "but it is missing"],
      [{ role: "admin" }, 'field "role": expected one of owner, sub_account, got "admin"'],
      [{ status: "suspended" }, 'field "status": expected one of active, disabled, got "suspended"'],
    ],
    device: [
      [{ imei: "ABCDEFGHIJKLMN" }, 'field "imei": expected 14 to 16 digits, got "ABCDEFGHIJKLMN"'],
      [{ imei: 356307042441013 }, 'field "imei": expected a string of 14 to 16 digits, got 356307042441013'],
      [{ imei: undefined }, 'field "imei": expected a string of 14 to 16 digits, but it is missing'],
      [{ name: undefined }, `field "name": expected ${aText}, but it is missing`],
      [{ plate: "x".repeat(33) }, 'field "plate": expected text of at most 32 characters'],
      [{ status: "sold" }, 'field "status": expected one of active, inactive, blocked, got "sold"'],
      [{ vin: 1 }, 'field "vin": expected text of at most 32 characters'],
      [{ vehicle_make: long }, 'field "vehicle_make": expected text of at most 100'],
      [{ vehicle_model: long }, 'field "vehicle_model": expected text of at most 100'],
      [{ vehicle_type: long }, 'field "vehicle_type": expected text of at most 100'],
      [{ tracker_model: long }, 'field "tracker_model": expected text of at most 100'],
      [
        { tracker_clock: "Mars/Crater" },
        'field "tracker_clock": expected a time zone such as "Europe/Berlin", or how far',
      ],
      [{ tracker_clock: "+25:00" }, 'field "tracker_clock": expected a time zone'],
      [{ tracker_clock: 360 }, 'field "tracker_clock": expected a time zone'],
      [{ tracker_id: "0138 12345678" }, 'field "tracker_id": expected text of 1 to 64 visible ASCII characters'],
      [{ tracker_id: "x".repeat(65) }, 'field "tracker_id": expected text of 1 to 64 visible ASCII characters'],
      [{ tracker_id: 13812345678 }, 'field "tracker_id": expected text of 1 to 64 visible ASCII characters'],
      [{ tracker_protocol: "GT06" }, 'field "tracker_protocol": expected one of gt06, jt808, h02'],
      [{ vehicle_year: 1899 }, 'field "vehicle_year": expected a whole number from 1900 to 2100, got 1899'],
      [{ vehicle_year: "2020" }, 'field "vehicle_year": expected a whole number from 1900 to 2100, got "2020"'],
      [{ fuel_tank_capacity_l: 0 }, 'field "fuel_tank_capacity_l": expected a number from 1 to 100000, got 0'],
      [{ tags: "cold" }, 'field "tags": expected an array of at most 50 tags, got "cold"'],
      [{ tags: Array(51).fill("x") }, 'field "tags": expected an array of at most 50 tags, got an array of 51'],
      [{ tags: ["cold", 5] }, 'field "tags[1]": expected text of 1 to 64 characters'],
      [{ external_ids: ["x"] }, 'field "external_ids": expected an object of at most 50 strings, got an array'],
      [{ external_ids: { sap: 4711 } }, 'field "external_ids.sap": expected text of 1 to 200 characters'],
      [{ external_ids: { "": "x" } }, 'field "external_ids.": expected as a name, text of 1 to 64 characters'],
      [
        { external_ids: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, "v"])) },
        'field "external_ids": expected an object of at most 50 strings, got an object',
      ],
      [{ user_ids: [id, "7"] }, 'field "user_ids[1]": expected a UUID, got "7"'],
    ],
    geofence: [
      [{ description: long }, 'field "description": expected text of at most 2000'],
      [{ color: "red;}" }, 'field "color": expected a colour such as #1e90ff or red, got "red;}"'],
      [{ color: "#12345" }, 'field "color": expected a colour'],
      [{ shape: "box" }, 'field "shape": expected one of circle, polygon, corridor, got "box"'],
      [{ shape: undefined }, 'field "shape": expected one of circle, polygon, corridor, but it is missing'],
      [{ geometry: undefined }, 'field "geometry": expected a GeoJSON Point, but it is missing'],
      [{ radius_m: 5 }, 'field "radius_m": expected a number of metres from 20 to 100000, got 5'],
      [
        { geometry: { type: "Point", coordinates: [13.4, 91] } },
        'field "geometry.coordinates[1]": expected a latitude from -90 to 90 (longitude comes first), got 91',
      ],
      [
        polygon([0, 0], [1, 0], [1, 1], [0, 1]),
        'field "geometry.coordinates[0]": expected a closed ring, whose last position equals its first, ' +
          "but it starts at [0, 0] and ends at [0, 1]",
      ],
      [
        polygon([0, 0], [1, 1], [1, 0], [0, 1], [0, 0]),
        'field "geometry.coordinates[0]": expected a ring that does not cross or touch itself, but its edges 0 and 2 meet',
      ],
      [
        polygon([0, 0], [1, 0], [1, 1], "x", [0, 0]),
        'field "geometry.coordinates[0][3]": expected a position [longitude, latitude], got "x"',
      ],
      [{ device_ids: "all" }, 'field "device_ids": expected an array of at most 100000 device ids, got "all"'],
      [{ valid_from: "2026-02-30" }, 'field "valid_from": expected an ISO 8601 time such as'],
      [{ valid_from: 1767225600 }, 'field "valid_from": expected an ISO 8601 time, got 1767225600'],
    ],
    alert_settings: [
      [{ device_id: "x" }, 'field "device_id": expected a UUID, got "x"'],
      [{ rules: undefined }, 'field "rules": expected an array of at most 200 rules, but it is missing'],
      [{ rules: {} }, 'field "rules": expected an array of at most 200 rules, got an object'],
      [{ rules: ["sos"] }, 'field "rules[0]": expected an object with an alert_type, got "sos"'],
      [{ rules: Array(201).fill({ alert_type: "sos" }) }, 'field "rules": expected an array of at most 200 rules'],
      [rule({ alert_type: "speed" }), 'field "rules[1].alert_type": expected one of speeding, '],
      [rule({ alert_type: undefined }), 'field "rules[1].alert_type": expected one of speeding, '],
      [rule({ enabled: "yes" }), 'field "rules[1].enabled": expected true or false, got "yes"'],
      [rule({ severity: "high" }), 'field "rules[1].severity": expected one of info, warning, critical, got "high"'],
      [rule({ parameters: [] }), 'field "rules[1].parameters": expected an object, got an array of 0'],
      [rule({ parameters: "none" }), 'field "rules[1].parameters": expected an object, got "none"'],
      [rule({ geofence_ids: ["x"] }), 'field "rules[1].geofence_ids[0]": expected a UUID, got "x"'],
      [{ valid_from: "soon" }, 'field "valid_from": expected an ISO 8601 time'],
    ],
  };
  const titled = (Object.keys(wrong) as Type[]).flatMap((type) =>
    wrong[type].map(([change, expected]) => ({ type, change, expected })),
  );
  test.each(titled)("$type: $expected", ({ type, change, expected }) => {
    const message = problem(type, change);
    expect(message).toStartWith("line 7: field ");
    expect(message).toContain(expected);
    expect(message).not.toContain("; ");
    expect(message).not.toContain("\n");
  });

  function polygon(...positions: unknown[]) {
    return { shape: "polygon", radius_m: null, geometry: { type: "Polygon", coordinates: [positions] } };
  }

  test("all problems of a line in one message, those of the geometry too", () => {
    expect(problem("geofence", { name: 5, radius_m: 1, geometry: { type: "Point", coordinates: [181, 0] } })).toBe(
      `line 7: field "name": expected ${aText}, got 5; ` +
        'field "radius_m": expected a number of metres from 20 to 100000, got 1; ' +
        'field "geometry.coordinates[0]": expected a longitude from -180 to 180, got 181',
    );
  });

  test("hundreds of problems are cut short", () => {
    const message = problem("device", { user_ids: Array(300).fill("x") });
    expect(message).toEndWith("; and 290 more");
    expect(message.length).toBeLessThan(1000);
  });
});
