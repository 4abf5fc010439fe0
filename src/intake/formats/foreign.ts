/**
 * What the formats of others have in common. A frame in them is refused only for its device, its time or its place. Any other
 * wrong value is left out: the sender cannot change the format, and the position is worth more than the value.
 */
import { nothingReported } from "../../domain/frame.ts";
import { isImei } from "../../domain/text/identifiers.ts";
import type { FormatResult, IncomingFrame } from "../incoming-frame.ts";
import { problem, problemLine } from "./problems.ts";
import { fits, type MeasuredName } from "./read-value.ts";

/** Each digit has one place in it: else a long text that is no number would be tried in every way to divide its digits. */
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** What a foreign message reports. A missing field is unknown. */
export type ForeignFields = Partial<Omit<IncomingFrame, "imei" | "recordedAt" | "receivedAt">>;

export function foreignFrame(
  imei: string,
  recordedAt: number | null,
  receivedAt: number,
  fields: ForeignFields,
): IncomingFrame {
  return { ...nothingReported, ...fields, imei, recordedAt, receivedAt };
}

/** One frame per event, or one frame without an event. Only the first has the sensors, so that each reading is stored once. */
export function framesWithEvents(frame: IncomingFrame, events: readonly string[]): FormatResult {
  if (events.length === 0) return { kind: "frames", frames: [frame] };
  const frames = events.map((event, index) => ({ ...frame, event, sensors: index === 0 ? frame.sensors : [] }));
  return { kind: "frames", frames };
}

/** The number, from a JSON number or from its text; else null. */
export function numberOf(value: unknown): number | null {
  if (value === undefined) return null;
  const number = typeof value === "string" && decimal.test(value.trim()) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number + 0 : null;
}

/** The value if it is within the bounds of that measurement, else null. */
export function measured(value: number | null, name: MeasuredName): number | null {
  return fits(value, name) ? value + 0 : null;
}

/** In metres. 0 means unknown: no receiver is without error. */
export function accuracyOf(value: unknown): number | null {
  return measured(numberOf(value), "accuracy_m") || null;
}

export function booleanOf(value: unknown): boolean | null {
  if (value === true || value === "true" || value === 1 || value === "1") return true;
  if (value === false || value === "false" || value === 0 || value === "0") return false;
  return null;
}

/** The device's IMEI. If it is wrong, adds to `problems`. */
export function requireImei(value: unknown, name: string, problems: string[]): string {
  const text = typeof value === "string" ? value.trim() : value;
  if (typeof text === "string" && isImei(text)) return text;
  problems.push(problem(name, "the IMEI, a string of 14 to 16 digits", value));
  return "";
}

/**
 * The one device that a message names, in one place or several. If the places name different devices, or none, adds to
 * `problems`: a sender that is limited to a device by one place must not reach another device by another place. Text that is
 * no IMEI names no device.
 */
export function requireOneImei(values: readonly unknown[], name: string, problems: string[]): string {
  const texts = values.map((value) => (typeof value === "string" ? value.trim() : value));
  const [imei, other] = new Set(texts.filter((text) => typeof text === "string" && isImei(text)));
  if (other !== undefined) problems.push(`${name}: expected one device, got ${imei} and ${other}`);
  return requireImei(imei ?? texts.find((text) => text !== undefined && text !== null && text !== ""), name, problems);
}

/** A coordinate, from a number or from text. If it is wrong, adds to `problems`. */
export function requirePlace(value: unknown, name: "latitude" | "longitude", path: string, problems: string[]): number {
  const place = measured(numberOf(value), name);
  if (place === null) problems.push(problem(path, `a ${name} in degrees`, value));
  return place ?? 0;
}

export function refused(problems: readonly string[]): FormatResult {
  return { kind: "refused", reason: problemLine(problems) };
}
