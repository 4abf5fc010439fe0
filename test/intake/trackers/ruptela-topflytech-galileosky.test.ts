import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { families } from "../../../src/intake/trackers/families.ts";
import { forAll } from "../../support/for-all.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import { type GalileoskyReport, galileoskyHead, galileoskyRecords } from "../../support/trackers/galileosky-encoder.ts";
import { decodeAs, hex, imei, numbers, places, times } from "../../support/trackers/one-message.ts";
import { type RuptelaReport, ruptelaIdentification, ruptelaPacket } from "../../support/trackers/ruptela-encoder.ts";
import { testStreamRules } from "../../support/trackers/stream-rules.ts";
import {
  type TopflytechReport,
  topflytechMessage,
  topflytechPosition,
} from "../../support/trackers/topflytech-encoder.ts";

describe("ruptela", () => {
  const reports = fc.record({
    at: times,
    place: fc.option(places),
    altitudeTenths: numbers(30_000, -2_000),
    headingHundredths: numbers(35_999),
    satellites: numbers(40, 1),
    speedKmh: numbers(250),
    hdopTenths: numbers(99),
    ignition: fc.boolean(),
    millivolts: numbers(36_000, 1),
    metres: numbers(2_000_000_000, 1),
  });
  const sample: RuptelaReport = {
    ...{ at: Date.UTC(2026, 5, 1), place: { latitude: 52.5, longitude: 13.4 }, altitudeTenths: 340, satellites: 9 },
    ...{ headingHundredths: 9_000, speedKmh: 50, hdopTenths: 9, ignition: true, millivolts: 12_400, metres: 1_000 },
  };

  testStreamRules(families.ruptela, [
    ruptelaIdentification(imei),
    ruptelaPacket(imei, [sample, sample], true),
    ruptelaPacket(imei, [sample], false),
  ]);

  test("records are read as they were meant, in both forms", () => {
    forAll(200, [fc.array(reports, { minLength: 1, maxLength: 8 }), fc.boolean()], (sent, isExtended) => {
      const { frames, problem, leftOut, reply } = decodeAs("ruptela", ruptelaPacket(imei, sent, isExtended));
      expect({ problem, leftOut, reply: hex(reply) }).toEqual({ problem: null, leftOut: [], reply: "0002640113bc" });
      const meant = sent.map(({ at, place, satellites, ignition, millivolts, metres, ...motion }) => ({
        recordedAt: at,
        fix: place !== null,
        latitude: place?.latitude ?? null,
        longitude: place?.longitude ?? null,
        speed_kmh: place === null ? null : motion.speedKmh,
        heading_deg: place === null ? null : motion.headingHundredths / 100,
        altitude_m: place === null ? null : motion.altitudeTenths / 10,
        hdop: place === null ? null : motion.hdopTenths / 10,
        ...{ satellites, ignition, external_voltage_v: millivolts / 1000, odometer_km: metres / 1000 },
      }));
      expect(frames).toMatchObject(meant as object[]);
    });
  });

  test("a packet with a wrong checksum is asked for again, and taken when it comes again as it was", () => {
    const broken = ruptelaPacket(imei, [sample], true);
    broken[40] = (broken[40] ?? 0) ^ 1;
    const first = decodeAs("ruptela", broken);
    expect([first.frames, first.problem?.kind, hex(first.reply)]).toEqual([[], "checksum", "000264000235"]);
    const second = families.ruptela.decode(broken, first.session, receivedAt);
    expect([second.frames.length, second.problem, hex(second.reply)]).toEqual([1, null, "0002640113bc"]);
  });

  test("who it is, is answered", () => {
    const decoded = decodeAs("ruptela", ruptelaIdentification(imei));
    expect(decoded).toMatchObject({ identity: { kind: "imei", value: imei }, what: "identification" });
    expect(hex(decoded.reply)).toBe("00027301cb25");
  });
});

