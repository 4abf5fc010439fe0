import type { AlertType } from "../alert-types.ts";
import type { AlertRule, Json } from "../fleet.ts";

/** What a parameter of a rule may be. */
export type ParameterKind =
  | { readonly kind: "number"; readonly least: number; readonly most: number }
  | { readonly kind: "choice"; readonly values: readonly number[] }
  | { readonly kind: "sensor" }
  /** One number for all axles, or one for each that is named. */
  | { readonly kind: "by_axle"; readonly least: number; readonly most: number };

/** Sensors with longer names are not followed: an open alert stores the name. */
export const longestSensorName = 64;

/** Road trains have fewer. */
export const maxAxles = 20;

const day = 86_400;
const temperature: ParameterKind = { kind: "number", least: -100, most: 300 };
/** At least a minute: what is shorter happens at every traffic light. */
const seconds: ParameterKind = { kind: "number", least: 60, most: 30 * day };

/** The parameters of each rule. Bounds are generous: they only refuse what is certainly a slip. */
export const alertParameters: Readonly<Record<AlertType, Readonly<Record<string, ParameterKind>>>> = {
  speeding: { limit_kmh: { kind: "number", least: 1, most: 300 } },
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
  low_battery: { below_percent: { kind: "number", least: 1, most: 99 } },
  low_external_voltage: {
    below_v: { kind: "number", least: 1, most: 100 },
    nominal_v: { kind: "choice", values: [12, 24] },
  },
  fuel_drain: {},
  fuel_refill: {},
  temperature_high: { above_c: temperature, sensor: { kind: "sensor" } },
  temperature_low: { below_c: temperature, sensor: { kind: "sensor" } },
  tyre_pressure_low: { nominal_kpa: { kind: "by_axle", least: 50, most: 2000 } },
  tyre_temperature_high: { above_c: { kind: "number", least: 1, most: 300 } },
  gps_lost: { after_s: seconds },
  device_offline: { after_s: seconds },
};

export function isParameter(kind: ParameterKind, value: unknown): boolean {
  switch (kind.kind) {
    case "number":
      return isWithin(value, kind);
    case "choice":
      return typeof value === "number" && kind.values.includes(value);
    case "sensor":
      return typeof value === "string" && value.length >= 1 && value.length <= longestSensorName;
    case "by_axle":
      return isWithin(value, kind) || isByAxle(value, kind);
  }
}

/** A rule's parameter, null where it is not set, or was stored before such values were looked at. */
export function parameterOf({ alertType, parameters }: AlertRule, name: string): Json {
  const kind = alertParameters[alertType][name];
  const value = Object.hasOwn(parameters, name) ? parameters[name] : null;
  return kind !== undefined && value !== undefined && isParameter(kind, value) ? value : null;
}

export function numberParameterOf(rule: AlertRule, name: string): number | null {
  const value = parameterOf(rule, name);
  return typeof value === "number" ? value : null;
}

function isWithin(value: unknown, { least, most }: { readonly least: number; readonly most: number }): boolean {
  return typeof value === "number" && value >= least && value <= most;
}

function isByAxle(value: unknown, bounds: { readonly least: number; readonly most: number }): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const axles = Object.entries(value);
  return axles.length > 0 && axles.every(([axle, item]) => isAxle(axle) && isWithin(item, bounds));
}

function isAxle(name: string): boolean {
  const axle = Number(name);
  return Number.isInteger(axle) && axle >= 1 && axle <= maxAxles && String(axle) === name;
}
