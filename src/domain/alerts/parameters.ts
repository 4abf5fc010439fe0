import { type AlertParameter, type AlertType, alertKind, alertTypes } from "../alert-types.ts";
import type { AlertRule, Json } from "../fleet.ts";
import { isObject } from "../text/raw-object.ts";
import { isRuleTimes } from "./rule-times.ts";

/** Sensors with longer names are ignored: an open alert stores the name. */
export const maxSensorNameLength = 64;

/** Even road trains have fewer. */
export const maxAxles = 20;

/** What a rule goes by where it says nothing itself. */
export const defaultParameters = Object.fromEntries(
  alertTypes.map((type) => [type, defaultsOf(alertKind(type).parameters)]),
) as Readonly<Record<AlertType, Readonly<Record<string, number>>>>;

function defaultsOf(parameters: Readonly<Record<string, AlertParameter>>): Record<string, number> {
  const defaults: Record<string, number> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameter.default !== null) defaults[name] = parameter.default;
  }
  return defaults;
}

/** Whether a type raises nothing until a rule sets this parameter. */
export function isRequired(parameter: AlertParameter): boolean {
  return parameter.default === null && parameter.kind !== "sensor";
}

export function isParameter(kind: AlertParameter, value: unknown): boolean {
  switch (kind.kind) {
    case "number":
      return isWithin(value, kind);
    case "choice":
      return typeof value === "number" && kind.values.includes(value);
    case "sensor":
      return typeof value === "string" && value.length >= 1 && value.length <= maxSensorNameLength;
    case "by_axle":
      return isWithin(value, kind) || isByAxle(value, kind);
    case "times":
      return isRuleTimes(value);
  }
}

/** A rule's parameter; null if it is not set, or was stored before values were checked and is invalid. */
export function parameterOf({ alertType, parameters }: AlertRule, name: string): Json {
  const kind = alertKind(alertType).parameters[name];
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
  if (!isObject(value)) return false;
  const axles = Object.entries(value);
  return axles.length > 0 && axles.every(([axle, item]) => isAxle(axle) && isWithin(item, bounds));
}

function isAxle(name: string): boolean {
  const axle = Number(name);
  return Number.isInteger(axle) && axle >= 1 && axle <= maxAxles && String(axle) === name;
}
