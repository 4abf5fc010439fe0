/**
 * What the formats of others have in common. A frame in them is refused only for its device, its time or its place. Anything
 * else that does not fit is left out instead: whoever sends it cannot change it, and the position is worth more.
 */
import { isImei } from "../../domain/identifiers.ts";
import type { Decoded, IncomingFrame } from "../incoming-frame.ts";
import { fits, type MeasuredName } from "./bounds.ts";
import { problem, problemLine } from "./problems.ts";

export type RawObject = Readonly<Record<string, unknown>>;

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** What a foreign message says. What it does not name is unknown. */
export type Said = Partial<Omit<IncomingFrame, "imei" | "recordedAt" | "receivedAt">>;

export function foreignFrame(imei: string, recordedAt: number | null, receivedAt: number, said: Said): IncomingFrame {
  return {
    imei,
    recordedAt,
    receivedAt,
    latitude: said.latitude ?? null,
    longitude: said.longitude ?? null,
    altitude_m: said.altitude_m ?? null,
    speed_kmh: said.speed_kmh ?? null,
    heading_deg: said.heading_deg ?? null,
    accuracy_m: said.accuracy_m ?? null,
    satellites: said.satellites ?? null,
    hdop: said.hdop ?? null,
    ignition: said.ignition ?? null,
    odometer_km: said.odometer_km ?? null,
    battery_percent: said.battery_percent ?? null,
    external_voltage_v: said.external_voltage_v ?? null,
    event: said.event ?? null,
    fix: said.fix ?? null,
    source: said.source ?? null,
    sensors: said.sensors ?? [],
  };
}

/** One frame for each of the events, or one without any. Only the first has the sensors, so that each reading is one. */
export function framesWithEvents(frame: IncomingFrame, events: readonly string[]): Decoded {
  if (events.length === 0) return { kind: "frames", frames: [frame] };
  const frames = events.map((event, index) => ({ ...frame, event, sensors: index === 0 ? frame.sensors : [] }));
  return { kind: "frames", frames };
}

/** The number that a JSON number, or text that is one, stands for; else null. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === "string" && decimal.test(value.trim()) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number + 0 : null;
}

/** The measurement, or null if it is none. */
export function measured(value: number | null, name: MeasuredName): number | null {
  return fits(value, name) ? value + 0 : null;
}

/** In metres. 0 is what is written for an accuracy that is not known: no receiver is without error. */
export function accuracyOf(value: unknown): number | null {
  return measured(numberOf(value), "accuracy_m") || null;
}

export function booleanOf(value: unknown): boolean | null {
  if (value === true || value === "true" || value === 1 || value === "1") return true;
  if (value === false || value === "false" || value === 0 || value === "0") return false;
  return null;
}

/** The device's IMEI; else what is wrong goes to `problems`. */
export function requireImei(value: unknown, name: string, problems: string[]): string {
  const text = typeof value === "string" ? value.trim() : value;
  if (typeof text === "string" && isImei(text)) return text;
  problems.push(problem(name, "the IMEI, a string of 14 to 16 digits", value));
  return "";
}

/**
 * The one device that a message names, in however many places; else what is wrong goes to `problems`. Places that name
 * different devices contradict each other: whoever limits a sender to a device by one place must not be led round by another.
 * What is no IMEI names no device.
 */
export function requireOneImei(values: readonly unknown[], name: string, problems: string[]): string {
  const texts = values.map((value) => (typeof value === "string" ? value.trim() : value));
  const [imei, other] = new Set(texts.filter((text) => typeof text === "string" && isImei(text)));
  if (other !== undefined) problems.push(`${name}: expected one device, got ${imei} and ${other}`);
  return requireImei(imei ?? texts.find((text) => text !== undefined && text !== null && text !== ""), name, problems);
}

/** A coordinate as a number or as text; else what is wrong goes to `problems`. */
export function requirePlace(value: unknown, name: "latitude" | "longitude", path: string, problems: string[]): number {
  const place = measured(numberOf(value), name);
  if (place === null) problems.push(problem(path, `a ${name} in degrees`, value));
  return place ?? 0;
}

export function isObject(value: unknown): value is RawObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function refused(problems: readonly string[]): Decoded {
  return { kind: "refused", reason: problemLine(problems) };
}
