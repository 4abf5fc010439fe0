import type { TrackerProtocol } from "../../../src/domain/tracker-protocols.ts";
import type { Transport } from "../../../src/intake/trackers/kit/family.ts";
import { gt06Frame, gt06Login } from "../../../src/simulator/wire/gt06.ts";
import { jt808Authenticate, jt808Location } from "../../../src/simulator/wire/jt808.ts";
import { teltonikaLogin, teltonikaPacket } from "../../../src/simulator/wire/teltonika.ts";
import { gps103Text } from "./gps103-encoder.ts";
import { h02Text } from "./h02-encoder.ts";
import { vehicleReport } from "./queclink-encoder.ts";
import { legacyReport } from "./suntech-encoder.ts";
import { tk103Text } from "./tk103-encoder.ts";

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
