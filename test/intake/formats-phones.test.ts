import { describe, expect, test } from "bun:test";
import { readOsmandQuery, readTraccarClient } from "../../src/intake/formats/osmand.ts";
import { readOwnTracks } from "../../src/intake/formats/owntracks.ts";
import type { FormatResult, IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { noReport } from "../support/random-drive.ts";

const now = Date.UTC(2026, 2, 14, 8, 30);
const then = Date.UTC(2026, 2, 14, 8, 15, 30);
const imei = "356307042441013";

function frameOf(result: FormatResult): IncomingFrame {
  if (result.kind !== "frames" || result.frames[0] === undefined) throw new Error(JSON.stringify(result));
  return result.frames[0];
}

const unknown = { ...noReport, imei, recordedAt: then, receivedAt: now };

describe("the OsmAnd protocol", () => {
  const query = (text: string) => readOsmandQuery(text, now);
  const place = `id=${imei}&lat=52.52&lon=13.4`;
  const at = `${place}&timestamp=${then / 1000}`;

  test("is read as the Traccar Client sends it", () => {
    const sent = `${at}&speed=28.077754&bearing=271.0&altitude=34.2&accuracy=4.5&batt=98.0&charge=false`;
    expect(frameOf(query(sent))).toEqual({
      ...unknown,
      latitude: 52.52,
      longitude: 13.4,
      altitude_m: 34.2,
      speed_kmh: 52,
      heading_deg: 271,
      accuracy_m: 4.5,
      battery_percent: 98,
    });
  });

  test.each<[string, Partial<IncomingFrame>]>([
    [`deviceid=${imei}&location=52.52,13.4&timestamp=${then}`, { latitude: 52.52, longitude: 13.4, recordedAt: then }],
    [`${place}&timestamp=2026-03-14T08:15:30Z`, { recordedAt: then }],
    [`${place}&timestamp=2026-03-14T10:15:30%2B02:00`, { recordedAt: then }],
    [`${place}&timestamp=2026-03-14+08:15:30`, { recordedAt: then }],
    [`${place}&timestamp=1`, { recordedAt: 1000 }],
    [place, { recordedAt: now }],
    [`${at}&lat=1&lat=2`, { latitude: 2 }],
    [
      `${at}&heading=90&speed_ms=10&hdop=1.5&accuracy=0`,
      { heading_deg: 90, speed_kmh: 36, hdop: 1.5, accuracy_m: null },
    ],
    [`${at}&valid=0`, { fix: false, latitude: 52.52 }],
    [`${at}&valid=TRUE`, { fix: true }],
    [
      `${at}&ignition=true&sat=7&odometer=1234&power=24.1`,
      { ignition: true, satellites: 7, odometer_km: 1.234, external_voltage_v: 24.1 },
    ],
    [`${at}&alarm=sos`, { event: "sos" }],
    [`${at}&speed=fast&batt=120&driverUniqueId=7&__proto__=1`, { speed_kmh: null, battery_percent: null }],
    [`id=${imei}&timestamp=${then}&batt=50`, { fix: false, latitude: null, battery_percent: 50 }],
    [
      `id=${imei}&timestamp=${then}&temp1=4`,
      { sensors: [{ kind: "temperature", sensor: "temp_1", temperature_c: 4, humidity_percent: null }] },
    ],
  ])("%s", (sent, expected) => expect(frameOf(query(sent))).toMatchObject(expected));

  test.each([
    ["", "id: expected the IMEI, a string of 14 to 16 digits, but it is missing"],
    [`${at}&deviceid=12345678901234`, `id: expected one device, got ${imei} and 12345678901234`],
    [`${at}&id=12345678901234`, `id: expected one device, got 12345678901234 and ${imei}`],
    ["id=phone", 'id: expected the IMEI, a string of 14 to 16 digits, got "phone"'],
    [
      `${place}&timestamp=now`,
      'timestamp: expected seconds or milliseconds since 1970, or an ISO 8601 time, got "now"',
    ],
    [`${place}&timestamp=`, 'timestamp: expected seconds or milliseconds since 1970, or an ISO 8601 time, got ""'],
    [`id=${imei}&lat=52`, "lon: expected a longitude in degrees, but it is missing"],
    [
      `id=${imei}&lat=&lon=NaN`,
      'lat: expected a latitude in degrees, got ""; lon: expected a longitude in degrees, got "NaN"',
    ],
    [`id=${imei}&location=52`, "location: expected a longitude in degrees, but it is missing"],
  ])("refuses %p", (sent, reason) => expect(query(sent)).toEqual({ kind: "refused", reason }));
});

describe("the Traccar Client's JSON", () => {
  const location = {
    timestamp: "2026-03-14T08:15:30.000Z",
    coords: { latitude: 52.52, longitude: 13.4, accuracy: 4.5, speed: 10, heading: 271, altitude: 34.2 },
    is_moving: true,
    odometer: 1234.5,
    event: "motionchange",
    battery: { level: 0.57, is_charging: false },
    activity: { type: "in_vehicle" },
    extras: { ignition: true },
  };
  const body = (changes: object = {}) => ({ location: { ...location, ...changes }, device_id: imei });

  test("is read in our units", () => {
    expect(frameOf(readTraccarClient(body(), now))).toEqual({
      ...unknown,
      latitude: 52.52,
      longitude: 13.4,
      altitude_m: 34.2,
      speed_kmh: 36,
      heading_deg: 271,
      accuracy_m: 4.5,
      ignition: true,
      odometer_km: 1.2345,
      battery_percent: 57,
    });
  });

  test("says -1 for what the phone does not know", () => {
    const coords = { ...location.coords, speed: -1, heading: -1, accuracy: -1 };
    const frame = frameOf(readTraccarClient(body({ coords, battery: { level: -1 } }), now));
    expect(frame).toMatchObject({ speed_kmh: null, heading_deg: null, accuracy_m: null, battery_percent: null });
  });

  test("may be without a place, and may tell of an alarm", () => {
    const frame = frameOf(readTraccarClient(body({ coords: undefined, alarm: "sos" }), now));
    expect(frame).toMatchObject({ fix: false, latitude: null, event: "sos", recordedAt: then });
  });

  test.each<[unknown, string]>([
    [[], "body: expected an object, got an array of 0"],
    [
      {},
      "device_id: expected the IMEI, a string of 14 to 16 digits, but it is missing; location: expected an object, but it is missing",
    ],
    [body({ timestamp: "x" }), 'location.timestamp: expected an ISO 8601 time, got "x"'],
    [
      body({ coords: {} }),
      "location.coords.latitude: expected a latitude in degrees, but it is missing; location.coords.longitude: expected a longitude in degrees, but it is missing",
    ],
  ])("refuses what is incomplete, %#", (sent, reason) => {
    expect(readTraccarClient(sent, now)).toEqual({ kind: "refused", reason });
  });
});

test("the Traccar Client's body must not name another device than the address", () => {
  const body = {
    device_id: imei,
    location: { timestamp: "2026-03-14T08:15:30Z", coords: { latitude: 52.5, longitude: 13.4 } },
  };
  expect(frameOf(readTraccarClient(body, now, [imei])).imei).toBe(imei);
  expect(frameOf(readTraccarClient(body, now, ["phone"])).imei).toBe(imei);
  const reason = `device_id: expected one device, got ${imei} and 12345678901234`;
  expect(readTraccarClient(body, now, ["12345678901234"])).toEqual({ kind: "refused", reason });
});

describe("OwnTracks", () => {
  const location = {
    _type: "location",
    _id: "5ba0d2c4",
    acc: 14,
    alt: 154,
    batt: 60,
    bs: 1,
    cog: 271,
    conn: "m",
    lat: 52.52,
    lon: 13.4,
    m: 1,
    t: "u",
    tid: "JJ",
    topic: `owntracks/jane/${imei}`,
    tst: then / 1000,
    vel: 52,
    BSSID: "c0:ff:ee:c0:ff:ee",
    inregions: ["Home"],
  };

  test("is read in our units, from the topic's device", () => {
    expect(frameOf(readOwnTracks(location, [], now))).toEqual({
      ...unknown,
      latitude: 52.52,
      longitude: 13.4,
      altitude_m: 154,
      speed_kmh: 52,
      heading_deg: 271,
      accuracy_m: 14,
      battery_percent: 60,
    });
  });

  test.each<[string, object, string[]]>([
    ["its own IMEI", { imei, topic: "owntracks/jane/phone" }, ["phone"]],
    ["what came beside it", { topic: "owntracks/jane/phone" }, ["", imei]],
    ["a topic that came beside it", { topic: undefined }, [`fleet/van/${imei}`]],
    ["the topic in it", {}, ["phone"]],
    ["all of them", { imei }, [imei, ` ${imei} `]],
  ])("is of the device of %s", (_, changes, beside) => {
    expect(frameOf(readOwnTracks({ ...location, ...changes }, beside, now)).imei).toBe(imei);
  });

  test.each<[object, string[]]>([
    [{ imei: "12345678901234" }, []],
    [{ topic: undefined, imei }, ["12345678901234"]],
    [{}, ["12345678901234"]],
    [{ topic: undefined }, [imei, "12345678901234"]],
  ])("that names two devices is refused, %#", (changes, beside) => {
    const refused = readOwnTracks({ ...location, ...changes }, beside, now);
    expect(refused).toEqual({
      kind: "refused",
      reason: expect.stringContaining("device id: expected one device, got "),
    });
  });

  test.each<[object, Partial<IncomingFrame>]>([
    [
      { t: "i", odometer: 1234.5, uext: 12.6 },
      { ignition: true, odometer_km: 1234.5, external_voltage_v: 12.6 },
    ],
    [{ t: "I" }, { ignition: false }],
    [{ t: "e" }, { event: "power_cut" }],
  ])("of a hardware tracker tells %j", (changes, expected) => {
    expect(frameOf(readOwnTracks({ ...location, ...changes }, [], now))).toMatchObject(expected);
  });

  test.each(["lwt", "waypoint", "waypoints", "transition", "card", "cmd", "status", "steps"])(
    "%s is nothing to store",
    (_type) => {
      expect(readOwnTracks({ _type, tst: 1 }, [imei], now).kind).toBe("nothing");
    },
  );

  test.each<[unknown, string]>([
    [[location], "body: expected one object, got an array of 1"],
    [
      { _type: "encrypted", data: "" },
      "_type: the payload is encrypted; switch the encryption off in the app, and use TLS",
    ],
    [{ lat: 1 }, '_type: expected "location", but it is missing'],
    [
      { ...location, topic: "owntracks/jane/phone" },
      'device id: expected the IMEI, a string of 14 to 16 digits, got "phone"',
    ],
    [{ ...location, topic: undefined }, "device id: expected the IMEI, a string of 14 to 16 digits, but it is missing"],
    [{ ...location, tst: "noon" }, 'tst: expected seconds since 1970, got "noon"'],
    [{ ...location, lat: null }, "lat: expected a latitude in degrees, got null"],
  ])("refuses with a reason, %#", (sent, reason) => {
    expect(readOwnTracks(sent, [], now)).toEqual({ kind: "refused", reason });
  });
});
