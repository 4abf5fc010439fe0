/**
 * What a GT06 tracker sends, by the maker's public description. It carries the time to the second, whole kilometres per hour,
 * up to 15 satellites, the ignition and some events. It has no word for an ignition that is not known, and none for altitude,
 * accuracy and sensors; its mileage has no unit in the description, so it is not sent.
 */
import type { CanonicalFrame } from "../messages.ts";
import { bigEndian, clockDigits, packedDigits } from "./bytes.ts";

type Gt06Frame = Pick<
  CanonicalFrame,
  "recorded_at" | "received_at" | "fix" | "latitude" | "longitude" | "speed_kmh" | "heading_deg" | "satellites"
> &
  Pick<CanonicalFrame, "ignition" | "event">;

/** The radio cell that the tracker is in. */
export interface Gt06Cell {
  readonly countryCode: number;
  readonly networkCode: number;
  readonly areaCode: number;
  readonly cellId: number;
}

const someCell: Gt06Cell = { countryCode: 262, networkCode: 1, areaCode: 0x1b2c, cellId: 0x00a1f3 };

const kinds = { login: 0x01, location: 0x22, alarm: 0x26 } as const;

/** Numbers of alarms that mean the same to all makers; harsh braking is jamming to some. */
const alarmNumbers: Readonly<Record<string, number>> = {
  sos: 0x01,
  power_cut: 0x02,
  harsh_acceleration: 0x29,
  harsh_cornering: 0x2a,
  crash: 0x2c,
};

const unitsPerDegree = 1_800_000;
const maxSpeedKmh = 255;
const maxSatellites = 15;
/** The length of what follows on satellites and place, in the upper half of the byte that counts satellites. */
const placeLength = 12 << 4;
const courseStatus = { isPositioned: 0x1000, isWest: 0x0800, isNorth: 0x0400 } as const;
const terminal = { isTracking: 0x40, isCharging: 0x04, isIgnitionOn: 0x02 } as const;
/** Of the built-in battery, from 0 to 6, and of the radio signal, from 0 to 4. */
const [fullBattery, strongSignal] = [6, 4];
const english = 0x02;
/** What arrives later was stored by the tracker. */
const storedAfterMs = 60_000;

export function gt06Login(imei: string, serial: number): Uint8Array {
  return message(kinds.login, packedDigits(imei, 8), serial);
}

/** A location, or an alarm with its place if something happened that has a number. */
export function gt06Frame(frame: Gt06Frame, serial: number, cell = someCell): Uint8Array {
  const where = [...packedClock(frame.recorded_at), ...place(frame)];
  const alarm = alarmNumbers[frame.event ?? ""];
  const isIgnitionOn = frame.ignition === true;
  if (alarm !== undefined) {
    const around = cellBytes(cell);
    const content = [...where, around.length + 1, ...around, ...status(isIgnitionOn), alarm, english];
    return message(kinds.alarm, content, serial);
  }
  const isStored = Date.parse(frame.received_at) - Date.parse(frame.recorded_at) > storedAfterMs;
  const byInterval = 0;
  const content = [...where, ...cellBytes(cell), Number(isIgnitionOn), byInterval, Number(isStored)];
  return message(kinds.location, content, serial);
}

/** The numbers themselves, not their digits. */
function packedClock(instant: string): number[] {
  return (clockDigits(instant).match(/../g) ?? []).map(Number);
}

/** Without a fix, the last place with a mark that there is none. */
function place({
  fix,
  latitude = 0,
  longitude = 0,
  speed_kmh = 0,
  heading_deg = 0,
  satellites = 0,
}: Gt06Frame): number[] {
  const hasFix = fix !== false;
  const marks =
    (hasFix ? courseStatus.isPositioned : 0) |
    (longitude < 0 ? courseStatus.isWest : 0) |
    (latitude < 0 ? 0 : courseStatus.isNorth);
  return [
    placeLength | Math.min(maxSatellites, satellites),
    ...bigEndian(Math.round(Math.abs(latitude) * unitsPerDegree), 4),
    ...bigEndian(Math.round(Math.abs(longitude) * unitsPerDegree), 4),
    Math.min(maxSpeedKmh, Math.round(speed_kmh)),
    ...bigEndian(marks | (Math.round(heading_deg) % 360), 2),
  ];
}

function cellBytes({ countryCode, networkCode, areaCode, cellId }: Gt06Cell): number[] {
  return [...bigEndian(countryCode, 2), networkCode, ...bigEndian(areaCode, 2), ...bigEndian(cellId, 3)];
}

function status(isIgnitionOn: boolean): number[] {
  const marks = terminal.isTracking | terminal.isCharging | (isIgnitionOn ? terminal.isIgnitionOn : 0);
  return [marks, fullBattery, strongSignal];
}

/** Two bytes to begin, what is checked, its checksum, two bytes to end. The length counts from the kind to the checksum. */
function message(kind: number, content: readonly number[], serial: number): Uint8Array {
  const checked = [content.length + 5, kind, ...content, ...bigEndian(serial, 2)];
  return Uint8Array.from([0x78, 0x78, ...checked, ...bigEndian(checksum(checked), 2), 0x0d, 0x0a]);
}

/** CRC-ITU, as the description calls it: reflected, from all ones, inverted. */
function checksum(bytes: readonly number[]): number {
  let value = 0xffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >> 1) ^ 0x8408 : value >> 1;
  }
  return value ^ 0xffff;
}
