/** What a value must lie within to be taken for a measurement at all. Whether it is believed is judged later. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
}

function within(least: number, most: number): Bounds {
  return { least, most, whole: false };
}

/**
 * Generous: a strange value is kept and judged, an absurd one is a fault of the sender that it should hear of.
 * Coordinates out of range are a verdict of their own, so theirs are wide.
 */
const bounds = {
  latitude: within(-1e6, 1e6),
  longitude: within(-1e6, 1e6),
  altitude_m: within(-20_000, 100_000),
  speed_kmh: within(0, 10_000),
  heading_deg: within(0, 360),
  accuracy_m: within(0, 1e8),
  satellites: { least: 0, most: 200, whole: true },
  hdop: within(0, 10_000),
  odometer_km: within(0, 1e8),
  battery_percent: within(0, 100),
  external_voltage_v: within(0, 1000),
  level_percent: within(0, 150), // an uncalibrated float reads more than full
  volume_l: within(0, 1e6),
  temperature_c: within(-273.15, 2000),
  humidity_percent: within(0, 150),
  axle: { least: 1, most: 20, whole: true },
  wheel: { least: 1, most: 20, whole: true },
  pressure_kpa: within(0, 10_000),
} as const satisfies Record<string, Bounds>;

export type MeasuredName = keyof typeof bounds;

/** False for what is not a number, and for NaN and the infinities. */
export function fits(value: unknown, name: MeasuredName): value is number {
  const { least, most, whole } = bounds[name];
  return typeof value === "number" && value >= least && value <= most && (!whole || Number.isInteger(value));
}

export function expectedNumber(name: MeasuredName): string {
  const { least, most, whole } = bounds[name];
  return `a ${whole ? "whole " : ""}number from ${least} to ${most}`;
}
