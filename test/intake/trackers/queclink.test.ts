import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { TrackerFrame } from "../../../src/intake/trackers/kit/frame.ts";
import { queclink } from "../../../src/intake/trackers/queclink/family.ts";
import { forAll } from "../../support/for-all.ts";
import {
  eventReport,
  queclinkSample as here,
  message,
  portableReport,
  type SentEnvelope,
  type SentPosition,
  vehicleReport,
} from "../../support/trackers/queclink-encoder.ts";
import { beyondRoutine } from "../../support/trackers/routine-names.ts";

const { at } = here;
const minute = 60_000;
const hour = 60 * minute;

function envelope(type: string, more: Partial<SentEnvelope> = {}): SentEnvelope {
  return { type, version: "060228", id: "862894020180553", sentAt: at + 3_000, count: 0x11f0, ...more };
}

function decode(bytes: Uint8Array, session = queclink.begin()) {
  return queclink.decode(bytes, session, at);
}

function decodeText(text: string) {
  return decode(new Uint8Array(Buffer.from(text, "latin1")));
}

function replyOf(bytes: Uint8Array): string | null {
  const { reply } = decode(bytes);
  return reply === null ? null : Buffer.from(reply).toString("latin1");
}

const anyPosition = fc.record({
  accuracy: fc.integer({ min: 1, max: 50 }),
  speedKmh: fc.integer({ min: 0, max: 9_999 }).map((tenths) => tenths / 10),
  azimuthDeg: fc.integer({ min: 0, max: 359 }),
  altitudeM: fc.integer({ min: -99_999, max: 99_999 }).map((tenths) => tenths / 10),
  longitude: fc.integer({ min: -180_000_000, max: 180_000_000 }).map((millionths) => millionths / 1e6),
  latitude: fc.integer({ min: -90_000_000, max: 90_000_000 }).map((millionths) => millionths / 1e6),
  at: fc.integer({ min: Date.UTC(2010, 0) / 1000, max: Date.UTC(2040, 0) / 1000 }).map((seconds) => seconds * 1000),
});
const anyPositions = fc.array(
  anyPosition.filter(({ longitude, latitude }) => longitude !== 0 || latitude !== 0),
  { minLength: 1, maxLength: 15 },
);

function placeOf(position: SentPosition): Partial<TrackerFrame> {
  return {
    recordedAt: position.at,
    fix: true,
    latitude: position.latitude + 0,
    longitude: position.longitude + 0,
    speed_kmh: position.speedKmh,
    heading_deg: position.azimuthDeg,
    altitude_m: position.altitudeM + 0,
    hdop: position.accuracy,
  };
}

const ignitionOfState = { 11: false, 12: false, 16: false, "1A": false, 21: true, 22: true, 41: null, 42: null };
const anyState = fc.constantFrom(...(Object.keys(ignitionOfState) as (keyof typeof ignitionOfState & string)[]));

describe("what an encoder wrote is read as it was", () => {
  test("reports of vehicles, with one position or up to fifteen", () => {
    forAll(
      300,
      [anyPositions, anyState, fc.integer({ min: 1, max: 42_949_670 }), fc.integer({ min: 0, max: 100 })],
      (positions, state, mileage, batteryPercent) => {
        const report = { ...envelope("FRI"), supplyMv: 13_800, code: "10", positions, batteryPercent, state };
        const { frames, problem, leftOut } = decode(vehicleReport({ ...report, mileageKm: mileage / 10 }));
        expect({ problem, leftOut }).toEqual({ problem: null, leftOut: [] });
        expect(frames).toMatchObject(positions.map(placeOf));
        expect(frames.at(-1)).toMatchObject({
          ignition: ignitionOfState[state],
          odometer_km: mileage / 10,
          battery_percent: batteryPercent,
          external_voltage_v: 13.8,
        });
        for (const frame of frames.slice(0, -1)) expect(frame).toMatchObject({ ignition: null, battery_percent: null });
      },
    );
  });

  test("reports of portable trackers", () => {
    forAll(
      300,
      [anyPositions, fc.integer({ min: 1, max: 42_949_670 }), fc.integer({ min: 0, max: 100 })],
      (positions, mileage, batteryPercent) => {
        const report = { ...envelope("FRI", { version: "1A0900" }), positions, batteryPercent };
        const { frames } = decode(portableReport({ ...report, mileageKm: mileage / 10 }));
        expect(frames).toMatchObject(positions.map(placeOf));
        expect(frames.at(-1)).toMatchObject({ odometer_km: mileage / 10, battery_percent: batteryPercent });
      },
    );
  });
});

