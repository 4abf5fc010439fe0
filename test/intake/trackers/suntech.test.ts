import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { suntech } from "../../../src/intake/trackers/suntech/family.ts";
import { forAll } from "../../support/for-all.ts";
import { beyondRoutine } from "../../support/trackers/routine-names.ts";
import {
  type LegacyReport,
  legacyReport,
  line,
  type SentReport,
  universalBinary,
  universalReport,
  zipReport,
} from "../../support/trackers/suntech-encoder.ts";

const at = Date.UTC(2026, 10, 17, 8, 30, 15);
const receivedAt = at + 5_000;

const sent: SentReport = {
  ...{ kind: "STT", id: "100850000", at, hasFix: true, latitude: -23.566052, longitude: -46.477588 },
  ...{ speedKmh: 48.5, courseDeg: 92.25, satellites: 9, ignition: true },
};
const legacy: LegacyReport = { ...sent, series: "ST300", metres: 997_100, volts: 14.1, own: ["2", "8384"] };
const noneAssigned = { map: null, columns: [] };

function decode(bytes: Uint8Array, over: "tcp" | "udp" = "tcp") {
  return suntech.decode(bytes, suntech.begin(over), receivedAt);
}

function decodeText(text: string, over: "tcp" | "udp" = "tcp") {
  return decode(line([text]), over);
}

const anyReport: fc.Arbitrary<SentReport> = fc.record({
  kind: fc.constant("STT"),
  id: fc.integer({ min: 0, max: 999_999_999 }).map((id) => String(id).padStart(9, "0")),
  at: fc.integer({ min: Date.UTC(2001, 0) / 1000, max: Date.UTC(2099, 0) / 1000 }).map((second) => second * 1000),
  hasFix: fc.boolean(),
  latitude: fc.integer({ min: -90_000_000, max: 90_000_000 }).map((micro) => micro / 1e6),
  longitude: fc.integer({ min: -180_000_000, max: 180_000_000 }).map((micro) => micro / 1e6),
  speedKmh: fc.integer({ min: 0, max: 30_000 }).map((hundredths) => hundredths / 100),
  courseDeg: fc.integer({ min: 0, max: 35_999 }).map((hundredths) => hundredths / 100),
  satellites: fc.integer({ min: 0, max: 31 }),
  ignition: fc.boolean(),
});
const anyMetres = fc.integer({ min: 1, max: 900_000_000 });
const anyVolts = fc.integer({ min: 0, max: 3_600 }).map((hundredths) => hundredths / 100);

function frameOf(report: SentReport) {
  const { latitude, longitude, speedKmh, courseDeg, satellites, ignition } = report;
  const place = {
    fix: true,
    latitude: latitude + 0,
    longitude: longitude + 0,
    speed_kmh: speedKmh,
    heading_deg: courseDeg,
  };
  const none = { fix: false, latitude: null, longitude: null, speed_kmh: null, heading_deg: null };
  return { recordedAt: report.at, ...(report.hasFix ? place : none), satellites, ignition, event: null };
}

