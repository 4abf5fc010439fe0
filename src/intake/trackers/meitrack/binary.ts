import { ByteReader } from "../kit/bytes.ts";
import type { TrackerEvent } from "../kit/events.ts";
import { type ReadFields, type TrackerFrame, trackerFrames, withoutPlace } from "../kit/frame.ts";
import { fuelReport, temperatureReport } from "../kit/sensors.ts";
import { hexNumber } from "../kit/values.ts";
import { meaningOfEvent } from "./events.ts";
import { ignitionOfInputs, type MeitrackModel } from "./models.ts";
import { supplyVolts } from "./voltages.ts";

const since2000 = Date.UTC(2000, 0, 1);
const millionths = 1e6;

interface BinaryRead {
  readonly frames: readonly TrackerFrame[];
  readonly leftOut: readonly string[];
  readonly unread: readonly string[];
  /** As sent. */
  readonly count: number;
  readonly isWhole: boolean;
  readonly untimed: number;
}

/** What was read of one position so far. */
interface Position {
  at: number | null;
  latitude: number | null;
  longitude: number | null;
  code: number;
  inputs: number | null;
  hasFix: boolean | null;
  readonly fields: { -readonly [Name in keyof ReadFields]: ReadFields[Name] };
  readonly sensors: NonNullable<ReadFields["sensors"]>[number][];
}

const [recordBytes, oldHeadBytes] = [52, 2 + 2 + 4];

/** Command CCC: positions of 52 bytes behind a head. All numbers have their lowest byte first. */
export function readFixedPositions(content: Uint8Array, model: MeitrackModel | null): BinaryRead {
  const reader = new ByteReader(content);
  const unread: string[] = [];
  reader.pass(oldHeadBytes, "number of stored positions", unread);
  const leftOut: string[] = [];
  const frames: TrackerFrame[] = [];
  const count = Math.floor(reader.left / recordBytes);
  for (let left = count; left > 0; left--) frames.push(...fixedPosition(reader, model, leftOut, unread));
  return { frames, leftOut: [...new Set(leftOut)], unread, count, isWhole: reader.left === 0, untimed: 0 };
}

function fixedPosition(
  reader: ByteReader,
  model: MeitrackModel | null,
  leftOut: string[],
  unread: string[],
): readonly TrackerFrame[] {
  const { events, ignition, unread: code } = meaningOfEvent(reader.u8());
  for (const name of code) add(unread, name);
  const [latitude, longitude, seconds] = [reader.i32le() / millionths, reader.i32le() / millionths, reader.u32le()];
  const [isHere, satellites] = [reader.u8() === 1, reader.u8()];
  reader.pass(1, "signal", unread);
  const [speed, course, hdop, altitude] = [reader.u16le(), reader.u16le(), reader.u16le() / 10, reader.i16le()];
  const metres = reader.u32le();
  reader.pass(4, "time of running", unread);
  reader.pass(8, "cell tower", unread);
  reader.pass(2, "inputs and outputs", unread);
  reader.pass(2, "analogue inputs", unread);
  const [battery, vehicle] = [reader.u16le(), reader.u16le()];
  const supply = supplyVolts(battery, vehicle, model);
  if (battery !== 0) add(unread, "voltage of its battery");
  if (vehicle !== 0 && supply === null) add(unread, "voltage of the vehicle");
  reader.pass(4, "number of the fence", unread);
  if (!isHere && (latitude !== 0 || longitude !== 0)) add(unread, "old place");
  const place = isHere
    ? { latitude, longitude, speed_kmh: speed, heading_deg: course, hdop, altitude_m: altitude }
    : {};
  const odometer_km = metres === 0 ? null : metres / 1000;
  const read = { fix: isHere, ...place, satellites, ignition, odometer_km, external_voltage_v: supply };
  return trackerFrames(since2000 + seconds * 1000, read, events, leftOut);
}

/** Command CCE: positions, each with lists of elements of one, two, four and any number of bytes. */
export function readElementPositions(content: Uint8Array, model: MeitrackModel | null): BinaryRead {
  const reader = new ByteReader(content);
  const unread: string[] = [];
  reader.pass(4, "number of stored positions", unread);
  const count = reader.u16le();
  const leftOut: string[] = [];
  const frames: TrackerFrame[] = [];
  let [readable, untimed] = [0, 0];
  for (; readable < count && !reader.isShort; readable++) {
    const position = new ByteReader(reader.take(reader.u16le()));
    if (reader.isShort) break;
    position.pass(2, "number of the position", unread);
    const read = readElements(position, unread);
    if (position.isShort) break;
    position.pass(position.left, "bytes behind the elements", unread);
    if (read.at === null) untimed++;
    else frames.push(...framesOf(read, read.at, model, leftOut, unread));
  }
  const isWhole = readable === count && reader.left === 0;
  return { frames, leftOut: [...new Set(leftOut)], unread, count, isWhole, untimed };
}

const elementWidths = [1, 2, 4, null] as const;
/** The first byte of a number of two. */
const wideId = 0xfe;