describe("what a report says", () => {
  const events: readonly [type: string, head: readonly string[], event: string | null][] = [
    ["SOS", ["", "00", "1"], "sos"],
    ["TOW", ["", "10", "1"], "towing"],
    ["SPD", ["", "00", "1"], "overspeed"],
    ["GEO", ["", "30", "1"], "geofence_exit"],
    ["GEO", ["", "31", "1"], "geofence_enter"],
    ["GIN", ["", "00", "1"], "geofence_enter"],
    ["GOT", ["", "00", "1"], "geofence_exit"],
    ["HBM", ["", "10", "1"], "harsh_braking"],
    ["HBM", ["", "21", "1"], "harsh_acceleration"],
    ["HBM", ["", "32", "1"], "harsh_cornering"],
    ["HBM", ["", "15", "1"], null],
    ["NMR", ["0", "0", "1"], null],
    ["NMR", ["0", "1", "1"], "movement"],
    ["DIS", ["", "21", "1"], null],
    ["DOG", ["", "01", "1"], null],
    ["IDN", ["", ""], "idling"],
    ["IDF", ["22", "300"], null],
    ["CRA", ["01"], "crash"],
    ["CRA", [], "crash"],
    ["MPF", [], "power_cut"],
    ["MPN", [], "power_restored"],
    ["EPF", [], "power_cut"],
    ["EPN", [], "power_restored"],
    ["BPL", ["3.53"], "low_battery"],
    ["BTC", [], null],
    ["STC", [""], null],
    ["JDR", [], "jamming"],
    ["JDS", ["1"], null],
    ["JDS", ["2"], "jamming"],
    ["JDS", ["2", "3"], "jamming"],
    ["GPJ", ["1"], null],
    ["GPJ", ["3"], "jamming"],
    ["ANT", ["0"], null],
    ["ANT", ["1"], "gps_antenna_cut"],
    ["GSS", ["0", "0", "11", ""], "gps_lost"],
    ["GSS", ["1", "9", "11", ""], null],
    ["FLA", ["2", "92", "70"], "fuel_leak"],
    ["TEM", ["1", "-12.5"], "temperature"],
    ["TEM", ["2", "20.0"], null],
    ["DAR", ["1", "5", "", ""], "fatigue_driving"],
    ["STT", ["11"], null],
    ["STT", ["12"], "movement"],
    ["STT", ["16"], "towing"],
    ["STT", ["1A"], "movement"],
    ["STT", ["21"], null],
    ["STT", ["42"], "movement"],
  ];
  for (const [type, head, event] of events) {
    test(`${type} ${head.join(",")} is ${event ?? "no event"}, with a fix and without`, () => {
      expect(decode(eventReport(envelope(type), head, here)).frames).toMatchObject([
        { recordedAt: at, event, fix: true },
      ]);
      const { frames } = decode(eventReport(envelope(type), head, null));
      expect(frames).toMatchObject([{ recordedAt: at + 3_000, event, fix: false, latitude: null }]);
    });
  }

  const ignitions: readonly [type: string, head: readonly string[], ignition: boolean | null][] = [
    ["IGN", ["1200"], true],
    ["IGF", ["1200"], false],
    ["VGN", ["00", "2", "33"], true],
    ["VGF", ["00", "2", "33"], false],
    ["IGL", ["", "00", "1"], true],
    ["IGL", ["", "01", "1"], false],
    ["IGL", ["", "02", "1"], null],
    ["STT", ["11"], false],
    ["STT", ["21"], true],
    ["STT", ["41"], null],
    ["GSS", ["1", "9", "22", ""], true],
    ["IDF", ["12", "300"], false],
    ["SOS", ["", "00", "1"], null],
  ];
  for (const [type, head, ignition] of ignitions) {
    test(`${type} ${head.join(",")}: the ignition is ${ignition}`, () => {
      expect(decode(eventReport(envelope(type), head, here)).frames).toMatchObject([{ ignition }]);
    });
  }

  test("ignition reports have the hours before the mileage, others the mileage first", () => {
    const tail = ["00", "00012:34:56", "2000.5"];
    expect(decode(eventReport(envelope("IGF"), ["9"], here, tail)).frames).toMatchObject([{ odometer_km: 2000.5 }]);
    expect(decode(eventReport(envelope("IDN"), ["", ""], here, ["00", "2000.5"])).frames).toMatchObject([
      { odometer_km: 2000.5 },
    ]);
  });

  test("a mileage of 0 is none: the tracker does not count", () => {
    expect(decode(eventReport(envelope("IDN"), ["", ""], here, ["00", "0.0"])).frames).toMatchObject([
      { odometer_km: null },
    ]);
  });

  test("a driver's tag", () => {
    const { frames } = decode(
      eventReport(envelope("IDA"), ["", "01C68011010000C7", "1", "1"], here, ["00", "34.9", ""]),
    );
    expect(frames[0] as object).toMatchObject({ driver_id: "01C68011010000C7", odometer_km: 34.9 });
  });

  test("columns that the append mask names are passed over", () => {
    const of = (version: string, tail: readonly string[]) =>
      decode(eventReport(envelope("IDN", { version }), ["", ""], here, tail)).frames[0];
    expect(of("8020090302", ["03", "15", "0", "123.5"])).toMatchObject({ satellites: 15, odometer_km: 123.5 });
    expect(of("8020090302", ["0D", "15", "220100", "0.8", "1.1", "1.4", "123.5"])).toMatchObject({
      satellites: 15,
      odometer_km: 123.5,
      ignition: true,
    });
    // This model has no columns for the two bits in the middle.
    expect(of("6E0C03", ["0F", "15", "0.8", "1.1", "1.4", "123.5"])).toMatchObject({
      satellites: 15,
      odometer_km: 123.5,
    });
  });

  test("a value out of bounds is left out and named, the frame stays", () => {
    const { frames, leftOut } = decode(eventReport(envelope("SOS"), ["", "00", "1"], { ...here, azimuthDeg: 999 }));
    expect(frames).toMatchObject([{ latitude: 48.137154, heading_deg: null, event: "sos" }]);
    expect(leftOut).toEqual(["heading_deg"]);
  });
});

