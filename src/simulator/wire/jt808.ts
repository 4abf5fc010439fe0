/**
 * What a tracker sends by the Chinese standard JT/T 808 of 2013. It carries the time to the second by a clock in GMT+8, tenths of
 * a kilometre per hour, altitude, odometer, satellites, the ignition and few events. It has no word for an ignition that is not
 * known.
 */
import type { CanonicalFrame } from "../messages.ts";
import { bigEndian, clockDigits, fixedText, packedDigits } from "./bytes.ts";

type Jt808Frame = Pick<
  CanonicalFrame,
  "recorded_at" | "fix" | "latitude" | "longitude" | "altitude_m" | "speed_kmh" | "heading_deg" | "satellites"
> &
  Pick<CanonicalFrame, "ignition" | "odometer_km" | "event">;

const kinds = { authenticate: 0x0102, location: 0x0200 } as const;

const unitsPerDegree = 1e6;
const standardClockAheadMs = 8 * 3_600_000;
const alarms: Readonly<Record<string, number>> = { sos: 1 << 0, power_cut: 1 << 8, crash: 1 << 29 };
const states = { isIgnitionOn: 1, isPositioned: 2, isSouth: 4, isWest: 8 } as const;
const items = { mileage: 0x01, satellites: 0x31 } as const;

export function jt808Authenticate(phone: string, code: string, serial: number): Uint8Array {
  return message(kinds.authenticate, phone, fixedText(code, code.length), serial);
}

/** Without a fix, the last place with a mark that there is none. */
export function jt808Location(phone: string, frame: Jt808Frame, serial: number): Uint8Array {
  const { fix, latitude = 0, longitude = 0, altitude_m = 0, speed_kmh = 0, heading_deg = 0 } = frame;
  const state =
    (frame.ignition === true ? states.isIgnitionOn : 0) |
    (fix === false ? 0 : states.isPositioned) |
    (latitude < 0 ? states.isSouth : 0) |
    (longitude < 0 ? states.isWest : 0);
  const body = [
    ...bigEndian(alarms[frame.event ?? ""] ?? 0, 4),
    ...bigEndian(state, 4),
    ...bigEndian(Math.round(Math.abs(latitude) * unitsPerDegree), 4),
    ...bigEndian(Math.round(Math.abs(longitude) * unitsPerDegree), 4),
    ...bigEndian(Math.max(0, Math.round(altitude_m)), 2),
    ...bigEndian(Math.round(speed_kmh * 10), 2),
    ...bigEndian(Math.round(heading_deg) % 360, 2),
    ...packedDigits(clockDigits(frame.recorded_at, standardClockAheadMs), 6),
    ...item(items.mileage, frame.odometer_km === undefined ? undefined : Math.round(frame.odometer_km * 10), 4),
    ...item(items.satellites, frame.satellites, 1),
  ];
  return message(kinds.location, phone, body, serial);
}

/** A further value: its number, its length, itself. */
function item(number: number, value: number | undefined, length: number): number[] {
  return value === undefined ? [] : [number, length, ...bigEndian(value, length)];
}

const mark = 0x7e;
/** Inside a message, the mark and this are each written as two bytes, of which this is the first. */
const escapeByte = 0x7d;

function message(kind: number, phone: string, body: readonly number[], serial: number): Uint8Array {
  const header = [
    ...bigEndian(kind, 2),
    ...bigEndian(body.length, 2),
    ...packedDigits(phone, 6),
    ...bigEndian(serial, 2),
  ];
  const checked = [...header, ...body];
  const checksum = checked.reduce((sum, byte) => sum ^ byte, 0);
  const inside = [...checked, checksum].flatMap((byte) =>
    byte === mark ? [escapeByte, 2] : byte === escapeByte ? [escapeByte, 1] : byte,
  );
  return Uint8Array.from([mark, ...inside, mark]);
}