describe("what an encoder wrote is read as it was", () => {
  test("text of the series with a number", () => {
    const anySeries = fc.constantFrom("SA200", "ST300", "ST500", "ST600");
    forAll(300, [anyReport, anySeries, anyMetres, anyVolts], (report, series, metres, volts) => {
      const { frames, identity, problem, unread } = decode(
        legacyReport({ ...legacy, ...report, series, metres, volts }),
      );
      expect({ problem, unread: beyondRoutine(unread) }).toEqual({ problem: null, unread: [] });
      expect(identity).toEqual({ kind: "tracker_id", value: report.id });
      expect(frames).toMatchObject([
        { ...frameOf(report), odometer_km: metres / 1000, external_voltage_v: volts, battery_percent: null },
      ]);
    });
  });

  test("zip", () => {
    forAll(300, [anyReport, anyMetres, anyVolts], (report, metres, volts) => {
      const { frames, identity, problem } = decode(zipReport({ ...report, metres, volts, header: 0x10, code: 2 }));
      expect(problem).toBeNull();
      expect(identity?.value).toBe(report.id);
      expect(frames).toMatchObject([{ ...frameOf(report), odometer_km: metres / 1000, external_voltage_v: volts }]);
    });
  });

  test("universal text, with voltages in either order", () => {
    forAll(300, [anyReport, anyMetres, anyVolts, fc.boolean()], (report, metres, volts, isMainFirst) => {
      const pair = isMainFirst ? [volts.toFixed(2), "4.1"] : ["4.1", volts.toFixed(2)];
      const assigned = { map: "00038003", columns: [...pair, String(metres), "0", "0"] };
      const { frames, problem, unread } = decode(universalReport({ ...report, own: ["1", "1", "0492"] }, assigned));
      expect({ problem, unread: beyondRoutine(unread) }).toEqual({ problem: null, unread: [] });
      expect(frames).toMatchObject([
        { ...frameOf(report), odometer_km: metres / 1000, external_voltage_v: Number(volts.toFixed(2)) },
      ]);
    });
  });

  test("universal binary", () => {
    forAll(300, [anyReport], (report) => {
      const id = `0${report.id}`;
      const { frames, identity, problem } = decode(
        universalBinary({ ...report, id, header: 0x81, own: [1, 2, 1, 0xec] }),
      );
      expect(problem).toBeNull();
      expect(identity?.value).toBe(id);
      expect(frames).toMatchObject([{ ...frameOf(report), odometer_km: null, external_voltage_v: null }]);
    });
  });
});

describe("numbers of alarms", () => {
  /** "-": no event. */
  const rows = (text: string): readonly (readonly [code: string, event: string | null])[] =>
    text
      .trim()
      .split(/\s*[,\n]\s*/)
      .map((row) => row.split(" "))
      .map(([code = "", event = ""]) => [code, event === "-" ? null : event]);
  const alerts = rows(`
    1 overspeed, 2 -, 3 gps_antenna_cut, 4 -, 5 geofence_exit, 6 geofence_enter, 5007 geofence_exit, 6007 geofence_enter
    8 gps_antenna_cut, 9 -, 10 -, 13 fault, 14 low_power, 15 vibration, 16 crash, 18 -, 19 -, 22 overspeed, 23 overspeed
    24 fault, 25 fault, 26 high_rpm, 27 harsh_braking, 28 fault, 33 -, 34 -, 40 power_restored, 41 power_cut, 42 sos
    44 -, 45 -, 46 harsh_acceleration, 47 harsh_braking, 48 harsh_cornering, 49 overspeed, 50 jamming, 59 -, 60 -
    61 idling, 62 parking, 63 -, 64 high_rpm, 65 -, 66 -, 67 -, 68 idling, 69 -, 73 fuel_leak, 75 temperature
    76 temperature, 132 door`);
  const emergencies = rows("1 sos, 2 movement, 3 power_cut, 5 general, 6 door, 7 movement, 8 vibration");

  test("alerts, in every form, with a fix and without", () => {
    for (const [code, event] of alerts) {
      for (const hasFix of [true, false]) {
        const report = { ...legacy, kind: "ALT", hasFix, own: [code] };
        const forms = [legacyReport(report), universalReport({ ...report, own: [code, "", ""] }, noneAssigned)];
        if (Number(code) < 256) {
          forms.push(zipReport({ ...report, header: 0x13, code: Number(code) }));
          const own = [Number(code), 0, 0, ...Array.from({ length: 8 }, () => 0)];
          forms.push(universalBinary({ ...report, id: "0100850000", header: 0x82, own }));
        }
        for (const form of forms) {
          const { frames, unread } = decode(form);
          expect(frames).toMatchObject([{ ...frameOf(report), event }]);
          expect(unread.filter((name) => name.startsWith("alert"))).toEqual([]);
        }
      }
    }
  });

  test("emergencies and inputs", () => {
    for (const [code, event] of emergencies) {
      const report = { ...legacy, kind: "EMG", own: [code] };
      expect(decode(legacyReport(report)).frames).toMatchObject([{ event, ignition: true }]);
      expect(decode(zipReport({ ...report, header: 0x11, code: Number(code) })).frames).toMatchObject([{ event }]);
    }
    for (let code = 1; code <= 6; code++) {
      const { frames, what, unread } = decode(legacyReport({ ...legacy, kind: "EVT", own: [String(code)] }));
      expect(frames).toMatchObject([{ event: null }]);
      expect(what).toBe(`input ${Math.ceil(code / 2)} ${code % 2 === 1 ? "closed" : "open"}, ST300EVT`);
      expect(beyondRoutine(unread)).toEqual([]);
    }
  });

  test("a number that we do not know is named", () => {
    for (const kind of ["ALT", "EMG", "EVT"]) {
      const { frames, unread, what } = decode(legacyReport({ ...legacy, kind, own: ["81"] }));
      const name = { ALT: "alert 81", EMG: "emergency 81", EVT: "event 81" }[kind] ?? "";
      expect({ unread: beyondRoutine(unread), what }).toEqual({ unread: [name], what: `${name}, ST300${kind}` });
      expect(frames).toMatchObject([{ event: null, fix: true }]);
    }
  });

  test("an alarm without a time is of when it came, another report is none", () => {
    const wrong = (text: Uint8Array) =>
      Buffer.from(text).toString("latin1").replace("20261117", "00000000").slice(0, -1);
    const alarm = decodeText(wrong(legacyReport({ ...legacy, hasFix: false, kind: "EMG", own: ["1"] })));
    expect(alarm.frames).toMatchObject([{ recordedAt: receivedAt, event: "sos" }]);
    const status = decodeText(wrong(legacyReport(legacy)), "udp");
    expect([status.frames, status.problem?.kind]).toEqual([[], "no_time"]);
    expect(status.reply).not.toBeNull();
  });

  test("ignition by an alert, where there are no inputs", () => {
    const text = (code: string) =>
      `ST500ALT;205450135;07;843;20170816;23:24:45;+19.338432;-099.179817;000.283;000.00;6;1;141121;12.89;0;${code}`;
    expect(decodeText(text("33")).frames[0]?.ignition).toBe(true);
    expect(decodeText(text("34")).frames[0]?.ignition).toBe(false);
    expect(decodeText(text("41")).frames[0]?.ignition).toBeNull();
  });
});

