import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { families } from "../../../src/intake/trackers/families.ts";
import { forAll } from "../../support/for-all.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import {
  type MeitrackReport,
  meitrackElements,
  meitrackHeartbeat,
  meitrackText,
} from "../../support/trackers/meitrack-encoder.ts";
import { bytes, decodeAs, imei, numbers, places, times } from "../../support/trackers/one-message.ts";
import { testStreamRules } from "../../support/trackers/stream-rules.ts";
import { anyTextReport, degreesOf, textSample } from "../../support/trackers/text-report.ts";
import { type WialonReport, wialonBlackBox, wialonData, wialonLogin } from "../../support/trackers/wialon-encoder.ts";

describe("meitrack", () => {
  const reports = fc.record({
    id: fc.constant(imei),
    event: fc.constantFrom(1, 17, 23, 33, 35, 130),
    place: places,
    at: times,
    hasFix: fc.boolean(),
    satellites: numbers(40),
    speedKmh: numbers(250),
    headingDeg: numbers(359),
    hdopTenths: numbers(99),
    altitudeM: numbers(6_000, -200),
    metres: numbers(2_000_000_000),
    hundredthsOfVolts: numbers(3_600),
  });
  const events: Readonly<Record<number, string>> = {
    1: "sos",
    17: "low_battery",
    23: "power_cut",
    130: "harsh_acceleration",
  };
  const sample: MeitrackReport = {
    ...{ id: imei, event: 35, latitude: 52.5, longitude: -13.4, at: Date.UTC(2026, 5, 1), hasFix: true, satellites: 9 },
    ...{ speedKmh: 50, headingDeg: 90, hdopTenths: 9, altitudeM: -34, metres: 1_000, hundredthsOfVolts: 1_240 },
  };

  testStreamRules(families.meitrack, [meitrackText(sample), meitrackElements(sample, 90), meitrackHeartbeat(imei)]);

  test("what a tracker writes, as text and as elements, is read as it was meant", () => {
    forAll(200, [reports], ({ place, ...values }) => {
      const report = { ...values, ...place };
      const { hasFix } = report;
      const meant = {
        recordedAt: report.at,
        fix: hasFix,
        latitude: hasFix ? report.latitude : null,
        longitude: hasFix ? report.longitude : null,
        speed_kmh: hasFix ? report.speedKmh : null,
        heading_deg: hasFix ? report.headingDeg : null,
        altitude_m: hasFix ? report.altitudeM : null,
        hdop: hasFix ? report.hdopTenths / 10 : null,
        satellites: report.satellites,
        odometer_km: report.metres === 0 ? null : report.metres / 1000,
        external_voltage_v: report.hundredthsOfVolts === 0 ? null : report.hundredthsOfVolts / 100,
        event: events[report.event] ?? null,
      };
      for (const message of [meitrackText(report), meitrackElements(report, 90)]) {
        const { frames, problem, identity, leftOut } = decodeAs("meitrack", message);
        expect(frames).toMatchObject([meant] as object[]);
        expect({ problem, identity, leftOut }).toEqual({
          problem: null,
          identity: { kind: "imei", value: imei },
          leftOut: [],
        });
      }
    });
  });

  test("the supply is read where the battery shows that the numbers are volts", () => {
    const analogue = (text: string) => {
      const [start = "", end = ""] = Buffer.from(meitrackText(sample))
        .toString("latin1")
        .split("0000|0000|0000|018D|04D8");
      const content = `${start.slice(start.indexOf("AAA"))}${text}${end.slice(0, end.indexOf("*"))}`;
      const summed = `$$A200,${imei},${content}*`;
      const sum = [...bytes(summed)].reduce((total, byte) => total + byte, 0) % 256;
      return decodeAs("meitrack", bytes(`${summed}${sum.toString(16).padStart(2, "0")}\r\n`)).frames[0]
        ?.external_voltage_v;
    };
    expect(analogue("0000|0000|0000|018D|04F0")).toBe(12.64);
    // What the converter of an older model measured, in 4,096ths of 3.3 V.
    expect(analogue("0000|0000|0000|09D5|0B34")).toBeNull();
    expect(analogue("0000|0000|0000|0117|04F0")).toBeNull();
    expect(analogue("4.33|12.96|1.92|2.72|2.69")).toBe(12.96);
    expect(analogue("|||0A22|0000")).toBeNull();
  });

  test("it answers what asks for it, with the right length and sum", () => {
    expect(decodeAs("meitrack", meitrackText(sample)).reply).toBeNull();
    const reply = Buffer.from(decodeAs("meitrack", meitrackHeartbeat(imei)).reply ?? []).toString("latin1");
    expect(reply).toMatch(/^@@z27,352093081234567,AAC,1\*[\dA-F]{2}\r\n$/);
    expect(reply.length - reply.indexOf(",")).toBe(27);
  });

  test("a wrong sum is named and not stored", () => {
    const broken = meitrackText(sample);
    broken[30] = (broken[30] ?? 0) ^ 1;
    expect(decodeAs("meitrack", broken)).toMatchObject({ frames: [], reply: null, problem: { kind: "checksum" } });
  });
});

