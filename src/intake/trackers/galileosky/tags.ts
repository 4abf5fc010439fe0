import type { ByteReader } from "../kit/bytes.ts";
import type { TrackerEvent } from "../kit/events.ts";
import type { ReadFields } from "../kit/frame.ts";
import { fuelReport, temperatureReport } from "../kit/sensors.ts";
import { hexNumber } from "../kit/values.ts";

/** What was read of one record so far. */
export interface TagRecord {
  at: number | null;
  imei: string | null;
  readonly fields: { -readonly [Name in keyof ReadFields]: ReadFields[Name] };
  readonly sensors: NonNullable<ReadFields["sensors"]>[number][];
  readonly events: TrackerEvent[];
}

export function newRecord(): TagRecord {
  return { at: null, imei: null, fields: {}, sensors: [], events: [] };
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** How many bytes a tag has, by the maker's list. What follows a tag that is in no list cannot be found. */
const lengths: ReadonlyMap<number, number> = new Map(
  (
    [
      [1, [0x01, 0x02, 0x35, 0x43, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0xd5, ...range(0xa0, 0xaf), ...range(0xc4, 0xd2)]],
      [2, [0x04, 0x10, 0x34, 0x40, 0x41, 0x42, 0x45, 0x46, 0x48, ...range(0x50, 0x59), ...range(0x60, 0x62)]],
      [2, [...range(0x70, 0x7d), ...range(0xb0, 0xb9), ...range(0xd6, 0xda)]],
      [3, [0x5d, 0xfa, ...range(0x63, 0x6f), ...range(0x80, 0x87)]],
      [4, [0x20, 0x33, 0x44, 0x47, 0x49, 0x5a, 0x90, 0xc0, 0xc1, 0xc2, 0xc3, 0xd3, 0xd4, 0xe0]],
      [4, [...range(0xdb, 0xdf), ...range(0xe2, 0xe9), ...range(0xf0, 0xf9)]],
      [8, [0xfd]],
      [9, [0x30]],
      [15, [0x03]],
      [68, [0x5c]],
    ] as const
  ).flatMap(([length, tags]) => tags.map((tag) => [tag, length] as const)),
);

/** Their length stands before them: answer to a command, data of the user; extended tags have it in two bytes. */
const [answerTag, userTag, extendedTag, fridgeTag] = [0xe1, 0xea, 0xfe, 0x5b];

/** A refrigeration unit: its kind, state, and inputs; the bits of the state say how many bytes of what follow. */
const fridgeParts: readonly (readonly [bytes: number, bits: readonly number[]])[] = [
  [10, [1, 2, 3]],
  [2, [4, 5, 6, 7, 8, 9, 13, 14]],
  [32, [10]],
  [20, [11]],
  [12, [12]],
];

function bytesOfFridge(state: number): number {
  return fridgeParts.reduce(
    (sum, [bytes, bits]) => sum + bytes * bits.filter((bit) => ((state >> bit) & 1) === 1).length,
    0,
  );
}

/** False: it is in no list, so what follows it cannot be read. */
export function readGalileoskyTag(tag: number, reader: ByteReader, record: TagRecord, unread: string[]): boolean {
  if (tag === answerTag || tag === userTag) {
    reader.pass(reader.u8(), tag === answerTag ? "answer to a command" : "data of the user", unread);
    return true;
  }
  if (tag === extendedTag) {
    reader.pass(reader.u16le(), "extended tags", unread);
    return true;
  }
  if (tag === fridgeTag) {
    reader.pass(1, "refrigeration unit", unread);
    const state = reader.u16le();
    reader.pass(4 + bytesOfFridge(state), "refrigeration unit", unread);
    if (state !== 0 && !unread.includes("refrigeration unit")) unread.push("refrigeration unit");
    return true;
  }
  const length = lengths.get(tag);
  if (length === undefined) return false;
  const from = reader.at;
  if (!readKnown(tag, reader, record, unread)) {
    reader.at = from;
    reader.pass(length, `tag ${hexNumber(tag)}`, unread);
  }
  return true;
}

const millionths = 1e6;

/** Of the state of the device. Its bit for a started engine is on in every published record, also of vehicles without supply. */
const stateEvents: readonly (readonly [bit: number, event: TrackerEvent])[] = [
  [6, "gps_antenna_cut"],
  [15, "general"],
];
const jammedBit = 4;
const [firstHygrometer, lastHygrometer] = [0x80, 0x87];

function readKnown(tag: number, reader: ByteReader, record: TagRecord, unread: string[]): boolean {
  const { fields, sensors } = record;
  switch (tag) {
    case 0x03:
      record.imei = Buffer.from(reader.take(15)).toString("latin1");
      return true;
    case 0x20: {
      const seconds = reader.u32le();
      record.at = seconds === 0 ? null : seconds * 1000;
      return true;
    }
    case 0x30:
      readPlace(reader, fields, unread);
      return true;
    case 0x33:
      Object.assign(fields, { speed_kmh: reader.u16le() / 10, heading_deg: reader.u16le() / 10 });
      return true;
    case 0x34:
      fields.altitude_m = reader.i16le();
      return true;
    case 0x35:
      fields.hdop = reader.u8() / 10;
      return true;
    case 0x40: {
      const state = reader.u16le();
      for (const [bit, event] of stateEvents) if (((state >> bit) & 1) === 1) record.events.push(event);
      return false;
    }
    case 0x48:
      if ((reader.u16le() & jammedBit) !== 0) record.events.push("jamming");
      return false;
    case 0x41:
      fields.external_voltage_v = reader.u16le() / 1000;
      return true;
    case 0x90: {
      const key = reader.u32le();
      fields.driver_id = key === 0 ? null : String(key);
      return true;
    }
    case 0xc1: {
      const [level, coolant, revolutions] = [reader.u8(), reader.u8(), reader.u16le()];
      // All ones: the bus says nothing.
      if (level > 0 && level <= 250) sensors.push(fuelReport("can", level / 2.5));
      if (coolant > 0 || revolutions > 0) unread.push("engine values");
      return true;
    }
    case 0xd4: {
      const metres = reader.u32le();
      fields.odometer_km = metres === 0 ? null : metres / 1000;
      return true;
    }
    default:
      if (tag >= firstHygrometer && tag <= lastHygrometer) return readHygrometer(tag, reader, record);
      return tag >= 0x70 && tag <= 0x77 && readThermometer(tag, reader, record);
  }
}

/** Satellites and how the place was found (0: by them), then the place. */
function readPlace(reader: ByteReader, fields: TagRecord["fields"], unread: string[]): void {
  const state = reader.u8();
  const [latitude, longitude] = [reader.i32le() / millionths, reader.i32le() / millionths];
  fields.satellites = state & 15;
  fields.fix = state >> 4 === 0 && (latitude !== 0 || longitude !== 0);
  if (fields.fix) Object.assign(fields, { latitude, longitude });
  else if (latitude !== 0 || longitude !== 0) unread.push("old place");
}

/** The number of a 1-wire thermometer, then whole degrees. -128 and 127: none is there. */
function readThermometer(tag: number, reader: ByteReader, { sensors }: TagRecord): boolean {
  const number = reader.u8();
  const celsius = (reader.u8() << 24) >> 24;
  if (celsius === -128 || celsius === 127 || number === 0) return false;
  sensors.push(temperatureReport(`temp_${tag - 0x70 + 1}`, celsius));
  return true;
}

/** The number of a sensor, whole degrees, and 255ths of all humidity. */
function readHygrometer(tag: number, reader: ByteReader, { sensors }: TagRecord): boolean {
  const number = reader.u8();
  const celsius = (reader.u8() << 24) >> 24;
  const humidity = Math.round((reader.u8() / 255) * 1000) / 10;
  if (celsius === -128 || celsius === 127 || number === 0) return false;
  sensors.push(temperatureReport(`ds1923_${tag - firstHygrometer + 1}`, celsius, humidity));
  return true;
}