describe("times", () => {
  const old = { ...here, accuracy: 0, at: at - 20 * minute };

  test("a tracker without a fix reports its last position: that keeps its time, and what happened is now", () => {
    const { frames } = decode(eventReport(envelope("IGN", { sentAt: at }), ["9"], old));
    expect(frames).toMatchObject([
      { recordedAt: old.at, latitude: here.latitude, fix: true, ignition: null },
      { recordedAt: at, latitude: null, fix: false, ignition: true },
    ]);
  });

  test("a position of a moment ago is where it happened", () => {
    for (const [age, count] of [
      [0, 1],
      [120_000, 1],
      [121_000, 2],
    ] as const) {
      const { frames } = decode(eventReport(envelope("IGN", { sentAt: at + age }), ["9"], { ...here, accuracy: 0 }));
      expect(frames.length).toBe(count);
    }
  });

  test("a local time of sending does not make a position old", () => {
    for (const offset of [-12, -4, -3.5, 1, 5.5, 5.75, 8, 14]) {
      const report = eventReport(envelope("IGN", { sentAt: at + offset * hour + 3_000 }), ["9"], {
        ...here,
        accuracy: 0,
      });
      expect(decode(report).frames).toMatchObject([{ recordedAt: at, latitude: here.latitude, ignition: true }]);
    }
  });

  const information = (zone: string, daylightSaving: string, sentAt: number) =>
    message(envelope("INF", { sentAt }), [
      ..."21,898600810906F8048812,16,0,1,12000,,4.4,0,0,0,0,20090214013254,0,1300,2000,00,00".split(","),
      zone,
      daylightSaving,
    ]);

  test("INF names the offset of local times, for itself and for what follows on the connection", () => {
    for (const [zone, daylightSaving, offset] of [
      ["+0800", "0", 8],
      ["-0330", "0", -3.5],
      ["-0500", "1", -4],
      ["+0000", "0", 0],
    ] as const) {
      const sentAt = at + offset * hour;
      const { frames, session } = decode(information(zone, daylightSaving, sentAt));
      expect(frames).toMatchObject([{ recordedAt: at, ignition: true, external_voltage_v: 12 }]);
      expect(decode(message(envelope("PNA", { sentAt }), []), session).frames).toMatchObject([{ recordedAt: at }]);
      expect(decode(eventReport(envelope("IGN", { sentAt }), ["9"], old), session).frames.length).toBe(2);
    }
  });

  test("a report with a fix of now shows the offset, too", () => {
    for (const offset of [-12, -4, -3.5, 0, 1, 5.5, 5.75, 8, 14]) {
      const sentAt = at + offset * hour;
      const shown = decode(eventReport(envelope("SOS", { sentAt: sentAt + 2_000 }), ["", "00", "1"], here)).session;
      expect(shown).toEqual({ zoneMinutes: offset * 60 });
      expect(decode(message(envelope("HBD", { kind: "ACK", sentAt }), []), shown).frames).toMatchObject([
        { recordedAt: at },
      ]);
    }
    // Neither a fix of a while ago nor the last known one shows anything.
    for (const position of [
      { ...here, at: at - 20 * minute },
      { ...here, accuracy: 0 },
    ])
      expect(decode(eventReport(envelope("SOS", { sentAt: at }), ["", "00", "1"], position)).session).toEqual({
        zoneMinutes: null,
      });
  });

  test("an offset that cannot be is not believed", () => {
    expect(decode(information("+9900", "0", at)).session).toEqual({ zoneMinutes: null });
  });

  test("without a time there is no frame, and it is answered as handled", () => {
    const { frames, problem, reply } = decodeText("+RESP:GTPNA,060228,862894020180553,,,11F0$");
    expect(frames).toEqual([]);
    expect(problem?.kind).toBe("no_time");
    expect(reply).not.toBeNull();
  });
});

