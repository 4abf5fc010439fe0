import { textOf } from "../kit/bytes.ts";
import { hexNumber } from "../kit/values.ts";
import { externalVoltage } from "./condition.ts";
import { addTemperature, driverTag, passRest, rest } from "./extras.ts";
import type { Layout } from "./layout.ts";
import { time } from "./place.ts";
import { addUnread, type Gt06Report } from "./report.ts";

/** Sub-types of 0x94. */
const kinds: ReadonlyMap<number, (report: Gt06Report, kind: number) => void> = new Map([
  [0x00, externalVoltage],
  [0x04, unreadKind], // settings of alarms, phone numbers
  [0x05, door],
  [0x08, unreadKind], // self-test
  [0x09, unreadKind], // signal of each satellite
  [0x0a, unreadKind], // IMEI, IMSI, ICCID
  [0x0b, networkOrVoltage],
  [0x0d, fuelProbe],
  [0x1b, tag],
  [0x1e, climate],
]);

/** Known, and without a field: named by its number. */
function unreadKind(report: Gt06Report, kind: number): void {
  addUnread(report, `information ${hexNumber(kind)}`);
  rest(report);
}

/** The door has no field. Some models send the time with it. */
function door(report: Gt06Report, kind: number): void {
  if (report.reader.left >= 7) time(report);
  unreadKind(report, kind);
}

/** One byte: 2G or 4G. Two: volts. */
function networkOrVoltage(report: Gt06Report, kind: number): void {
  if (report.reader.left === 2) externalVoltage(report);
  else unreadKind(report, kind);
}

/** Two bytes of volts; or, both 0, kind 0 with one byte, which is no voltage. */
function shortVoltage(report: Gt06Report): void {
  externalVoltage(report);
  if (report.fields.external_voltage_v !== 0) return;
  report.fields = {};
  addUnread(report, "information 0x00");
}

/** An ultrasonic probe sends a height without a unit, so there is no volume in it. */
function fuelProbe(report: Gt06Report): void {
  addUnread(report, "fuel height without a unit");
  rest(report);
}

/** A card: as text ("RFID:008FB2BEBA39"), or four bytes within start, kind, checksum and end. */
function tag(report: Gt06Report): void {
  const { reader, fields } = report;
  const [first = 0] = reader.bytes.subarray(reader.at);
  if (first < 0x41) {
    reader.pass(2, "start of the card", report.unread);
    driverTag(4)(report);
    passRest("end of the card")(report);
    return;
  }
  const text = textOf(reader.take(reader.left)).trim();
  const card = /^RFID:([0-9A-Za-z]{1,64})$/.exec(text)?.[1];
  if (card === undefined) addUnread(report, "serial text");
  else fields.driver_id = card;
}

/** Temperature and humidity in tenths. */
function climate(report: Gt06Report): void {
  const { reader } = report;
  addTemperature(report, reader.i32() / 10, reader.i32() / 10);
}

function information(report: Gt06Report): void {
  const kind = report.reader.u8();
  const read = kinds.get(kind);
  if (read === undefined) report.unknown = `information ${hexNumber(kind)}`;
  (read ?? rest)(report, kind);
}

/** What an attached device sends is passed on as it is: only its maker knows what it means. */
function serialData(report: Gt06Report): void {
  const data = report.reader.take(report.reader.left);
  if (data.length > 0) addUnread(report, `serial data ${data.subarray(0, 16).toHex()}`);
}

export const informationLayouts: readonly Layout[] = [
  { types: [0x94], isLong: false, what: "voltage", reply: "none", parts: [shortVoltage, rest] },
  { types: [0x94], isLong: true, what: "information", reply: "none", parts: [information] },
  { types: [0x9b], what: "serial data", reply: "none", parts: [serialData] },
];
