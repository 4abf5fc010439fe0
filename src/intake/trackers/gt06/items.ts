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

/** How it is read, or its name. */
type ItemTable = ReadonlyMap<number, Item | string>;

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
function withoutField(names: Readonly<Record<number, string>>): readonly (readonly [number, string])[] {
  return Object.entries(names).map(([id, name]) => [Number(id), name]);
}

/** Of the messages 0x36 to 0x39. */
const jimiItems: ItemTable = new Map<number, Item | string>([
  [0x27, measured("external_voltage_v", 2, 100)],
  [0x2e, measured("odometer_km", 4, 1000)],
  [0x6a, measured("battery_percent", 1)],
  ...withoutField({ 24: "voltage of its battery", 50: "reason of the start", 59: "accuracy", 60: "network" }),
]);

/** Of 0xf1. */
const deviceItems: ItemTable = new Map<number, Item | string>([
  [0x04, { least: 1, read: readIgnition }],
  ...withoutField({
    ...{ 1: "motion", 2: "armed", 3: "charging", 5: "item 0x0005", 6: "item 0x0006", 7: "item 0x0007" },
    ...{ 10: "voltage of its battery", 11: "temperature of its battery", 4096: "item 0x1000" },
  }),
]);

/** Of 0x70. */
const modularTable: ItemTable = new Map<number, Item | string>([
  [0x09, measured("satellites", 1)],
  [0x28, measured("hdop", 1, 10)],
  [0x2e, measured("odometer_km", 4, 1000)],
  [0x2c, { least: 4, read: readClock }],
  [0x33, { least: 18, read: readPlace }],
  [0x34, { least: 1, read: (report, item) => readAlarm(report, item.u8(), modularAlarms) }],
  [0x7f, { least: 14, read: readTag }],
  ...withoutField({
    ...{ 0: "serial number", 1: "IMEI", 2: "IMSI", 3: "ICCID", 10: "item 0x000a", 17: "cell tower" },
    ...{ 24: "voltage of its battery", 26: "item 0x001a", 41: "item 0x0029", 42: "item 0x002a" },
    ...{ 43: "item 0x002b", 48: "item 0x0030", 53: "item 0x0035", 67: "item 0x0043", 4096: "item 0x1000" },
  }),
]);

function readIgnition({ fields }: Gt06Report, item: ByteReader): void {
  fields.ignition = item.u8() > 0;
}

/** The time of a message without a place; beside a place it is that of the last start. */
function readClock(report: Gt06Report, item: ByteReader): void {
  if (report.recordedAt === undefined) report.recordedAt = fromEpoch(item.u32());
  else item.pass(4, "time of the last start", report.unread);
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
  item.pass(2 + 1, "battery of the tag", report.unread);
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
      const itemReader = new ByteReader(value);
      const name = typeof item === "string" ? item : `item ${hexNumber(id, 4)}`;
      if (typeof item === "object" && value.length >= item.least) item.read(report, itemReader);
      else if (item === undefined) addUnread(report, name);
      itemReader.pass(itemReader.left, name, report.unread);
    }
    reader.pass(reader.left, "bytes behind the items", report.unread);
  };
}

export const [jimiTail, deviceState, modularItems] = [
  items(1, jimiItems),
  items(1, deviceItems),
  items(2, modularTable),
];
