import type { TrackerProtocol } from "../../../src/domain/tracker-protocols.ts";
import type { Transport } from "../../../src/intake/trackers/kit/family.ts";
import { gt06Frame, gt06Login } from "../../../src/simulator/wire/gt06.ts";
import { jt808Authenticate, jt808Location } from "../../../src/simulator/wire/jt808.ts";
import { teltonikaLogin, teltonikaPacket } from "../../../src/simulator/wire/teltonika.ts";
import { galileoskyHead, galileoskyRecords } from "./galileosky-encoder.ts";
import { gps103Text } from "./gps103-encoder.ts";
import { h02Text } from "./h02-encoder.ts";
import { meitrackHeartbeat, meitrackText } from "./meitrack-encoder.ts";
import { vehicleReport } from "./queclink-encoder.ts";
import { ruptelaIdentification, ruptelaPacket } from "./ruptela-encoder.ts";
import { legacyReport } from "./suntech-encoder.ts";
import { tk103Text } from "./tk103-encoder.ts";
import { topflytechMessage, topflytechPosition } from "./topflytech-encoder.ts";
import { wialonData, wialonLogin } from "./wialon-encoder.ts";

/** Where a tracker is, and when. */
export interface CallerReport {
  /** In ms since 1970, on a whole second. */
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** How trackers of a family call: each message that it sends is answered once, and only then is the report safe. */
export interface Caller {
  /** Where the protocol has answers, if that is not over TCP. */
  readonly over?: Transport;
  /** What the tracker calls itself; it is the IMEI, or the device has it as its `tracker_id`. */
  readonly identity: (imei: string) => string;
  /** Null: it needs none. */
  readonly login: ((imei: string) => Uint8Array) | null;
  /** A report, and what makes the server answer it if the protocol does not. */
  readonly report: (imei: string, report: CallerReport, serial: number) => Uint8Array;
}

const imeiItself = (imei: string) => imei;
const twelveDigits = (imei: string) => imei.slice(-12);
const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const textReport = ({ at, latitude, longitude }: CallerReport) => ({
  at,
  isLocated: true,
  north: Math.round(latitude * 600_000),
  east: Math.round(longitude * 600_000),
  speedTenths: 270,
  heading: 90,
  ignition: true,
});
const canonical = ({ at, latitude, longitude }: CallerReport) => ({
  recorded_at: new Date(at).toISOString(),
  received_at: new Date(at).toISOString(),
  fix: true,
  latitude,
  longitude,
  altitude_m: 34,
  speed_kmh: 50,
  heading_deg: 90,
  satellites: 9,
  ignition: true,
  odometer_km: 1_000,
  event: undefined,
});

export const callers: Readonly<Record<TrackerProtocol, Caller>> = {
  gt06: {
    identity: imeiItself,
    login: (imei) => gt06Login(imei, 1),
    report: (_, report, serial) => gt06Frame(canonical(report), serial),
  },
  jt808: {
    identity: twelveDigits,
    login: (imei) => jt808Authenticate(twelveDigits(imei), "code", 1),
    report: (imei, report, serial) => jt808Location(twelveDigits(imei), canonical(report), serial),
  },
  h02: {
    identity: imeiItself,
    login: null,
    report: (imei, report) => bytes(h02Text({ ...textReport(report), maker: "HQ", id: imei, alarmBits: [] })),
  },
  gps103: {
    identity: imeiItself,
    login: (imei) => bytes(`##,imei:${imei},A;`),
    report: (imei, report) => {
      const more = { imei, zoneMinutes: 0, word: "tracker", doorIsOpen: false };
      return bytes(`${gps103Text({ ...textReport(report), ...more })}##,imei:${imei},A;`);
    },
  },
  tk103: {
    identity: twelveDigits,
    login: (imei) => bytes(`(${twelveDigits(imei)}BP00HSO)`),
    report: (imei, report) =>
      bytes(
        `${tk103Text({ ...textReport(report), id: twelveDigits(imei), kind: "BR00", metres: 1_000 })}(${twelveDigits(imei)}BP00HSO)`,
      ),
  },
  teltonika: {
    identity: imeiItself,
    login: teltonikaLogin,
    report: (_, { at, latitude, longitude }) => {
      const place = { latitude, longitude, altitudeMetres: 34, headingDeg: 90, satellites: 9, speedKmh: 50 };
      return teltonikaPacket([{ atMs: at, place, ignition: true, odometerMetres: 1_000_000 }]);
    },
  },
  queclink: {
    identity: imeiItself,
    login: null,
    report: (imei, { at, latitude, longitude }, serial) => {
      const position = { accuracy: 1, speedKmh: 50, azimuthDeg: 90, altitudeM: 34, longitude, latitude, at };
      const envelope = { type: "FRI", version: "300400", id: imei, sentAt: at, count: serial % 65_536 };
      const vehicle = { supplyMv: 12_400, code: "10", positions: [position], mileageKm: 1_000, batteryPercent: 95 };
      return vehicleReport({ ...envelope, ...vehicle, state: "22" });
    },
  },
  meitrack: {
    identity: imeiItself,
    login: meitrackHeartbeat,
    report: (imei, { at, latitude, longitude }) => {
      const motion = { speedKmh: 50, headingDeg: 90, hdopTenths: 9, altitudeM: 34, metres: 1_000_000 };
      const report = { id: imei, event: 35, at, latitude, longitude, hasFix: true, satellites: 9, ...motion };
      const text = meitrackText({ ...report, hundredthsOfVolts: 1_240 });
      return new Uint8Array(Buffer.concat([text, meitrackHeartbeat(imei)]));
    },
  },
  wialon: {
    identity: imeiItself,
    login: (imei) => bytes(wialonLogin(imei, 2)),
    report: (_, report) => bytes(wialonData({ ...textReport(report), satellites: 9, params: "" }, 2)),
  },
  ruptela: {
    identity: imeiItself,
    login: ruptelaIdentification,
    report: (imei, { at, latitude, longitude }) => {
      const motion = { altitudeTenths: 340, headingHundredths: 9_000, speedKmh: 50, satellites: 9, hdopTenths: 9 };
      const report = { at, place: { latitude, longitude }, ...motion, ignition: true, millivolts: 12_400 };
      return ruptelaPacket(imei, [{ ...report, metres: 1_000_000 }], true);
    },
  },
  topflytech: {
    identity: imeiItself,
    login: (imei) => topflytechMessage(0x25, 0x01, imei, 1, [0x11, 0x11, 0x11, 0x25, 0x03, 0x50]),
    report: (imei, { at, latitude, longitude }, serial) => {
      const place = { latitude, longitude, altitudeM: 34 };
      const motion = { satellites: 9, speedTenths: 500, headingDeg: 90, ignition: true, alarm: 0, metres: 1_000_000 };
      const report = { imei, serial: serial % 65_536, at, place, ...motion, batteryPercent: 90 };
      return topflytechPosition({ ...report, hundredthsOfVolts: 1_240 }, "wide");
    },
  },
  galileosky: {
    identity: imeiItself,
    login: galileoskyHead,
    report: (_, { at, latitude, longitude }) => {
      const motion = { speedTenths: 500, headingTenths: 900, altitudeM: 34, hdopTenths: 9 };
      const report = { at, latitude, longitude, hasFix: true, satellites: 9, ...motion };
      return galileoskyRecords([{ ...report, millivolts: 12_400, metres: 1_000_000 }]);
    },
  },
  suntech: {
    over: "udp",
    identity: (imei) => imei.slice(-9),
    login: null,
    report: (imei, { at, latitude, longitude }) =>
      legacyReport({
        ...{ series: "ST300", kind: "STT", id: imei.slice(-9), at, hasFix: true, latitude, longitude },
        ...{
          speedKmh: 50,
          courseDeg: 90,
          satellites: 9,
          metres: 1_000_000,
          volts: 12.4,
          ignition: true,
          own: ["2", "0001"],
        },
      }),
  },
};
