import { statusAlarms, trx16iAlarms } from "./alarms.ts";
import {
  alarmCode,
  battery,
  externalVoltage,
  ignitionAndReason,
  mileage,
  readAlarm,
  readStatus,
  status,
} from "./condition.ts";
import { addTemperature, driverCard, driverTag, pass, passRest } from "./extras.ts";
import type { Layout } from "./layout.ts";
import { cell, countedCell, gps, noFix, time } from "./place.ts";
import type { Gt06Report, Part } from "./report.ts";

const place: readonly Part[] = [time, gps];
const placeAndCell: readonly Part[] = [...place, cell("2g")];
const [signal, language] = [pass(1, "signal"), pass(1, "language")];

/** VXT01 means speeding by what others mean an opened case. */
function vxt01Status(report: Gt06Report): void {
  readStatus(report, statusAlarms.with(7, "overspeed"));
}

/** Inputs and one measurement in 16 bits: bit 12 says that it is a temperature, whose sign is bit 9. */
function benwayInputs(report: Gt06Report): void {
  const bits = report.reader.u16();
  report.fields.ignition = (bits & 0x8000) !== 0;
  if (bits & 0x1000) addTemperature(report, (bits & 0x200 ? -1 : 1) * (bits & 0x1ff));
}

/** An IMEI begins with a zero and a digit, a time with a year from 10 on. */
function imeiFirst({ reader, unread }: Gt06Report): void {
  const [first = 0] = reader.bytes.subarray(reader.at);
  if (first < 10) reader.pass(8, "IMEI", unread);
}

/** Fuel without a unit, a temperature whose sign is the highest bit, and tens of metres. */
function s5Extras(report: Gt06Report): void {
  const { reader, fields, unread } = report;
  reader.pass(2, "fuel without a unit", unread);
  const bits = reader.u8();
  addTemperature(report, bits & 0x80 ? -(bits & 0x7f) : bits);
  fields.odometer_km = reader.u32() / 100;
}

function cardAlarm(report: Gt06Report): void {
  if (report.reader.u8() > 0) report.events.push("general");
}

/** The sign is the highest bit, not a complement. */
function seeworldClimate(report: Gt06Report): void {
  const bits = report.reader.u16();
  const celsius = (bits & 0x8000 ? -(bits & 0x7fff) : bits) / 100;
  addTemperature(report, celsius, report.reader.u16() / 100);
}

/** In whole volts. */
function seeworldVoltage({ reader, fields }: Gt06Report): void {
  fields.external_voltage_v = reader.u8();
}

/** GL21L counts steps; its percentage is finer than the level before it. */
function wearablePercent({ reader, fields, unread }: Gt06Report): void {
  reader.pass(2 + 4, "steps", unread);
  fields.battery_percent = reader.u8();
}

function altitude({ reader, fields }: Gt06Report): void {
  fields.altitude_m = reader.i16();
}

function trx16iAlarm(report: Gt06Report): void {
  readAlarm(report, report.reader.u8(), trx16iAlarms);
}

/** Three bytes of metres, three of minutes with the engine on. */
function ntTotals({ reader, fields, unread }: Gt06Report): void {
  fields.odometer_km = reader.u24() / 1000;
  reader.pass(3, "minutes with the engine on", unread);
}

/** Counted without itself, unlike elsewhere. */
function xt40Cell({ reader, unread }: Gt06Report): void {
  reader.pass(reader.u8(), "cell tower", unread);
}

/** The length counts a byte for the kind of the tag. */
function xt40Driver(report: Gt06Report): void {
  const length = report.reader.u8();
  if (length === 0) return;
  pass(1, "kind of the tag")(report);
  driverTag(length - 1)(report);
}

/** Source, IMEI and time of sending. */
const ntStart: readonly Part[] = [pass(1 + 8 + 6, "source, IMEI and time of sending"), ...place];
const ntCondition: readonly Part[] = [
  status,
  externalVoltage,
  pass(1, "level of its battery"),
  signal,
  alarmCode,
  language,
  ntTotals,
];

/** One decimal number of six bytes. */
function buttonNumber({ reader, fields }: Gt06Report): void {
  const number = reader.u16() * 2 ** 32 + reader.u32();
  fields.driver_id = number === 0 ? null : String(number);
}

function x1Extras(report: Gt06Report): void {
  const { reader, fields, unread } = report;
  reader.pass(2, "state", unread);
  mileage(report);
  reader.pass(2 + 1 + 2 + 4, "signal, inputs and counters", unread);
  const card = reader.u32();
  fields.driver_id = card === 0 ? null : String(card);
  externalVoltage(report); // that of its own battery follows
}

function ignition({ reader, fields }: Gt06Report): void {
  fields.ignition = reader.u8() > 0;
}

