/** Each reads one JSON value. A missing or wrong value is null; a wrong one also adds to `problems`. */
import { problem } from "./problems.ts";

/** The range in which a value counts as a measurement. Whether it is believed is judged later. */
interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

function within(min: number, max: number): Bounds {
  return { min, max, whole: false };
}

/**
 * Wide on purpose: a strange value is stored and judged, an absurd one is refused so that its sender learns of the fault.
 * The ranges of coordinates are wider still, because the judge has a verdict for those out of range.
 */
const bounds = {
  latitude: within(-1e6, 1e6),
  longitude: within(-1e6, 1e6),
  altitude_m: within(-20_000, 100_000),
  speed_kmh: within(0, 10_000),
  heading_deg: within(0, 360),
  accuracy_m: within(0, 1e8),
  satellites: { min: 0, max: 200, whole: true },
  hdop: within(0, 10_000),
  odometer_km: within(0, 1e8),
  battery_percent: within(0, 100),
  external_voltage_v: within(0, 1000),
  level_percent: within(0, 150), // an uncalibrated float reads more than full
  volume_l: within(0, 1e6),
  temperature_c: within(-273.15, 2000),
  humidity_percent: within(0, 150),
  axle: { min: 1, max: 20, whole: true },
  wheel: { min: 1, max: 20, whole: true },
  pressure_kpa: within(0, 10_000),
} as const satisfies Record<string, Bounds>;

export type MeasuredName = keyof typeof bounds;

/** False for what is not a number, and for NaN and the infinities. */
export function fits(value: unknown, name: MeasuredName): value is number {
  const { min, max, whole } = bounds[name];
  return typeof value === "number" && value >= min && value <= max && (!whole || Number.isInteger(value));
}

export function expectedNumber(name: MeasuredName): string {
  const { min, max, whole } = bounds[name];
  return `a ${whole ? "whole " : ""}number from ${min} to ${max}`;
}

/** No invisible characters: such a text would look the same as another. */
const visibleText = /^(?=.*\S)[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,64}$/u;
export const expectedText = "text of 1 to 64 visible characters";

/** `path`: the field's place in the frame, if it is not just its name. */
export function readNumber(value: unknown, name: MeasuredName, problems: string[], path: string = name): number | null {
  if (value === undefined || value === null) return null;
  if (fits(value, name)) return value + 0; // turns -0 into 0, so that equal frames have equal digests
  problems.push(problem(path, typeof value === "number" ? expectedNumber(name) : "a number", value));
  return null;
}

export function readBoolean(value: unknown, name: string, problems: string[]): boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value;
  problems.push(problem(name, "true or false", value));
  return null;
}

export function readText(value: unknown, name: string, problems: string[]): string | null {
  if (value === undefined || value === null) return null;
  if (isVisibleText(value)) return value;
  problems.push(problem(name, expectedText, value));
  return null;
}

/** Without spaces around it, which some readers fill a field with: it is named without them. Otherwise as it came. */
export function trimmed(value: unknown): unknown {
  return typeof value === "string" ? value.trim() : value;
}

export function isVisibleText(value: unknown): value is string {
  return typeof value === "string" && visibleText.test(value);
}
