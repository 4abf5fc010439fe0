import { describe, expect, test } from "bun:test";
import { readTraccarEvent, readTraccarPosition } from "../../src/intake/formats/traccar.ts";
import type { FormatResult, IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { frameDigest } from "../../src/store/blocks/frame-digest.ts";

const now = Date.UTC(2026, 2, 14, 8, 30);
const imei = "356307042441013";

const device = {
  id: 17,
  attributes: {},
  groupId: 0,
  name: "Van 1",
  uniqueId: imei,
  status: "online",
  lastUpdate: "2026-03-14T08:15:31.000+00:00",
  positionId: 4711,
  category: "van",
  disabled: false,
};

const position = {
  id: 0,
  attributes: {
    ignition: true,
    sat: 11,
    hdop: 0.9,
    odometer: 123456789,
    batteryLevel: 98,
    battery: 4.1,
    power: 12.61,
    fuel: 44.4,
    fuelLevel: 62.5,
    temp1: 4.2,
    temp3: -18,
    humidity: 71,
    distance: 31.7,
    totalDistance: 99.5,
    motion: true,
  } as Record<string, unknown>,
  deviceId: 17,
  protocol: "teltonika",
  serverTime: "2026-03-14T08:15:31.412+00:00",
  deviceTime: "2026-03-14T08:15:30.000+00:00",
  fixTime: "2026-03-14T08:15:30.000+00:00",
  valid: true,
  latitude: 52.5200066,
  longitude: 13.404954,
  altitude: 34.2,
  speed: 28.077764, // 52 km/h times 0.539957
  course: 271,
  address: null,
  accuracy: 0,
  network: null,
  geofenceIds: null,
};

type Changes = Omit<Partial<Record<keyof typeof position | "outdated", unknown>>, "attributes"> & {
  attributes?: object;
};

const body = ({ attributes, ...changes }: Changes = {}) => ({
  position: { ...position, ...changes, attributes: { ...position.attributes, ...attributes } },
  device,
});

function framesOf(results: readonly FormatResult[]): readonly IncomingFrame[] {
  return results.flatMap((result) => {
    if (result.kind !== "frames") throw new Error(JSON.stringify(result));
    return result.frames;
  });
}

function onlyFrame(sent: unknown): IncomingFrame {
  const [frame, ...others] = framesOf(readTraccarPosition(sent, now));
  if (frame === undefined || others.length > 0) throw new Error("expected one frame");
  return frame;
}

const withoutPlace = {
  latitude: null,
  longitude: null,
  altitude_m: null,
  speed_kmh: null,
  heading_deg: null,
  accuracy_m: null,
  fix: false,
  source: null,
};

describe("a position that Traccar forwards", () => {
  test("is a frame at its fixTime, in our units", () => {
    expect(onlyFrame(body())).toEqual({
      imei,
      recordedAt: Date.UTC(2026, 2, 14, 8, 15, 30),
      receivedAt: now,
      latitude: 52.5200066,
      longitude: 13.404954,
      altitude_m: 34.2,
      speed_kmh: 52,
      heading_deg: 271,
      accuracy_m: null,
      satellites: 11,
      hdop: 0.9,
      ignition: true,
      odometer_km: 123456.789,
      battery_percent: 98,
      external_voltage_v: 12.61,
      event: null,
      fix: true,
      source: null,
      sensors: [
        { kind: "fuel", sensor: "tank_1", level_percent: 62.5, volume_l: 44.4 },
        { kind: "temperature", sensor: "temp_1", temperature_c: 4.2, humidity_percent: 71 },
        { kind: "temperature", sensor: "temp_3", temperature_c: -18, humidity_percent: null },
      ],
    });
  });

  test.each([3, 5, 10, 50, 90, 250])("keeps a tracker's %d km/h, which Traccar turned into knots", (kmh) => {
    expect(onlyFrame(body({ speed: kmh * 0.539957 })).speed_kmh).toBe(kmh);
  });

  test.each([
    ["2026-03-14T08:15:30.000+00:00"],
    ["2026-03-14T08:15:30.000+0000"],
    ["2026-03-14T10:15:30.000+02:00"],
    ["2026-03-14T08:15:30Z"],
    [Date.UTC(2026, 2, 14, 8, 15, 30)],
  ])("may write its time as %p", (fixTime) => {
    expect(onlyFrame(body({ fixTime })).recordedAt).toBe(Date.UTC(2026, 2, 14, 8, 15, 30));
  });

  test("of the moment 0 is of 0, also if that is written -0", () => {
    expect(Object.is(onlyFrame(body({ fixTime: -0, deviceTime: null })).recordedAt, 0)).toBe(true);
  });

  test("may come as one of several", () => {
    const results = readTraccarPosition([body(), {}, body({ latitude: 1 })], now);
    expect(results.map(({ kind }) => kind)).toEqual(["frames", "refused", "frames"]);
  });

  test("from a look-up of radio cells or access points is approximate", () => {
    const network = { radioType: "gsm", cellTowers: [{ cellId: 1 }] };
    const attributes = { approximate: true };
    expect(onlyFrame(body({ attributes, network })).source).toBe("cell");
    expect(onlyFrame(body({ attributes, network: { ...network, wifiAccessPoints: [{}] } })).source).toBe("wifi");
    expect(onlyFrame(body({ network })).source).toBeNull();
  });

  test("loses an attribute that does not fit, not its place", () => {
    const attributes = {
      power: 12_610,
      sat: "11",
      hdop: -1,
      ignition: "true",
      odometer: "abc",
      temp1: Number.POSITIVE_INFINITY,
      fuel: {},
    };
    expect(onlyFrame(body({ attributes, course: -1 }))).toMatchObject({
      latitude: 52.5200066,
      heading_deg: null,
      external_voltage_v: null,
      satellites: 11,
      hdop: null,
      ignition: true,
      odometer_km: null,
      sensors: [
        { kind: "fuel", sensor: "tank_1", level_percent: 62.5, volume_l: null },
        { kind: "temperature", sensor: "temp_1", temperature_c: null, humidity_percent: 71 },
        { kind: "temperature", sensor: "temp_3", temperature_c: -18, humidity_percent: null },
      ],
    });
  });
});

describe("a message without GPS", () => {
  const deviceTime = "2026-03-14T08:20:00.000+00:00";
  const quiet = { distance: 0, ignition: false };

  test.each<[string, Changes]>([
    ["is not valid", { valid: false, deviceTime }],
    ["is marked as outdated", { outdated: true, deviceTime, attributes: { distance: 1 } }],
    ["repeats the last place and its time", { deviceTime }],
    ["has no fixTime at all", { deviceTime, fixTime: null }],
  ])("that %s is a frame of sensors at its deviceTime", (_, changes) => {
    const frame = onlyFrame(body({ ...changes, attributes: { ...quiet, ...changes.attributes } }));
    expect(frame).toMatchObject({ ...withoutPlace, recordedAt: Date.UTC(2026, 2, 14, 8, 20) });
    expect(frame).toMatchObject({ ignition: false, battery_percent: 98, satellites: 11 });
    expect(frame.sensors).toHaveLength(3);
  });

  test.each<[string, Changes]>([
    ["it says that it is not outdated", { outdated: false, deviceTime, attributes: quiet }],
    ["it is elsewhere than the last", { deviceTime, attributes: { distance: 0.4 } }],
    ["both times are equal", { attributes: quiet }],
    ["it stands, and its times are 2 s apart", { deviceTime: "2026-03-14T08:15:32Z", attributes: quiet }],
    ["they are 10 s apart", { deviceTime: "2026-03-14T08:15:40Z", attributes: quiet }],
    ["the fix is the later of them", { deviceTime: "2026-03-14T08:15:20Z", attributes: quiet }],
    ["Traccar tells no distance", { deviceTime: "2026-03-14T08:15:32Z", attributes: { distance: undefined } }],
    ["there is only one time", { deviceTime: null, attributes: quiet }],
  ])("is not one if %s", (_, changes) => {
    const frame = onlyFrame(body(changes));
    expect(frame).toMatchObject({ fix: true, latitude: 52.5200066, recordedAt: Date.UTC(2026, 2, 14, 8, 15, 30) });
  });

  test.each<[string, Changes]>([
    ["its times are more than 10 s apart", { deviceTime: "2026-03-14T08:15:40.001Z", attributes: quiet }],
    ["it is older than the last fix", { deviceTime: "2026-03-14T08:15:19.999Z", attributes: quiet }],
    ["its times are close but it is not valid", { valid: false, deviceTime: "2026-03-14T08:15:32Z" }],
    ["its times are close but it is outdated", { outdated: true, deviceTime: "2026-03-14T08:15:32Z" }],
    ["there was never a fix", { fixTime: 0, attributes: quiet }],
  ])("is one if %s", (_, changes) => {
    const { deviceTime: time = position.deviceTime } = changes;
    expect(onlyFrame(body(changes))).toMatchObject({ ...withoutPlace, recordedAt: Date.parse(time as string) });
  });

  test("is none of a standing vehicle's fixes, the first of all included", () => {
    for (let second = 0; second < 3600; second += 60) {
      const fixTime = Date.UTC(2026, 2, 14, 7) + second * 1000;
      const sent = body({ fixTime, deviceTime: fixTime + 2000, speed: 0, attributes: { distance: 0 } });
      expect(onlyFrame(sent)).toMatchObject({ fix: true, recordedAt: fixTime, speed_kmh: 0 });
    }
  });
});

describe("an alarm", () => {
  test.each([
    ["sos", "sos"],
    ["accident", "crash"],
    ["powerCut", "power_cut"],
    ["tampering", "tampering"],
    ["removing", "tampering"],
    ["jamming", "jamming"],
    ["hardAcceleration", "harsh_acceleration"],
    ["hardBraking", "harsh_braking"],
    ["hardCornering", "harsh_cornering"],
    ["vibration", "vibration"],
    ["constructor", "constructor"],
  ])("%s is the event %s", (alarm, event) => expect(onlyFrame(body({ attributes: { alarm } })).event).toBe(event));

  test("of several gives a frame for each, and each once", () => {
    const frames = framesOf(
      readTraccarPosition(body({ attributes: { alarm: "sos,powerCut,sos,, removing,tampering" } }), now),
    );
    expect(frames.map(({ event }) => event)).toEqual(["sos", "power_cut", "tampering"]);
    expect(frames.map(({ sensors }) => sensors.length)).toEqual([3, 0, 0]);
  });

  test.each([
    ["sos", "sos", 0],
    ["powerCut", "power_cut", 1],
  ])("%s forwarded as an event is the same frame as with its position", (alarm, name, index) => {
    const { position: where } = body({ attributes: { alarm: "sos,powerCut" } });
    const event = { id: 5, type: "alarm", eventTime: position.deviceTime, attributes: { alarm } };
    const [fromEvent] = framesOf(readTraccarEvent({ event, position: where, device }, now));
    const fromPosition = framesOf(readTraccarPosition({ position: where, device }, now));
    expect(fromEvent?.event).toBe(name);
    expect(frameDigest(fromPosition[index] as IncomingFrame)).toBe(frameDigest(fromEvent as IncomingFrame));
  });

  test("that its position does not name leaves the sensors to the position", () => {
    const event = { type: "alarm", attributes: { alarm: "sos" } };
    expect(framesOf(readTraccarEvent({ event, ...body() }, now))).toMatchObject([{ event: "sos", sensors: [] }]);
  });
});

describe("an event", () => {
  test.each(["deviceOnline", "deviceOffline", "deviceMoving", "ignitionOn", "geofenceEnter", "somethingNew"])(
    "%s is nothing to store",
    (type) => {
      expect(readTraccarEvent({ event: { type, attributes: {} }, ...body() }, now)).toMatchObject([
        { kind: "nothing" },
      ]);
    },
  );

  test("that is an alarm without a position is nothing to store", () => {
    const event = { type: "alarm", attributes: { alarm: "sos" } };
    expect(readTraccarEvent({ event, device }, now)).toMatchObject([{ kind: "nothing" }]);
  });
});

describe("what is refused says why", () => {
  test.each<[unknown, string]>([
    [null, "position: expected an object, but it is missing"],
    [{ position: 7 }, "position: expected an object, got 7"],
    [
      { ...body(), device: undefined },
      "device.uniqueId: expected the IMEI, a string of 14 to 16 digits, but it is missing",
    ],
    [
      { ...body(), device: { uniqueId: "van-1" } },
      'device.uniqueId: expected the IMEI, a string of 14 to 16 digits, got "van-1"',
    ],
    [body({ fixTime: "soon" }), 'position.fixTime: expected an ISO 8601 time or milliseconds since 1970, got "soon"'],
    [body({ fixTime: null, deviceTime: null }), "position.fixTime: expected a time, but it is missing"],
    [body({ latitude: "north" }), 'position.latitude: expected a latitude in degrees, got "north"'],
    [
      body({ latitude: Number.POSITIVE_INFINITY, longitude: null }),
      "position.latitude: expected a latitude in degrees, got Infinity; position.longitude: expected a longitude in degrees, got null",
    ],
  ])("%#", (sent, reason) => expect(readTraccarPosition(sent, now)).toEqual([{ kind: "refused", reason }]));

  test.each<[unknown, string]>([
    [7, "event: expected an object, but it is missing"],
    [{ event: {} }, "event.type: expected text, but it is missing"],
    [
      { event: { type: "alarm" }, ...body() },
      "event.attributes.alarm: expected the name of an alarm, but it is missing",
    ],
  ])("of an event, %#", (sent, reason) => expect(readTraccarEvent(sent, now)).toEqual([{ kind: "refused", reason }]));
});
