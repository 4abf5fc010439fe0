import { type AlertType, alertTypes } from "../alert-types.ts";
import type { AlertRule } from "../fleet.ts";
import { defaultParameters, parameterOf } from "./parameters.ts";
import { defaultRules } from "./read-rule.ts";
import type { SetFor, SetRule } from "./set-rules.ts";

/** A rule in force, and where it comes from. */
export interface ListedRule extends AlertRule {
  readonly source: "default" | "set";
  /** Null for a default. */
  readonly setFor: SetFor | null;
  /** Null unless it was set for a tag. */
  readonly tag: string | null;
}

/** The defaults that still hold somewhere, then the rules that were set, in order: of several that apply the last counts. */
export function listedRules(settings: readonly SetRule[]): readonly ListedRule[] {
  const replaced = new Set(settings.filter(isInPlaceOfDefault).map(({ alertType }) => alertType));
  const defaults = alertTypes.filter((alertType) => !replaced.has(alertType)).map(defaultRule);
  return [...defaults, ...settings.map((rule): ListedRule => ({ ...rule, source: "set" }))];
}

/** A type that raises nothing by itself is listed as not enabled. */
function defaultRule(alertType: AlertType): ListedRule {
  const enabled = defaultRules[alertType] !== null;
  const parameters = defaultParameters[alertType];
  const nobody = { setFor: null, tag: null };
  return { alertType, enabled, severity: null, parameters, geofenceIds: [], source: "default", ...nobody };
}

/** Whether nothing is left of the default: a rule for some fences or for one sensor leaves it in force elsewhere. */
function isInPlaceOfDefault(rule: AlertRule): boolean {
  switch (rule.alertType) {
    case "geofence_enter":
    case "geofence_exit":
    case "device_offline":
      return true;
    case "temperature_high":
    case "temperature_low":
      return rule.geofenceIds.length === 0 && typeof parameterOf(rule, "sensor") !== "string";
    default:
      return rule.geofenceIds.length === 0;
  }
}
