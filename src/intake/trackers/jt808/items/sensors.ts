import { ByteReader, textOf } from "../../kit/bytes.ts";
import type { Jt808Report } from "../report.ts";
import { itemList, numberIn, signAndAmount } from "../tlv.ts";
import type { ItemReader } from "./item-reader.ts";

const noSensor = 0xffff;

/** One or eight channels, in tenths of a degree. */
function temperatures(value: Uint8Array, report: Jt808Report): boolean {
  if (value.length !== 2 && value.length !== 16) return false;
  const reader = new ByteReader(value);
  for (let channel = 1; reader.left > 0; channel++) {
    const word = reader.u16();
    if (word !== noSensor) report.temperature(channel, signAndAmount(word) / 10);
  }
  return true;
}

/** Bluetooth sensors: number, address of six bytes, temperature and humidity as a whole number and parts of 255. */
function bluetoothSensors(value: Uint8Array, report: Jt808Report): boolean {
  if (value.length === 0 || value.length % 11 !== 0) return false;
  const reader = new ByteReader(value);
  while (reader.left > 0) {
    const number = reader.u8();
    reader.pass(6, "address of a sensor", report.unread);
    report.temperature(number, wholeAndParts(reader), wholeAndParts(reader));
  }
  return true;
}

function wholeAndParts(reader: ByteReader): number {
  const [whole, parts] = [(reader.u8() << 24) >> 24, reader.u8() / 255];
  return whole < 0 ? whole - parts : whole + parts;
}

/** A kind, then items of which two are an outer sensor's air. */
export function outerSensor(value: Uint8Array, report: Jt808Report): boolean {
  if (value.length <= 2) return false;
  const byId = new Map(itemList(value.subarray(1), { id: 1, length: 1 }).items.map((item) => [item.id, item.value]));
  const [humidity, temperature] = [byId.get(0x15), byId.get(0x16)];
  if (humidity?.length !== 2 && temperature?.length !== 2) return false;
  const celsius = temperature?.length === 2 ? (numberIn(temperature) - 500) / 10 : null;
  if ([...byId.keys()].some((id) => id !== 0x15 && id !== 0x16)) report.unread.push("item 0xea, other values");
  report.temperature(1, celsius, humidity?.length === 2 ? numberIn(humidity) / 10 : null);
  return true;
}

/** Readings of an engine as text: `$OBD-RT,` and the voltage first. */
export function readEngineText(value: Uint8Array, report: Jt808Report): boolean {
  const [head, volts = ""] = textOf(value).split(",");
  if (head !== "$OBD-RT") return false;
  if (/^\d+(\.\d+)?$/.test(volts)) report.supply(Number(volts));
  report.unread.push("engine values");
  return true;
}

/** Number, the sensor's own number, pressure in 1/40 bar (ten bits), temperature from -50, state. */
function tyres(value: Uint8Array, report: Jt808Report): boolean {
  if (value.length === 0 || value.length % 8 !== 0) return false;
  const reader = new ByteReader(value);
  while (reader.left > 0) {
    const number = reader.u8();
    reader.pass(3, "number of a tyre's sensor", report.unread);
    const pressure = reader.u16() & 0x3ff;
    const celsius = reader.u8() - 50;
    reader.pass(1, "state of a tyre", report.unread);
    // A place without a sensor is all zeros behind its number.
    if (pressure !== 0 || celsius !== -50) addTyre(report, number - 1, pressure * 2.5, celsius);
  }
  return true;
}

/** Head of an alarm of the tyre system, then for each tyre: place, kind, kPa, degrees, battery. */
function tyreAlarm(value: Uint8Array, report: Jt808Report): boolean {
  const [headBytes, tyreBytes] = [41, 9];
  const count = value[headBytes - 1] ?? 0;
  if (count === 0 || value.length !== headBytes + count * tyreBytes) return false;
  new ByteReader(value).pass(headBytes, "head of a tyre alarm", report.unread);
  const reader = new ByteReader(value, headBytes);
  while (reader.left > 0) {
    const place = reader.u8();
    reader.pass(2, "kind of a tyre alarm", report.unread);
    addTyre(report, place, reader.u16(), reader.i16());
    reader.pass(2, "battery of a tyre's sensor", report.unread);
  }
  return true;
}

/** Places are counted from 0, from the left of the front axle to and fro; the protocol does not say how many an axle has: two. */
function addTyre(report: Jt808Report, place: number, pressure_kpa: number, temperature_c: number): void {
  if (place < 0 || place >= 40) return;
  const [axle, wheel] = [Math.floor(place / 2) + 1, (place % 2) + 1];
  report.sensors.push({ kind: "tyre", sensor: `tyre_${place + 1}`, axle, wheel, pressure_kpa, temperature_c });
}

export const sensorItems: ReadonlyMap<number, ItemReader> = new Map<number, ItemReader>([
  [0x51, temperatures],
  [0x66, tyreAlarm],
  [0x77, tyres],
  [0xe6, (value, report) => readEngineText(value, report) || bluetoothSensors(value, report)],
]);
