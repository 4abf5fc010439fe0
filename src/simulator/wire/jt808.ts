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

/** How a tracker names itself when it registers. */
export interface Jt808Terminal {
  /** By which each of its messages names it: at most 12 digits. */
  readonly phone: string;
  readonly provinceCode: number;
  readonly cityCode: number;
  readonly maker: string;
  readonly model: string;
  readonly terminalId: string;
  readonly plateColour: number;
  readonly plate: string;
}

const kinds = { heartbeat: 0x0002, register: 0x0100, authenticate: 0x0102, location: 0x0200 } as const;
const registerReply = 0x8100;
/** In the reply to a registration, without its marks: behind a header of 12 bytes, the number answered and the result. */
const codeAt = 15;

const unitsPerDegree = 1e6;
const standardClockAheadMs = 8 * 3_600_000;
const alarms: Readonly<Record<string, number>> = { sos: 1 << 0, power_cut: 1 << 8, crash: 1 << 29 };
const states = { isIgnitionOn: 1, isPositioned: 2, isSouth: 4, isWest: 8 } as const;
const items = { mileage: 0x01, satellites: 0x31 } as const;

export function jt808Register(terminal: Jt808Terminal, serial: number): Uint8Array {
  const { phone, provinceCode, cityCode, maker, model, terminalId, plateColour, plate } = terminal;
  const body = [
    ...bigEndian(provinceCode, 2),
    ...bigEndian(cityCode, 2),
    ...fixedText(maker, 5),
    ...fixedText(model, 20),
    ...fixedText(terminalId, 7),
    plateColour,
    ...fixedText(plate, plate.length),
  ];
  return message(kinds.register, phone, body, serial);
}

/** The code that the server gave with its answer to the registration; null: it is another answer, or a refusal. */
export function jt808Code(reply: Uint8Array): string | null {
  const bytes = unescaped(reply.subarray(1, -1));
  const kind = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const result = bytes[codeAt - 1];
  if (kind !== registerReply || result !== 0) return null;
  return Buffer.from(bytes.slice(codeAt, -1)).toString("latin1");
}

export function jt808Authenticate(phone: string, code: string, serial: number): Uint8Array {
  return message(kinds.authenticate, phone, fixedText(code, code.length), serial);
}

export function jt808Heartbeat(phone: string, serial: number): Uint8Array {
  return message(kinds.heartbeat, phone, [], serial);
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

function unescaped(bytes: Uint8Array): number[] {
  const plain: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    plain.push(byte === escapeByte ? escapeByte + (bytes[++at] ?? 1) - 1 : byte);
  }
  return plain;
}
