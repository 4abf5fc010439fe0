import type { TrackerEvent } from "../kit/events.ts";
import { hexNumber } from "../kit/values.ts";
import { alarmsOf, silentAlarms, statusAlarms } from "./alarms.ts";
import { addEvent, type Gt06Report } from "./report.ts";

/** Levels of the battery go from 0 (switches off) to 6 (full); higher numbers are percent. */
const fullLevel = 6;

/** Ignition and alarm in the bits of a byte. */
export function status(report: Gt06Report): void {
  readStatus(report, statusAlarms);
}

export function readStatus(report: Gt06Report, meanings: readonly (TrackerEvent | null)[]): void {
  const bits = report.reader.u8();
  report.fields.ignition = (bits & 2) !== 0;
  const alarm = meanings[(bits >> 3) & 7];
  if (alarm) report.events.push(alarm);
}

/** A level from 0 to 6, of which 6 is full, or a percentage. */
export function battery({ reader, fields }: Gt06Report): void {
  const level = reader.u8();
  if (level <= fullLevel) fields.battery_percent = Math.floor((level * 100) / fullLevel);
  else if (level <= 100) fields.battery_percent = level;
}

/** Of the vehicle, in hundredths of a volt. */
export function externalVoltage({ reader, fields }: Gt06Report): void {
  fields.external_voltage_v = reader.u16() / 100;
}

export function alarmCode(report: Gt06Report): void {
  readAlarm(report, report.reader.u8(), alarmsOf(report.model));
}

/** Alarm and language, with more bits of the alarm in the upper half of the language. */
export function wideAlarm(report: Gt06Report): void {
  const [low, language] = [report.reader.u8(), report.reader.u8()];
  readAlarm(report, ((language >> 4) << 8) | low, alarmsOf(report.model));
}

export function readAlarm(report: Gt06Report, code: number, meanings: ReadonlyMap<number, TrackerEvent>): void {
  if (!silentAlarms.has(code)) addEvent(report, meanings.get(code), `alarm ${hexNumber(code)}`);
}

/** Ignition, why it was sent, whether it was kept for want of a connection. */
export function ignitionAndReason({ reader, fields, unread }: Gt06Report): void {
  fields.ignition = reader.u8() > 0;
  reader.pass(2, "reason of the report", unread);
}

/** In metres. */
export function mileage({ reader, fields }: Gt06Report): void {
  fields.odometer_km = reader.u32() / 1000;
}

/** Total mileage, if it is what is left. */
export function mileageAtEnd(report: Gt06Report): void {
  if (report.reader.left === 4) mileage(report);
}

/** Ignition and reason, and total mileage if it follows. */
export function reasonAndMileage(report: Gt06Report): void {
  if (report.reader.left >= 3) ignitionAndReason(report);
  mileageAtEnd(report);
}

/** What older models add at the end: ignition and reason, total mileage, or both. */
export function tail(report: Gt06Report): void {
  const { left } = report.reader;
  if (left === 3 || left === 7) ignitionAndReason(report);
  mileageAtEnd(report);
}
