import { ByteReader } from "../kit/bytes.ts";
import { hexNumber } from "../kit/values.ts";
import { modularAlarms } from "./alarms.ts";
import { readAlarm } from "./condition.ts";
import { addTemperature } from "./extras.ts";
import { fromEpoch, setPlace } from "./place.ts";
import { addUnread, type Gt06Report, type Part } from "./report.ts";

/** Reads one item. `least`: with fewer bytes it is something else. */
interface Item {
  readonly least: number;
  readonly read: (report: Gt06Report, item: ByteReader) => void;
}

type ItemTable = ReadonlyMap<number, Item | null>;

/** A number of so many bytes, in parts of our unit. */
function measured(name: MeasuredItem, least: 1 | 2 | 4, perUnit = 1): Item {
  return {
    least,
    read: ({ fields }, item) => {
      fields[name] = (least === 1 ? item.u8() : least === 2 ? item.u16() : item.u32()) / perUnit;
    },
  };
}

type MeasuredItem = "battery_percent" | "external_voltage_v" | "hdop" | "odometer_km" | "satellites";

/** Known, and nothing in it has a field. */
function withoutField(...ids: readonly number[]): readonly (readonly [number, null])[] {
  return ids.map((id) => [id, null]);
}

/** Of the messages 0x36 to 0x39. Without a field: voltage of its own battery, reason of the start, accuracy, network. */
const jimiItems: ItemTable = new Map<number, Item | null>([
  [0x27, measured("external_voltage_v", 2, 100)],
  [0x2e, measured("odometer_km", 4, 1000)],
  [0x6a, measured("battery_percent", 1)],
  ...withoutField(0x18, 0x32, 0x3b, 0x3c),
]);

/** Of 0xf1. Without a field: motion, armed, charging, voltages and temperature of its own battery. */
const deviceItems: ItemTable = new Map<number, Item | null>([
  [0x04, { least: 1, read: readIgnition }],
  ...withoutField(0x01, 0x02, 0x03, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x1000),
]);

/** Of 0x70. Without a field: identities (1 to 3), cells, counters, times of the start, settings. */
const modularTable: ItemTable = new Map<number, Item | null>([
  [0x09, measured("satellites", 1)],
  [0x28, measured("hdop", 1, 10)],
  [0x2e, measured("odometer_km", 4, 1000)],
  [0x2c, { least: 4, read: readClock }],
  [0x33, { least: 18, read: readPlace }],
  [0x34, { least: 1, read: (report, item) => readAlarm(report, item.u8(), modularAlarms) }],
  [0x7f, { least: 14, read: readTag }],
  ...withoutField(0x00, 0x01, 0x02, 0x03, 0x0a, 0x11, 0x18, 0x1a, 0x29, 0x2a, 0x2b, 0x30, 0x35, 0x43, 0x1000),
]);

function readIgnition({ fields }: Gt06Report, item: ByteReader): void {
  fields.ignition = item.u8() > 0;
}

/** The time of a message without a place; beside a place it is that of the last start. */
function readClock(report: Gt06Report, item: ByteReader): void {
  if (report.recordedAt === undefined) report.recordedAt = fromEpoch(item.u32());
}

function readPlace(report: Gt06Report, item: ByteReader): void {
  report.recordedAt = fromEpoch(item.u32());
  report.fields.satellites = item.u8();
  const [altitude, latitude, longitude, speed] = [item.i16(), item.u32(), item.u32(), item.u8()];
  setPlace(report, latitude, longitude, item.u16(), speed);
  if (report.fields.fix) report.fields.altitude_m = altitude;
}

/** A Bluetooth tag: address, voltage and percentage of its battery, temperature and humidity in tenths. */
function readTag(report: Gt06Report, item: ByteReader): void {
  const address = item.take(6).toHex();
  item.skip(2 + 1);
  addTemperature(report, item.i16() / 10, item.i16() / 10, address);
}

/** Items of number, length and value to the end of the message. */
function items(lengthBytes: 1 | 2, table: ItemTable): Part {
  return (report) => {
    const { reader } = report;
    while (reader.left > 2) {
      const id = reader.u16();
      const length = lengthBytes === 1 ? reader.u8() : reader.u16();
      const value = reader.take(Math.min(length, reader.left));
      const item = table.get(id);
      if (item === null) continue;
      if (item === undefined || value.length < item.least) addUnread(report, `item ${hexNumber(id, 4)}`);
      else item.read(report, new ByteReader(value));
    }
  };
}

export const [jimiTail, deviceState, modularItems] = [
  items(1, jimiItems),
  items(1, deviceItems),
  items(2, modularTable),
];
