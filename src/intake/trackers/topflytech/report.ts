import { type ByteReader, bcdNumber } from "../kit/bytes.ts";
import { reported } from "../kit/decoded.ts";
import type { TrackerEvent } from "../kit/events.ts";
import type { DecodedMessage } from "../kit/family.ts";
import type { ReadFields } from "../kit/frame.ts";
import { toSeventh, utcTime } from "../kit/values.ts";
import { addTopflytechAlarm, portableEvents, vehicleEvents } from "./events.ts";
import { obd, plain, vehicle } from "./framer.ts";
import { fuelOfSocket } from "./fuel.ts";
import { isPlaceBit, placeBytes, satellitesBits } from "./state.ts";

export type Report = Pick<DecodedMessage<null>, "frames" | "problem" | "leftOut" | "unread">;

/** What was read of a message so far. */
export interface TopflytechReading {
  readonly fields: { -readonly [Name in keyof ReadFields]: ReadFields[Name] };
  readonly sensors: NonNullable<ReadFields["sensors"]>[number][];
  readonly events: TrackerEvent[];
  readonly unread: string[];
  at: number | null;
  /** The number of its alarm, by which it is answered; 0: none. */
  alarm: number;
}

export function newReading(): TopflytechReading {
  return { fields: {}, sensors: [], events: [], unread: [], at: null, alarm: 0 };
}

/** Six bytes of digits, UTC. */
export function readDigitTime(reader: ByteReader): number | null {
  const digits = Array.from(reader.take(6), (byte) => bcdNumber(Uint8Array.of(byte)) ?? Number.NaN);
  return utcTime(digits);
}

/** Altitude, longitude, latitude as floating numbers with their lowest byte first. */
export function readPlace(reader: ByteReader): ReadFields {
  const [altitude, longitude, latitude] = [reader.f32le(), reader.f32le(), reader.f32le()];
  if (longitude === null || latitude === null) return { fix: false };
  const place = { longitude: toSeventh(longitude), latitude: toSeventh(latitude) };
  if (place.longitude === 0 && place.latitude === 0) return { fix: false };
  const altitude_m = altitude === null ? null : Math.round(altitude * 10) / 10;
  return { fix: true, altitude_m, ...place };
}

/** Two bytes of digits in tenths. */
export function readSpeed(reader: ByteReader): number | null {
  const tenths = bcdNumber(reader.take(2));
  return tenths === null ? null : tenths / 10;
}

/** Of the inputs. */
const ignitionBit = 0x4000;
/** Fuel used so far and at this moment, revolutions, air, temperatures, load and throttle. */
const bytesBeforeFuel = 4 + 4 + 2 + 6;
/** A lithium cell has at most 4.4 V. */
const maxCellVolts = 6;

/** A position or an alarm of a tracker with wires. `isWide`: of newer models, with more inputs and the battery's voltage. */
export function readVehicle(reader: ByteReader, kind: number, isWide: boolean): TopflytechReading {
  const reading = newReading();
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
  reading.alarm = reader.u8();
  addTopflytechAlarm(reading, vehicleEvents, reading.alarm);
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
function readVoltages(reader: ByteReader, reading: TopflytechReading, kind: number, isWide: boolean): void {
  const { fields, sensors, unread } = reading;
  if (isWide) reader.pass(2, "voltage of its battery", unread);
  if (kind !== plain && reader.left >= 2) {
    const hundredths = bcdNumber(reader.take(2));
    const volts = hundredths === null ? 0 : hundredths / 100;
    // Battery trackers have their own there, except where it has a place of its own.
    if (volts > maxCellVolts || (isWide && volts > 0)) fields.external_voltage_v = volts;
    else if (volts > 0) unread.push("voltage of its battery");
  }
  if (kind === obd && reader.left >= 2) {
    const speed = readSpeed(reader);
    if (fields.fix === true) fields.speed_kmh = speed;
  }
  if (kind === obd && reader.left > bytesBeforeFuel) {
    reader.pass(bytesBeforeFuel, "engine values", unread);
    const fuel = fuelOfSocket(reader.u8());
    if (fuel !== null) sensors.push(fuel);
  }
  reader.pass(reader.left, kind === vehicle ? "values of models" : "engine values", unread);
}

/** A position or an alarm of a portable tracker. */
export function readPortable(reader: ByteReader): TopflytechReading {
  const reading = newReading();
  const { fields, unread } = reading;
  const status = reader.u8();
  fields.satellites = status & satellitesBits;
  if ((status & ~(isPlaceBit | satellitesBits)) !== 0) unread.push("whether it was stored, whether GPS sleeps");
  reading.alarm = reader.u8();
  addTopflytechAlarm(reading, portableEvents, reading.alarm);
  reading.at = readDigitTime(reader);
  readWhere(reader, reading, (status & isPlaceBit) !== 0, false);
  readPortableState(reader, reading);
  return reading;
}

/** What every report of a portable tracker has behind its place. */
export function readPortableState(reader: ByteReader, { fields, unread }: TopflytechReading): void {
  reader.pass(5, "acceleration", unread);
  const battery = bcdNumber(reader.take(1));
  fields.battery_percent = battery === 0 ? 100 : battery;
  reader.pass(1, "temperature of the tracker", unread);
  reader.pass(1 + 1 + 1, "light, battery and solar cell", unread);
  const metres = reader.u32();
  fields.odometer_km = metres === 0 ? null : metres / 1000;
  reader.pass(2, "inputs and signal", unread);
  reader.pass(reader.left, "settings of intervals", unread);
}

export function reportOfReading({ fields, sensors, events, unread, at }: TopflytechReading): Report {
  return { ...reported(at, { ...fields, sensors }, events), unread };
}
