import { ByteReader, textOf } from "../../kit/bytes.ts";
import { alarmBitsOfAovx } from "../alarms.ts";
import { hasBit, type Jt808Report } from "../report.ts";
import type { ItemReader } from "./item-reader.ts";

/**
 * Items of AOVX trackers: a mask says which values follow. Other vendors use the same numbers for other things, so the length must
 * fit the mask exactly.
 */
function follows(mask: number, bytesByBit: readonly number[]): number {
  return bytesByBit.reduce((sum, bytes, bit) => sum + (hasBit(mask, bit) ? bytes : 0), 0);
}

/** Light, temperature, humidity, acceleration, thresholds, air pressure. */
const environmentBytes = [2, 2, 2, 6, 10, 2];

/** Of four bytes it is the mode of another maker's locator, whose second byte looks like a mask. */
function environment(value: Uint8Array, report: Jt808Report): boolean {
  const mask = value[1] ?? 0;
  if (value.length === 4 || value.length !== 2 + follows(mask, environmentBytes)) return false;
  const reader = new ByteReader(value, 2);
  if (hasBit(mask, 0)) reader.pass(2, "light", report.unread);
  const celsius = hasBit(mask, 1) ? reader.i16() / 10 : null;
  const humidity = hasBit(mask, 2) ? reader.i16() / 10 : null;
  if (celsius !== null || humidity !== null) report.temperature(1, celsius, humidity);
  reader.pass(reader.left, "acceleration, its limits, air pressure", report.unread);
  return true;
}

/** 15 digits in eight bytes. */
function imei(value: Uint8Array, report: Jt808Report): boolean {
  const digits = value.toHex();
  if (!/^0[1-9]\d{14}$/.test(digits)) return false;
  report.imei = digits.slice(1);
  return true;
}

/** Age of the fix, time of running, dilution, time of the fix, nothing, intervals, an outer temperature with its limits. */
const detailBytes = [4, 4, 2, 6, 0, 8, 6];

function details(value: Uint8Array, report: Jt808Report): boolean {
  const reader = new ByteReader(value);
  const mask = reader.u16();
  if (value.length !== 2 + follows(mask, detailBytes)) return false;
  reader.pass(follows(mask & 0b11, detailBytes), "age of the fix and time of running", report.unread);
  if (hasBit(mask, 2)) report.fields.hdop = reader.u16() / 10;
  reader.pass(follows(mask & 0b111000, detailBytes), "time of the fix and intervals", report.unread);
  if (hasBit(mask, 6)) report.temperature(3, reader.i16() / 10);
  reader.pass(reader.left, "limits of a temperature", report.unread);
  return true;
}

/** Millivolts, charging, percent; or, of two bytes, the humidity. */
function batteryOrHumidity(value: Uint8Array, report: Jt808Report): boolean {
  const reader = new ByteReader(value);
  if (value.length === 2) report.temperature(2, null, reader.u16() / 10);
  if (value.length === 6) {
    report.unread.push("voltage of its battery");
    report.battery(value[5] ?? 0);
  }
  return value.length === 2 || value.length === 6;
}

/** `AOVX_GL100-LA_H2.0_…`: the maker and the model. */
function firmware(value: Uint8Array, report: Jt808Report): boolean {
  const text = textOf(value);
  report.unread.push("firmware");
  report.alarmBits = alarmBitsOfAovx.find(([model]) => model.test(text))?.[1] ?? report.alarmBits;
  return true;
}

export const maskedItems: ReadonlyMap<number, ItemReader> = new Map<number, ItemReader>([
  [0xf2, firmware],
  [0xf6, (value, report) => (value.length === 8 && imei(value, report)) || environment(value, report)],
  [0xf7, batteryOrHumidity],
  [0xf9, details],
]);
