import { type AlertType, alertTypes, type Severity } from "../alert-types.ts";
import type { AlertRule } from "../fleet.ts";
import { defaultParameters, lowVoltsByNominal, numberParameterOf, parameterOf } from "./parameters.ts";

/** One rule, ready for use. */
export interface RuleInForce {
  /** What a value is compared with, in the alert's unit; null if there is nothing to measure. */
  readonly threshold: number | null;
  /** Set by the settings; null: the type's own severity. */
  readonly severity: Severity | null;
  /** The fence whose speed limit this is. */
  readonly fenceId: string | null;
}

/** A tyre is low from 80 % of its nominal pressure down. */
const lowTyrePercent = 80;

/** What a rule without parameters means. Crossings are reported only by a rule that names fences. */
export const defaultRules: Readonly<Record<AlertType, RuleInForce | null>> = Object.fromEntries(
  alertTypes.map((alertType) => [
    alertType,
    readRule({ alertType, enabled: true, severity: null, parameters: {}, geofenceIds: [] }),
  ]),
) as Record<AlertType, RuleInForce | null>;

/** What a rule means by itself; null: no such alerts. */
export function readRule(rule: AlertRule): RuleInForce | null {
  if (!rule.enabled) return null;
  const { alertType, severity } = rule;
  const against = (threshold: number | null) => (threshold === null ? null : { threshold, severity, fenceId: null });
  switch (alertType) {
    case "speeding":
      return against(numberParameterOf(rule, "limit_kmh"));
    case "idling":
      return against(numberParameterOf(rule, "after_s") ?? defaultParameters[alertType].after_s);
    case "low_battery":
      return against(numberParameterOf(rule, "below_percent") ?? defaultParameters[alertType].below_percent);
    case "low_external_voltage":
      return against(
        numberParameterOf(rule, "below_v") ?? lowVoltsByNominal[parameterOf(rule, "nominal_v") === 24 ? 24 : 12],
      );
    case "temperature_high":
      return against(numberParameterOf(rule, "above_c"));
    case "temperature_low":
      return against(numberParameterOf(rule, "below_c"));
    case "tyre_pressure_low":
      return against(lowPressureOf(numberParameterOf(rule, "nominal_kpa")));
    case "tyre_temperature_high":
      return against(numberParameterOf(rule, "above_c") ?? defaultParameters[alertType].above_c);
    case "gps_lost":
      return against(numberParameterOf(rule, "after_s") ?? defaultParameters[alertType].after_s);
    case "device_offline":
      return against(numberParameterOf(rule, "after_s") ?? defaultParameters[alertType].after_s);
    case "geofence_enter":
    case "geofence_exit":
      return null;
    case "sos":
    case "crash":
    case "power_cut":
    case "tampering":
    case "jamming":
    case "harsh_acceleration":
    case "harsh_braking":
    case "harsh_cornering":
    case "towing":
    case "fuel_drain":
    case "fuel_refill":
      return { threshold: null, severity, fenceId: null };
  }
}

/** Where a tyre rule names axles, the rule for each of them; other axles have no such alerts. */
export function tyreRulesByAxle(rule: AlertRule): ReadonlyMap<number, RuleInForce> {
  const nominal = parameterOf(rule, "nominal_kpa");
  const byAxle = new Map<number, RuleInForce>();
  if (!rule.enabled || typeof nominal !== "object" || nominal === null) return byAxle;
  for (const [axle, kpa] of Object.entries(nominal)) {
    const threshold = typeof kpa === "number" ? lowPressureOf(kpa) : null;
    byAxle.set(Number(axle), { threshold, severity: rule.severity, fenceId: null });
  }
  return byAxle;
}

function lowPressureOf(nominalKpa: number | null): number | null {
  return nominalKpa === null ? null : (nominalKpa * lowTyrePercent) / 100;
}
