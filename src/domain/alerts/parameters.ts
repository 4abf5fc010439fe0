import type { AlertType } from "../alert-types.ts";
import type { AlertRule, Json } from "../fleet.ts";

/** What a parameter of a rule may be. */
export type ParameterKind =
  | { readonly kind: "number"; readonly min: number; readonly max: number }
  | { readonly kind: "choice"; readonly values: readonly number[] }
  | { readonly kind: "sensor" }
  /** One number for all axles, or one for each that is named. */
  | { readonly kind: "by_axle"; readonly min: number; readonly max: number };

/** Sensors with longer names are ignored: an open alert stores the name. */
export const maxSensorNameLength = 64;

/** Even road trains have fewer. */
export const maxAxles = 20;

const day = 86_400;
const temperature: ParameterKind = { kind: "number", min: -100, max: 300 };
/** At least a minute: what is shorter happens at every traffic light. */
const seconds: ParameterKind = { kind: "number", min: 60, max: 30 * day };

/** The parameters of each rule. Bounds are generous: they refuse only obvious slips. */
export const alertParameters: Readonly<Record<AlertType, Readonly<Record<string, ParameterKind>>>> = {
  speeding: { limit_kmh: { kind: "number", min: 1, max: 300 } },
  geofence_enter: {},
  geofence_exit: {},
  sos: {},
  crash: {},
  power_cut: {},
  tampering: {},
  jamming: {},
  harsh_acceleration: {},
  harsh_braking: {},
  harsh_cornering: {},
  towing: {},
  idling: { after_s: seconds },
  low_battery: { below_percent: { kind: "number", min: 1, max: 99 } },
  low_external_voltage: {
    below_v: { kind: "number", min: 1, max: 100 },
    nominal_v: { kind: "choice", values: [12, 24] },
  },
  fuel_drain: {},
  fuel_refill: {},
  temperature_high: { above_c: temperature, sensor: { kind: "sensor" } },
  temperature_low: { below_c: temperature, sensor: { kind: "sensor" } },
  tyre_pressure_low: { nominal_kpa: { kind: "by_axle", min: 50, max: 2000 } },
  tyre_temperature_high: { above_c: { kind: "number", min: 1, max: 300 } },
  gps_lost: { after_s: seconds },
  device_offline: { after_s: seconds },
};

/** A supply of either voltage is low below this. */
export const lowVoltsByNominal = { 12: 11.5, 24: 23 } as const;

/**
 * What a rule goes by where it says nothing itself. A type that needs a limit and has none here raises nothing by default, nor
 * do crossings, which are reported only by a rule that names fences.
 */
export const defaultParameters = {
  speeding: {},
  geofence_enter: {},
  geofence_exit: {},
  sos: {},
  crash: {},
  power_cut: {},
  tampering: {},
  jamming: {},
  harsh_acceleration: {},
  harsh_braking: {},
  harsh_cornering: {},
  towing: {},
  idling: { after_s: 600 },
  low_battery: { below_percent: 20 },
  low_external_voltage: { below_v: lowVoltsByNominal[12], nominal_v: 12 },
  fuel_drain: {},
  fuel_refill: {},
  temperature_high: {},
  temperature_low: {},
  tyre_pressure_low: {},
  tyre_temperature_high: { above_c: 85 },
  gps_lost: { after_s: 900 },
  device_offline: { after_s: 86_400 },
} as const satisfies Record<AlertType, Readonly<Record<string, Json>>>;

export function isParameter(kind: ParameterKind, value: unknown): boolean {
  switch (kind.kind) {
    case "number":
      return isWithin(value, kind);
    case "choice":
      return typeof value === "number" && kind.values.includes(value);
    case "sensor":
      return typeof value === "string" && value.length >= 1 && value.length <= maxSensorNameLength;
    case "by_axle":
      return isWithin(value, kind) || isByAxle(value, kind);
  }
}

/** A rule's parameter; null if it is not set, or was stored before values were checked and is invalid. */
export function parameterOf({ alertType, parameters }: AlertRule, name: string): Json {
  const kind = alertParameters[alertType][name];
  const value = Object.hasOwn(parameters, name) ? parameters[name] : null;
  return kind !== undefined && value !== undefined && isParameter(kind, value) ? value : null;
}

export function numberParameterOf(rule: AlertRule, name: string): number | null {
  const value = parameterOf(rule, name);
  return typeof value === "number" ? value : null;
}

function isWithin(value: unknown, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return typeof value === "number" && value >= min && value <= max;
}

function isByAxle(value: unknown, bounds: { readonly min: number; readonly max: number }): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const axles = Object.entries(value);
  return axles.length > 0 && axles.every(([axle, item]) => isAxle(axle) && isWithin(item, bounds));
}

function isAxle(name: string): boolean {
  const axle = Number(name);
  return Number.isInteger(axle) && axle >= 1 && axle <= maxAxles && String(axle) === name;
}