describe("wialon", () => {
  const anyReport = fc.record({ report: anyTextReport, satellites: numbers(40, 1) });
  const sample: WialonReport = { ...textSample, satellites: 9, params: "" };

  testStreamRules(families.wialon, [
    bytes(wialonLogin(imei, 1)),
    bytes(wialonData({ ...sample, params: "SOS:1:1,bat:1:90" }, 1)),
    bytes(wialonBlackBox([sample, sample], 1)),
    bytes("#P#\r\n"),
  ]);

  test("what a tracker writes is read as it was meant, alone and in a black box, in both versions", () => {
    forAll(200, [anyReport, fc.constantFrom(1 as const, 2 as const)], ({ report, satellites }, version) => {
      const sent: WialonReport = { ...report, satellites, params: "" };
      const login = decodeAs("wialon", bytes(wialonLogin(imei, version)));
      expect(login).toMatchObject({ identity: { kind: "imei", value: imei }, problem: null });
      for (const message of [wialonData(sent, version), wialonBlackBox([sent], version)]) {
        const { frames, problem } = families.wialon.decode(bytes(message), login.session, receivedAt);
        expect(problem).toBeNull();
        const [frame] = frames;
        expect(frame).toMatchObject({ recordedAt: report.at, fix: report.isLocated, satellites, ignition: null });
        expect(frame?.speed_kmh ?? null).toBe(report.isLocated ? report.speedTenths / 10 : null);
        if (!report.isLocated) continue;
        expect(frame?.latitude ?? Number.NaN).toBeCloseTo(degreesOf(report.north), 6);
        expect(frame?.longitude ?? Number.NaN).toBeCloseTo(degreesOf(report.east), 6);
      }
    });
  });

  test("the button is an alarm, and nothing else of the parameters has a meaning of its own", () => {
    const read = (params: string) => decodeAs("wialon", bytes(wialonData({ ...sample, params }, 1)));
    expect(read("SOS:1:1,bat:1:90")).toMatchObject({ frames: [{ event: "sos" }], unread: ["param bat"] });
    expect(read("SOS:1:0")).toMatchObject({ frames: [{ event: null }], unread: [] });
  });

  test("a packet with a wrong checksum is asked for again, and taken when it comes again as it was", () => {
    const { session } = decodeAs("wialon", bytes(wialonLogin(imei, 2)));
    const broken = bytes(wialonData(sample, 2).replace(";N;", ";S;"));
    const first = families.wialon.decode(broken, session, receivedAt);
    expect(first).toMatchObject({ frames: [], problem: { kind: "checksum" }, reply: bytes("#AD#16\r\n") });
    const second = families.wialon.decode(broken, first.session, receivedAt);
    expect(second).toMatchObject({ problem: null, reply: bytes("#AD#1\r\n") });
    expect(second.frames.length).toBe(1);
  });

  test("without date and time it is now, as the protocol says; with a date that cannot be it is none", () => {
    expect(decodeAs("wialon", bytes("#SD#NA;NA;5232.0000;N;01323.0000;E;0;0;34;9\r\n")).frames).toMatchObject([
      { recordedAt: receivedAt, latitude: 52.5333333 },
    ]);
    const never = decodeAs("wialon", bytes("#SD#320126;120000;5232.0000;N;01323.0000;E;0;0;34;9\r\n"));
    expect(never).toMatchObject({ frames: [], problem: { kind: "no_time" }, reply: bytes("#ASD#1\r\n") });
  });

  test("over UDP each packet says who it is", () => {
    const message = bytes(`2.0;${imei}${wialonData(sample, 2)}`);
    expect(decodeAs("wialon", message, "udp")).toMatchObject({
      identity: { kind: "imei", value: imei },
      problem: null,
    });
  });

  const compressed = (text: string | Uint8Array) => {
    const packed = deflateSync(text);
    return Uint8Array.of(0xff, packed.length & 255, packed.length >> 8, ...packed);
  };

  test("a compressed packet is read as if it were not", () => {
    const plain = wialonData({ ...sample, params: "SOS:1:1" }, 1);
    const one = decodeAs("wialon", bytes(plain));
    expect(one.frames.length).toBe(1);
    expect(decodeAs("wialon", compressed(plain.trimEnd()))).toEqual(one);
    // The maker's example.
    const login = Uint8Array.fromHex("ff180078da53f651cecc4dcdb42e482c2e2ecf2f4a01002d1c05e5");
    expect(decodeAs("wialon", login)).toMatchObject({ what: "login", identity: { kind: "tracker_id", value: "imei" } });
  });

  test("a black box of a vehicle that stands is read however small it was, until a connection has had its share of these", () => {
    const standing = Array.from({ length: 120 }, (_, index) => ({ ...sample, at: sample.at + index * 60_000 }));
    const box = compressed(wialonBlackBox(standing, 1).trimEnd());
    let session = families.wialon.begin();
    const read = Array.from({ length: 40 }, () => {
      const decoded = families.wialon.decode(box, session, 0);
      ({ session } = decoded);
      return decoded.frames.length;
    });
    expect(read.slice(0, 8)).toEqual(new Array(8).fill(120));
    expect(read.at(-1)).toBe(0);
    expect(families.wialon.decode(box, families.wialon.begin("udp"), 0).frames).toEqual([]);
  });

  test("what is no packet, or would become far too large, is named and not answered", () => {
    const bomb = compressed(Buffer.alloc(15_000_000, "#"));
    expect(bomb.length).toBeLessThan(families.wialon.maxMessageBytes);
    for (const message of [bomb, Uint8Array.of(0xff, 3, 0, 1, 2, 3), compressed(compressed("#P#"))])
      expect(decodeAs("wialon", message)).toMatchObject({ frames: [], reply: null, problem: { kind: "malformed" } });
  });

  test("bars alone are not thousands of records", () => {
    const decoded = decodeAs("wialon", bytes(`#B#${"|".repeat(16_000)}\r\n`));
    expect(decoded).toMatchObject({
      frames: [],
      problem: { kind: "malformed", detail: expect.stringContaining("more records") },
    });
    expect(Buffer.from(decoded.reply ?? []).toString()).toBe("#AB#16001\r\n");
    const full = bytes(
      `#B#${Array.from({ length: 400 }, () => "010626;120000;NA;NA;NA;NA;NA;NA;NA;NA").join("|")}\r\n`,
    );
    expect(decodeAs("wialon", full)).toMatchObject({ problem: null, frames: { length: 400 } });
  });
});