describe("answers", () => {
  test("a report is acknowledged by its count, a heartbeat by name", () => {
    expect(replyOf(eventReport(envelope("SOS"), ["", "00", "1"], here))).toBe("+SACK:11F0$");
    expect(replyOf(message(envelope("INF", { kind: "BUFF", count: 0x0a }), []))).toBe("+SACK:000A$");
    expect(replyOf(message(envelope("HBD", { kind: "ACK" }), []))).toBe("+SACK:GTHBD,060228,11F0$");
    expect(replyOf(message(envelope("RTO", { kind: "ACK" }), ["REBOOT", "0060"]))).toBe("+SACK:11F0$");
  });

  test("version and count are repeated as they were sent", () => {
    const text = "+ACK:GTHBD,c20a0b,862894020180553,,20261117083015,0a1f$";
    expect(replyOf(new Uint8Array(Buffer.from(text)))).toBe("+SACK:GTHBD,c20a0b,0a1f$");
  });

  test("the number of a command is no count", () => {
    expect(replyOf(new Uint8Array(Buffer.from("+ACK:GTQSS,070002,862894020180553,,0000$")))).toBeNull();
  });

  test("a stored report means the same as a live one", () => {
    const [live, stored] = (["RESP", "BUFF"] as const).map((kind) =>
      decode(eventReport(envelope("SOS", { kind }), ["", "00", "1"], here)),
    );
    expect(stored).toEqual(live as NonNullable<typeof live>);
  });

  test("a message that lost its end is not acknowledged, but its position is kept", () => {
    const { frames, reply, problem } = decodeText(
      "+RESP:GTFRI,5E0100,862061048023666,,,12940,10,1,1,0.0,97,179.8,-90.366478,38.735379,20230616183231,0310,04$",
    );
    expect(frames).toMatchObject([{ latitude: 38.735379, recordedAt: Date.UTC(2023, 5, 16, 18, 32, 31) }]);
    expect(reply).toBeNull();
    expect(problem?.kind).toBe("malformed");
  });
});

describe("what is not decoded is named", () => {
  test("a report that we do not know: by its position if it has one", () => {
    expect(decode(message(envelope("XYZ"), ["1", "2"]))).toMatchObject({
      frames: [],
      problem: { kind: "unknown_message", detail: "report GTXYZ" },
    });
    const placed = decode(eventReport(envelope("XYZ"), ["1", "2"], here));
    expect(placed).toMatchObject({ frames: [{ latitude: 48.137154, event: null }], problem: null });
    expect(beyondRoutine(placed.unread)).toEqual(["report GTXYZ"]);
  });

  test("a message without a sender", () => {
    expect(decodeText("+RESP:GTFRI,060228,nobody,,10,1$").problem?.kind).toBe("malformed");
  });

  test("data of the vehicle's bus and of serial devices", () => {
    const vehicle = ["00", "14.5", "", "", "", "100", "110000", "2"];
    const eri = (mask: string, rest: readonly string[]) =>
      beyondRoutine(decode(eventReport(envelope("ERI"), [mask, "", "10", "1"], here, [...vehicle, ...rest])).unread);
    const kind = "columns at the end";
    expect(eri("00000004", ["0", "C03FFFFF", "", "0"])).toEqual(["CAN data", kind]);
    expect(eri("00000001", ["0394"])).toEqual(["digital fuel sensor", kind]);
    expect(eri("00000080", ["1"])).toEqual(["radio accessories", kind]);
    expect(eri("00000000", [])).toEqual([kind]);
  });
});
