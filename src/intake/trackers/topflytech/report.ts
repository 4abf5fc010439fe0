import { type ByteReader, bcdNumber } from "../kit/bytes.ts";
import { reported } from "../kit/decoded.ts";
import type { TrackerEvent } from "../kit/events.ts";
import type { DecodedMessage } from "../kit/family.ts";
import type { ReadFields } from "../kit/frame.ts";
import { toSeventh, utcTime } from "../kit/values.ts";
import { portableEvents, vehicleEvents } from "./events.ts";
import { obd, plain, vehicle } from "./framer.ts";

export type Report = Pick<DecodedMessage<null>, "frames" | "problem" | "leftOut" | "unread">;

/** What was read of a message so far. */
export interface TopflytechReading {
  readonly fields: { -readonly [Name in keyof ReadFields]: ReadFields[Name] };
  readonly events: TrackerEvent[];
  readonly unread: string[];
  at: number | null;
}

/** Six bytes of digits, UTC. */
export function readDigitTime(reader: ByteReader): number | null {
  const digits = Array.from(reader.take(6), (byte) => bcdNumber(Uint8Array.of(byte)) ?? Number.NaN);
  return utcTime(digits);
}

/** Altitude, longitude, latitude as floating numbers with their lowest byte first. */
export function readPlace(reader: ByteReader): ReadFields {
  const [altitude, longitude, latitude] = [reader.f32le(), reader.f32le(), reader.f32le()];
  const isNowhere = longitude === null || latitude === null || (longitude === 0 && latitude === 0);
  if (isNowhere) return { fix: false };
  const altitude_m = altitude === null ? null : Math.round(altitude * 10) / 10;
  return { fix: true, altitude_m, longitude: toSeventh(longitude), latitude: toSeventh(latitude) };
}

/** Two bytes of digits in tenths. */
export function readSpeed(reader: ByteReader): number | null {
  const tenths = bcdNumber(reader.take(2));
  return tenths === null ? null : tenths / 10;
}

/** Of the status: it is a place of satellites, not cells. The lowest five bits are how many. */
const isPlaceBit = 0x40;
const satellitesBits = 0x1f;
/** Of the inputs. */
const ignitionBit = 0x4000;
/** A lithium cell has at most 4.4 V. */
const maxCellVolts = 6;
/** Cells, where the place would be. */
const placeBytes = 16;

/** A position or an alarm of a tracker with wires. `isWide`: of newer models, with more inputs and the battery's voltage. */
export function readVehicle(reader: ByteReader, kind: number, isWide: boolean): TopflytechReading {
  const reading: TopflytechReading = { fields: {}, events: [], unread: [], at: null };
  const { fields, unread } = reading;
  reader.pass(2 + 2 + 1 + 2 + 2, "settings of intervals", unread);
  const status = reader.u8();
  fields.satellites = status & satellitesBits;
  if ((status & ~(isPlaceBit | satellitesBits)) !== 0) unread.push("whether it was stored, whether GPS sleeps");
  reader.pass(1 + 1 + 1 + 1 + 2, "settings of alarms", unread);
  const inputs = reader.u16();
  fields.ignition = (inputs & ignitionBit) !== 0;
  if ((inputs & ~ignitionBit) !== 0) unread.push("inputs and outputs");
  if (isWide) reader.pass(2, "outputs", unread);
  if (kind !== obd) reader.pass(2 * (isWide ? 5 : 2), "analogue inputs", unread);
  const code = reader.u8();
  addEvent(reading, vehicleEvents.get(code), code);
  reader.pass(1, "byte behind the alarm", unread);
  const metres = reader.u32();
  fields.odometer_km = metres === 0 ? null : metres / 1000;
  // 00 is 100.
  const battery = bcdNumber(reader.take(1));
  fields.battery_percent = battery === 0 ? 100 : battery;
  reading.at = readDigitTime(reader);
  readWhere(reader, reading, (status & isPlaceBit) !== 0, kind === obd);
  readVoltages(reader, reading, kind, isWide);
  return reading;
}

function readWhere(
  reader: ByteReader,
  { fields, unread }: TopflytechReading,
  isPlace: boolean,
  isWithoutSpeed: boolean,
): void {
  if (!isPlace) {
    fields.fix = false;
    reader.pass(placeBytes, "cell towers", unread);
    return;
  }
  const place = readPlace(reader);
  const speed = isWithoutSpeed ? null : readSpeed(reader);
  if (isWithoutSpeed) reader.pass(2, "dilution", unread);
  const heading = reader.u16();
  const motion = speed === null ? { heading_deg: heading } : { speed_kmh: speed, heading_deg: heading };
  Object.assign(fields, place, place.fix === true ? motion : {});
}

/** Behind the place: hundredths of a volt as digits, and for the diagnostic socket the speed and what the engine says. */
function readVoltages(reader: ByteReader, { fields, unread }: TopflytechReading, kind: number, isWide: boolean): void {
  if (isWide) reader.pass(2, "voltage of its battery", unread);
  if (kind !== plain && reader.left >= 2) {
    const hundredths = bcdNumber(reader.take(2));
    const volts = hundredths === null ? 0 : hundredths / 100;
    // Battery trackers have their own there.
    if (volts > maxCellVolts) fields.external_voltage_v = volts;
    else if (volts > 0) unread.push("voltage of its battery");
  }
  if (kind === obd && reader.left >= 2) {
    const speed = readSpeed(reader);
    if (fields.fix === true) fields.speed_kmh = speed;
  }
  reader.pass(reader.left, kind === vehicle ? "values of models" : "engine values", unread);
}

/** A position or an alarm of a portable tracker. */
export function readPortable(reader: ByteReader): TopflytechReading {
  const reading: TopflytechReading = { fields: {}, events: [], unread: [], at: null };
  const { fields, unread } = reading;
  const status = reader.u8();
  fields.satellites = status & satellitesBits;
  if ((status & ~(isPlaceBit | satellitesBits)) !== 0) unread.push("whether it was stored, whether GPS sleeps");
  const code = reader.u8();
  addEvent(reading, portableEvents.get(code), code);
  reading.at = readDigitTime(reader);
  readWhere(reader, reading, (status & isPlaceBit) !== 0, false);
  reader.pass(5, "acceleration", unread);
  const battery = bcdNumber(reader.take(1));
  fields.battery_percent = battery === 0 ? 100 : battery;
  reader.pass(1, "temperature of the tracker", unread);
  reader.pass(1 + 1 + 1, "light, battery and solar cell", unread);
  const metres = reader.u32();
  fields.odometer_km = metres === 0 ? null : metres / 1000;
  reader.pass(2, "inputs and signal", unread);
  reader.pass(reader.left, "settings of intervals", unread);
  return reading;
}

function addEvent({ events, unread }: TopflytechReading, event: TrackerEvent | undefined, code: number): void {
  if (event !== undefined) events.push(event);
  else if (code !== 0) unread.push(`alarm ${code}`);
}

export function reportOfReading({ fields, events, unread, at }: TopflytechReading): Report {
  return { ...reported(at, fields, events), unread };
}
