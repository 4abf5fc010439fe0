import { ByteReader } from "../kit/bytes.ts";
import type { TrackerEvent } from "../kit/events.ts";
import { type TrackerFrame, trackerFrames } from "../kit/frame.ts";
import { temperatureReport } from "../kit/sensors.ts";
import { toSeventh } from "../kit/values.ts";
import { addFuel, addHalf, type CardHalves, cardNumber } from "./collected.ts";
import { type RuptelaReading, readings, type WritableFields } from "./elements.ts";

/** How the two commands for records differ: in the bytes of an element's number, and in records of several parts. */
export interface RecordForm {
  readonly idBytes: 1 | 2;
}

export interface RuptelaRecord {
  /** In ms since 1970. */
  readonly at: number;
  readonly fields: WritableFields;
  readonly sensors: NonNullable<WritableFields["sensors"]>[number][];
  readonly events: TrackerEvent[];
  readonly cards: CardHalves;
}

interface RecordsRead {
  readonly records: readonly RuptelaRecord[];
  /** How many there were, with the parts of long ones. */
  readonly readable: number;
  readonly isWhole: boolean;
}

const elementWidths = [1, 2, 4, 8] as const;
const nowhere = -0x8000_0000;

/** All records that are there. One that runs past the end is none. */
export function readRuptelaRecords(reader: ByteReader, count: number, form: RecordForm, unread: string[]): RecordsRead {
  const records: RuptelaRecord[] = [];
  let readable = 0;
  for (; readable < count && !reader.isShort; readable++) {
    const last = records.at(-1);
    const record = readRecord(reader, form, last, unread);
    if (reader.isShort) break;
    if (record !== last) records.push(record);
  }
  return { records, readable, isWhole: readable === count && reader.left === 0 };
}

function readRecord(reader: ByteReader, { idBytes }: RecordForm, last: RuptelaRecord | undefined, unread: string[]) {
  const at = reader.u32() * 1000;
  reader.pass(1, "number of the record", unread);
  const part = idBytes === 2 ? reader.u8() : 0;
  reader.pass(1, "priority", unread);
  const place = readPlace(reader, unread);
  reader.pass(idBytes, "reason of the record", unread);
  // The second and later parts of a record have its time and place again.
  const isContinued = last !== undefined && (part & 15) > 0 && (part & 15) <= part >> 4 && last.at === at;
  const record: RuptelaRecord = isContinued
    ? last
    : {
        ...{ at, fields: place, sensors: [], events: [], cards: new Map() },
      };
  for (const width of elementWidths) {
    for (let left = reader.u8(); left > 0 && !reader.isShort; left--) {
      const id = idBytes === 2 ? reader.u16() : reader.u8();
      const value = reader.take(width);
      if (!take(record, readings.get(id), value)) addUnread(unread, `io ${id}`);
    }
  }
  return record;
}

function readPlace(reader: ByteReader, unread: string[]): WritableFields {
  const [longitude, latitude] = [reader.i32(), reader.i32()];
  const [altitude, heading, satellites] = [reader.i16(), reader.u16(), reader.u8()];
  const [speed, hdop] = [reader.u16(), reader.u8()];
  const isNowhere = longitude === nowhere || latitude === nowhere || (longitude === 0 && latitude === 0);
  const known = satellites === 0xff ? null : satellites;
  if (isNowhere || satellites === 0) {
    if (!isNowhere) addUnread(unread, "old place");
    return { fix: false, satellites: known };
  }
  return {
    fix: true,
    latitude: toSeventh(latitude / 1e7),
    longitude: toSeventh(longitude / 1e7),
    altitude_m: altitude / 10,
    heading_deg: heading / 100,
    satellites: known,
    speed_kmh: speed,
    hdop: hdop / 10,
  };
}

/** Whether it was read. */
function take(record: RuptelaRecord, reading: RuptelaReading | undefined, value: Uint8Array): boolean {
  if (reading === undefined) return false;
  const { fields, sensors, events } = record;
  const number = new ByteReader(value);
  const unsigned = value.length === 1 ? number.u8() : value.length === 2 ? number.u16() : number.u32();
  const isMissing = value.every((byte) => byte === 0xff);
  switch (reading.as) {
    case "ignition":
      fields.ignition = fields.ignition === true || unsigned > 0;
      return true;
    case "number":
      // A tracker that does not count, or has no supply, writes 0.
      fields[reading.field] = isMissing ? null : unsigned / reading.per || null;
      return true;
    case "temperature": {
      const tenths = new ByteReader(value).i16();
      if (value.length !== 2 || reading.missing.has(tenths)) return false;
      sensors.push(temperatureReport(reading.sensor, tenths / 10));
      return true;
    }
    case "percent":
      // 0 is sent where no bus is connected.
      if (unsigned === 0 || unsigned > reading.max) return false;
      addFuel(sensors, reading.sensor, { level_percent: Math.round((unsigned / reading.per) * 10) / 10 });
      return true;
    case "litres":
      if (unsigned === 0 || isMissing) return false;
      addFuel(sensors, reading.sensor, { volume_l: unsigned });
      return true;
    case "driver":
      if (value.every((byte) => byte === 0) || isMissing) return false;
      fields.driver_id = value.toHex();
      return true;
    case "card":
      return addHalf(record.cards, reading.source, reading.half, value);
    case "event":
      if (reading.is(unsigned)) events.push(reading.event);
      return true;
  }
}

function addUnread(unread: string[], name: string): void {
  if (!unread.includes(name)) unread.push(name);
}

export function framesOfRecord(
  { at, fields, sensors, events, cards }: RuptelaRecord,
  leftOut: string[],
): readonly TrackerFrame[] {
  const driver_id = fields.driver_id ?? cardNumber(cards);
  return trackerFrames(at, { ...fields, driver_id, sensors }, events, leftOut);
}