const seeworldState: readonly Part[] = [
  status,
  pass(2, "voltage of its battery"),
  battery,
  signal,
  seeworldVoltage,
  language,
];
const sl4xCondition: readonly Part[] = [status, battery, signal, alarmCode, language];
const lw4gState: readonly Part[] = [status, externalVoltage, battery, signal, alarmCode, language];

/** The number and the length of a message, what it is, and its parts. */
type ModelRow = readonly [type: number, length: number, what: string, ...parts: readonly Part[]];

/**
 * Models that use a number for a layout of their own. Only header, number and length show which
 * it is. In the order of the numbers.
 */
const rows: readonly ModelRow[] = [
  // VXT01
  [0x12, 0x24, "location", ...placeAndCell, vxt01Status, externalVoltage, passRest("signal, language")],
  [0x16, 0x24, "alarm", ...placeAndCell, vxt01Status, externalVoltage, passRest("signal, language")],
  // Benway
  [0x12, 0x21, "location", ...placeAndCell, benwayInputs],
  // QH302R
  [0x12, 0x27, "location", imeiFirst, ...placeAndCell, passRest("bytes behind the cell tower")],
  // WeTrust
  [0x12, 0x29, "location", ...placeAndCell, mileage, driverCard, cardAlarm, passRest("bytes behind the card")],
  // S5
  [0x12, 0x2b, "location", ...placeAndCell, status, externalVoltage, signal, alarmCode, s5Extras],
  // Seeworld
  [0x16, 0x26, "alarm", ...place, countedCell("wide", 5), status, battery, signal, alarmCode, language],
  [
    0x22,
    0x2f,
    "location",
    ...place,
    cell("wide"),
    ignitionAndReason,
    mileage,
    pass(4, "time of the sensor"),
    seeworldClimate,
  ],
  [0xa3, 0x0c, "heartbeat", ...seeworldState],
  [0xa3, 0x18, "heartbeat", ...seeworldState, wearablePercent, passRest("bytes behind the battery")],
  // TRX16i
  [0x16, 0x2d, "alarm", ...place, countedCell("2g", 13), status, battery, signal, trx16iAlarm, language, driverTag(8)],
  [
    0x36,
    0x35,
    "location",
    ...place,
    cell("wide"),
    ignitionAndReason,
    pass(4, "distance driven"),
    externalVoltage,
    pass(1 + 3, "battery and inputs"),
    driverTag(8),
  ],
  // Trackers with a reader for RFID
  [0x17, 0x28, "location", ...placeAndCell, driverTag(8), pass(1, "byte behind the tag")],
  // NT and XT models
  [0x22, 0x3c, "location", ...ntStart, countedCell("2g", 13), ...ntCondition],
  // SR411 mini; its second voltage is that of its own battery.
  [0x24, 0x2e, "location", ...placeAndCell, ignition, externalVoltage, passRest("voltage of its battery, signal")],
  // SL4X
  [0x31, 0x2a, "location", ...place, cell("wide", true), ignitionAndReason, mileage, altitude],
  [0x32, 0x27, "alarm", ...place, countedCell("wide", 5, true), ...sl4xCondition],
  [0x32, 0x29, "alarm", ...place, countedCell("wide", 7, true), ...sl4xCondition, altitude],
  [0x34, 0x37, "cells", time, noFix, passRest("cell towers")],
  // LW4G
  [
    0xa2,
    0x40,
    "location",
    ...place,
    cell("4g"),
    pass(1, "reason of the report"),
    ...lw4gState,
    mileage,
    pass(4 + 8 + 2, "counters"),
  ],
];

/** Of any length, or from one on: behind those of one length. */
const anyLength: readonly Layout[] = [
  // GT06E with a card reader
  {
    types: [0x12],
    minLength: 0x71,
    what: "location",
    parts: [...placeAndCell, mileage, driverCard, passRest("bytes behind the card")],
  },
  // XT models
  { types: [0x25], minLength: 0x3c, what: "location", parts: [...ntStart, xt40Cell, ...ntCondition, xt40Driver] },
  // X1
  {
    types: [0x34],
    what: "location",
    reply: "none",
    parts: [pass(4, "number of the report"), ...place, x1Extras, passRest("voltage of its battery")],
  },
  // Trackers with a reader for iButtons
  { types: [0x61], what: "location", parts: [pass(8, "IMEI"), ...place, cell("wide"), buttonNumber] },
];

export const modelLayouts: readonly Layout[] = [
  ...rows.map(([type, length, what, ...parts]) => ({ types: [type], lengths: [length], what, parts })),
  ...anyLength,
].map((layout) => ({ isLong: false, ...layout }));