describe("topflytech", () => {
  const reports = fc.record({
    imei: fc.constant(imei),
    serial: numbers(65_535),
    at: times,
    place: fc.option(
      fc.record({ latitude: numbers(89, -89), longitude: numbers(179, 1), altitudeM: numbers(4_000, -100) }),
    ),
    satellites: numbers(31),
    speedTenths: numbers(2_500),
    headingDeg: numbers(359),
    ignition: fc.boolean(),
    alarm: fc.constantFrom(0, 1, 3, 7),
    metres: numbers(2_000_000_000, 1),
    batteryPercent: numbers(100, 1),
    hundredthsOfVolts: numbers(3_600, 601),
  });
  const events: Readonly<Record<number, string>> = { 1: "power_cut", 3: "sos", 7: "towing" };
  const sample: TopflytechReport = {
    ...{
      imei,
      serial: 0x8901,
      at: Date.UTC(2026, 5, 1),
      satellites: 9,
      speedTenths: 503,
      headingDeg: 90,
      ignition: true,
    },
    ...{ place: { latitude: 52.5, longitude: 13.5, altitudeM: 34 }, alarm: 0, metres: 1_000, batteryPercent: 90 },
    hundredthsOfVolts: 1_240,
  };

  testStreamRules(families.topflytech, [
    topflytechMessage(0x23, 0x01, imei, 1, [1, 2, 3, 4, 5, 6]),
    topflytechPosition(sample, "old"),
    topflytechPosition(sample, "new"),
    topflytechPosition({ ...sample, alarm: 3 }, "wide"),
    Uint8Array.fromHex("27271000277bb30860112047066487210407022840000004e6215130c50fff620a0c1518000156"),
  ]);

  test("a position or an alarm is read as it was meant, in each form", () => {
    forAll(200, [reports, fc.constantFrom("old" as const, "new" as const, "wide" as const)], (report, form) => {
      const { frames, problem, leftOut } = decodeAs("topflytech", topflytechPosition(report, form));
      const { place } = report;
      expect({ problem, leftOut }).toEqual({ problem: null, leftOut: [] });
      expect(frames).toMatchObject([
        {
          recordedAt: report.at,
          fix: place !== null,
          latitude: place?.latitude ?? null,
          longitude: place?.longitude ?? null,
          altitude_m: place?.altitudeM ?? null,
          speed_kmh: place === null ? null : report.speedTenths / 10,
          heading_deg: place === null ? null : report.headingDeg,
          satellites: report.satellites,
          ignition: report.ignition,
          odometer_km: report.metres / 1000,
          battery_percent: report.batteryPercent,
          external_voltage_v: form === "old" ? null : report.hundredthsOfVolts / 100,
          event: events[report.alarm] ?? null,
        },
      ] as object[]);
    });
  });

  test("it answers with its own number, and an alarm with that of the alarm; the oldest wants none to a position", () => {
    const reply = (report: TopflytechReport, form: "old" | "new" | "wide") =>
      hex(decodeAs("topflytech", topflytechPosition(report, form)).reply);
    expect(reply(sample, "old")).toBeNull();
    expect(reply(sample, "new")).toBe(`252502000f8901${imei.padStart(16, "0")}`);
    expect(reply({ ...sample, alarm: 3 }, "old")).toBe(`23230400100001${imei.padStart(16, "0")}03`);
    expect(reply({ ...sample, alarm: 7 }, "wide")).toBe(`25251400108901${imei.padStart(16, "0")}07`);
    expect(hex(decodeAs("topflytech", topflytechMessage(0x25, 0x03, imei, 2, [])).reply)).toBe(
      `252503000f0002${imei.padStart(16, "0")}`,
    );
  });

  test("a voltage of at most 6 V is that of its own battery, where that has no place of its own", () => {
    const volts = (hundredthsOfVolts: number, form: "new" | "wide") =>
      decodeAs("topflytech", topflytechPosition({ ...sample, hundredthsOfVolts }, form)).frames[0]?.external_voltage_v;
    expect([volts(600, "new"), volts(601, "new"), volts(263, "wide")]).toEqual([null, 6.01, 2.63]);
  });
});

describe("galileosky", () => {
  const reports = fc.record({
    at: times,
    place: places,
    hasFix: fc.boolean(),
    satellites: numbers(15),
    speedTenths: numbers(2_500),
    headingTenths: numbers(3_599),
    altitudeM: numbers(6_000, -200),
    hdopTenths: numbers(99),
    millivolts: numbers(36_000),
    metres: numbers(2_000_000_000, 1),
  });
  const sample: GalileoskyReport = {
    ...{ at: Date.UTC(2026, 5, 1), latitude: 52.5, longitude: 13.4, hasFix: true, satellites: 9, speedTenths: 500 },
    ...{ headingTenths: 900, altitudeM: 34, hdopTenths: 9, millivolts: 12_400, metres: 1_000 },
  };

  testStreamRules(families.galileosky, [galileoskyHead(imei), galileoskyRecords([sample, sample])]);

  test("records are read as they were meant, and confirmed with the checksum of their packet", () => {
    forAll(200, [fc.array(reports, { minLength: 1, maxLength: 8 })], (values) => {
      const sent = values.map(({ place, ...report }) => ({ ...report, ...place }));
      const packet = galileoskyRecords(sent);
      const { frames, problem, leftOut, reply } = decodeAs("galileosky", packet);
      expect({ problem, leftOut, reply: hex(reply) }).toEqual({
        ...{ problem: null, leftOut: [] },
        reply: `02${packet.subarray(-2).toHex()}`,
      });
      const meant = sent.map(({ at, hasFix, satellites, metres, millivolts, ...where }) => ({
        recordedAt: at,
        fix: hasFix,
        latitude: hasFix ? where.latitude : null,
        longitude: hasFix ? where.longitude : null,
        speed_kmh: hasFix ? where.speedTenths / 10 : null,
        heading_deg: hasFix ? where.headingTenths / 10 : null,
        altitude_m: hasFix ? where.altitudeM : null,
        hdop: hasFix ? where.hdopTenths / 10 : null,
        ...{ satellites, external_voltage_v: millivolts / 1000, odometer_km: metres / 1000, ignition: null },
      }));
      expect(frames).toMatchObject(meant as object[]);
    });
  });

  test("the head says who it is", () => {
    expect(decodeAs("galileosky", galileoskyHead(imei))).toMatchObject({
      ...{ identity: { kind: "imei", value: imei }, frames: [], problem: null, what: "head" },
    });
  });

  test("a packet with a wrong checksum is not confirmed, and taken when it comes again as it was", () => {
    const broken = galileoskyRecords([sample]);
    broken[12] = (broken[12] ?? 0) ^ 1;
    const first = decodeAs("galileosky", broken);
    expect([first.frames, first.problem?.kind, first.reply]).toEqual([[], "checksum", null]);
    const second = families.galileosky.decode(broken, first.session, receivedAt);
    expect([second.frames.length, second.problem]).toEqual([1, null]);
  });
});