describe("replies", () => {
  const replyOf = (bytes: Uint8Array, over: "tcp" | "udp") => {
    const { reply } = decode(bytes, over);
    return reply === null ? null : Buffer.from(reply).toString("latin1");
  };

  test("over UDP each report of a series is acknowledged, with the number as it was sent", () => {
    for (const kind of ["STT", "ALT", "EMG", "EVT", "UEX", "HTE", "XYZ"]) {
      expect(replyOf(legacyReport({ ...legacy, kind, id: "007238270" }), "udp")).toBe("ST300ACK;007238270\r");
    }
    expect(replyOf(legacyReport({ ...legacy, series: "SA200", id: "850000" }), "udp")).toBe("SA200ACK;850000\r");
    const zip = zipReport({ ...legacy, header: 0x10, code: 1 });
    expect(decode(zip, "udp").reply).toEqual(Uint8Array.of(0x15, 0x10, 0x08, 0x50, 0x00, 0x00));
  });

  test("over TCP nothing is", () => {
    expect(replyOf(legacyReport(legacy), "tcp")).toBeNull();
    expect(replyOf(zipReport({ ...legacy, header: 0x10, code: 1 }), "tcp")).toBeNull();
  });

  test("heartbeats, answers, the universal protocol and ST910 need none", () => {
    for (const text of [
      ...[
        "ST300ALV;100850000",
        "ST300CMD;Res;100850000;010;Reboot",
        "ST300NTW;Res;100850000;010;0;internet",
        "ALV;0100850000",
      ],
      ...[
        "RES;4309999001;04;02;TEST",
        "ST910;Location;344506;017;20130727;14:10:00;-25.398714;-049.296818;0;0;1;4.32;1;1;0001",
      ],
    ]) {
      const { reply, problem, identity } = decodeText(text, "udp");
      expect({ reply, problem }).toEqual({ reply: null, problem: null });
      expect(identity).toBeDefined();
    }
    expect(replyOf(universalReport({ ...sent, own: ["1", "1", "1"] }, noneAssigned), "udp")).toBeNull();
  });
});