function readElements(reader: ByteReader, unread: string[]): Position {
  const position: Position = {
    ...{ at: null, latitude: null, longitude: null, code: 0, inputs: null, hasFix: null, fields: {}, sensors: [] },
  };
  for (const width of elementWidths) {
    for (let left = reader.u8(); left > 0 && !reader.isShort; left--) {
      const first = reader.u8();
      const id = first === wideId ? first * 256 + reader.u8() : first;
      const value = reader.take(width ?? reader.u8());
      if (!take(position, id, width, new ByteReader(value))) add(unread, `element ${hexNumber(id)}`);
    }
  }
  return position;
}

function framesOf(
  position: Position,
  at: number,
  model: MeitrackModel | null,
  leftOut: string[],
  unread: string[],
): readonly TrackerFrame[] {
  const { latitude, longitude, hasFix, code, inputs, fields, sensors } = position;
  const meaning = meaningOfEvent(code);
  for (const name of meaning.unread) add(unread, name);
  const isHere = hasFix === true && latitude !== null && longitude !== null;
  if (!isHere) for (const name of namesOfOldPlace(position)) add(unread, name);
  const place = isHere ? { ...fields, latitude, longitude } : withoutPlace(fields);
  const byInput = inputs === null ? null : ignitionOfInputs(inputs, model);
  const read = { ...place, fix: isHere, ignition: meaning.ignition ?? byInput, sensors };
  const events: readonly TrackerEvent[] = meaning.events;
  return trackerFrames(at, read, events, leftOut);
}

/** What the tracker repeats of its last place. */
function namesOfOldPlace({ latitude, longitude, fields }: Position): readonly string[] {
  const { speed_kmh, heading_deg, hdop, altitude_m } = fields;
  const values = { latitude, longitude, speed: speed_kmh, heading: heading_deg, dilution: hdop, altitude: altitude_m };
  return Object.entries(values).flatMap(([name, value]) => ((value ?? 0) === 0 ? [] : [`old ${name}`]));
}

/** Whether it was read. */
function take(position: Position, id: number, width: 1 | 2 | 4 | null, value: ByteReader): boolean {
  switch (width) {
    case 1:
      return takeByte(position, id, value.u8());
    case 2:
      return takeWord(position, id, value);
    case 4:
      return takeLong(position, id, value);
    default:
      return takeBytes(position, id, value);
  }
}

function takeByte(position: Position, id: number, value: number): boolean {
  switch (id) {
    case 0x01:
      position.code = value;
      return true;
    case 0x05:
      position.hasFix = value > 0;
      return true;
    case 0x06:
      position.fields.satellites = value;
      return true;
    case 0x15:
      position.inputs = value;
      // Of the others, and of the ignition where the model is not known, nothing is read.
      return value === 0;
    case 0xfe69:
      position.fields.battery_percent = value;
      return true;
    default:
      return false;
  }
}

function takeWord(position: Position, id: number, reader: ByteReader): boolean {
  const { fields } = position;
  switch (id) {
    case 0x08:
      fields.speed_kmh = reader.u16le();
      return true;
    case 0x09:
      fields.heading_deg = reader.u16le();
      return true;
    case 0x0a:
      fields.hdop = reader.u16le() / 10;
      return true;
    case 0x0b:
      fields.altitude_m = reader.i16le();
      return true;
    case 0x1a:
      // Trackers without a supply send 0.
      fields.external_voltage_v = reader.u16le() / 100 || null;
      return true;
    case 0x29:
      position.sensors.push(fuelReport("fuel", reader.u16le() / 100));
      return true;
    case 0x40:
      position.code = reader.u16le();
      return true;
    default:
      return false;
  }
}

function takeLong(position: Position, id: number, reader: ByteReader): boolean {
  switch (id) {
    case 0x02:
      position.latitude = reader.i32le() / millionths;
      return true;
    case 0x03:
      position.longitude = reader.i32le() / millionths;
      return true;
    case 0x04: {
      const seconds = reader.u32le();
      position.at = seconds === 0 ? null : since2000 + seconds * 1000;
      return true;
    }
    case 0x0c: {
      const metres = reader.u32le();
      position.fields.odometer_km = metres === 0 ? null : metres / 1000;
      return true;
    }
    case 0x25: {
      const tag = reader.u32le();
      position.fields.driver_id = tag === 0 ? null : String(tag);
      return true;
    }
    default:
      return false;
  }
}

const [firstThermometer, lastThermometer, bluetoothTag] = [0x2a, 0x31, 0xfe73];
/** What a Dallas sensor says before it has measured: 85 °C. */
const notMeasured = 8_500;

function takeBytes(position: Position, id: number, reader: ByteReader): boolean {
  if (id >= firstThermometer && id <= lastThermometer && reader.left === 3) {
    reader.u8();
    const raw = reader.i16le();
    if (raw === notMeasured) return false;
    position.sensors.push(temperatureReport(`temp_${id - firstThermometer + 1}`, raw / 100));
    return true;
  }
  return id === bluetoothTag && takeTag(position, reader);
}

/** Version, name, address, battery, temperature and humidity in 256ths, thresholds. */
function takeTag(position: Position, reader: ByteReader): boolean {
  reader.u8();
  reader.take(reader.u8());
  const address = reader.take(6).toHex();
  reader.u8();
  const [celsius, humidity] = [reader.i16le() / 256, reader.i16le() / 256];
  if (reader.isShort) return false;
  position.sensors.push(temperatureReport(address, celsius, humidity));
  // Name, battery and thresholds are not.
  return false;
}

function add(unread: string[], name: string): void {
  if (!unread.includes(name)) unread.push(name);
}