describe("what cannot be read is named", () => {
  test("unknown reports", () => {
    const unknown: readonly [text: string, detail: string][] = [
      ["XYZ;0100850000;1;2;3", "report XYZ"],
      ["STT;0100850000;nonsense;1", "report STT"],
      ["ST300XYZ;100850000;1;2", "report ST300XYZ"],
      ["ST910;Nonsense;344506;017", "report ST910"],
      ["CRR;0910000063;2;3;0003;abc;D5", "report CRR"],
    ];
    for (const [text, detail] of unknown)
      expect(decodeText(text)).toMatchObject({ frames: [], problem: { kind: "unknown_message", detail } });
    const placed = decode(legacyReport({ ...legacy, kind: "XYZ", own: [] }));
    expect(placed.frames).toMatchObject([{ latitude: sent.latitude, event: null }]);
    expect(placed.unread).toContain("report ST300XYZ");
  });

  test("binary kinds that we do not know, and a message without a number", () => {
    const zip = decode(zipReport({ ...legacy, header: 0x14, code: 1 }));
    expect(zip.problem).toEqual({ kind: "unknown_message", detail: "binary message 0x14" });
    expect(zip.identity?.value).toBe("100850000");
    const universal = decode(universalBinary({ ...sent, id: "0100850000", header: 0x84, own: [] }));
    expect(universal.problem).toEqual({ kind: "unknown_message", detail: "binary message 0x84" });
    expect(decodeText("ST300STT;;1").problem?.kind).toBe("malformed");
  });

  test("serial data, columns of a model, and what the owner assigned", () => {
    const serial = decodeText(
      "ST300UEX;511248287;45;311;20220701;18:42:08;14c943;-22.975257;-043.373065;000.000;000.00;0;0;0;12.14;100010;5;abcde;3E;000135;4.1;1",
    );
    expect(beyondRoutine(serial.unread)).toEqual(["data of a serial device"]);
    expect(beyondRoutine(decode(legacyReport({ ...legacy, tail: ["003634", "4.1", "1", "4.68"] })).unread)).toEqual([
      "columns at the end",
    ]);
    const assigned = { map: "00038003", columns: ["12", "4.1", "0", "0", "7"] };
    const { unread, frames } = decode(universalReport({ ...sent, own: ["1", "1", "1"] }, assigned));
    expect(beyondRoutine(unread)).toEqual(["assigned columns"]);
    expect(frames).toMatchObject([{ external_voltage_v: null, odometer_km: null }]);
  });
});

test("a key of the driver and temperatures are found by their form; zeros are no key", () => {
  const tail = ["003634", "4.1", "1", "0.00", "01B54221010000", "1", "28F2B7600600005D:-5.2", ":"];
  const { frames, unread } = decode(legacyReport({ ...legacy, tail }));
  expect(beyondRoutine(unread)).toEqual([]);
  expect(frames).toMatchObject([
    { driver_id: "01B54221010000", sensors: [{ sensor: "28F2B7600600005D", temperature_c: -5.2 }] },
  ]);
  const without = tail.map((column) => column.replace("01B54221010000", "00000000000000"));
  expect(decode(legacyReport({ ...legacy, tail: without })).frames[0]?.driver_id).toBeUndefined();
  const inserted = universalReport({ ...sent, kind: "ALT", own: ["59", "1", "1D00000113F3F801"] }, noneAssigned);
  expect(decode(inserted).frames[0]?.driver_id).toBe("1D00000113F3F801");
});

test("a distance of 0 is none, and a voltage out of bounds is left out", () => {
  expect(decode(legacyReport({ ...legacy, metres: 0 })).frames[0]?.odometer_km).toBeNull();
  expect(decode(legacyReport({ ...legacy, metres: 1 })).frames[0]?.odometer_km).toBe(0.001);
  const { frames, leftOut } = decode(legacyReport({ ...legacy, volts: 99_999 }));
  expect(leftOut).toEqual(["external_voltage_v"]);
  expect(frames).toMatchObject([{ external_voltage_v: null, fix: true }]);
});
