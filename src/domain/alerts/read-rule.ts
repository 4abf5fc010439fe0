import { type AlertType, alertKind, alertTypes, lowPressureOf, type Severity } from "../alert-types.ts";
import type { AlertRule } from "../fleet.ts";
import { defaultParameters, numberParameterOf, parameterOf } from "./parameters.ts";
import { type RuleTimes, timesOf } from "./rule-times.ts";

/** One rule, ready for use. */
export interface RuleInForce {
  /** What a value is compared with, in the alert's unit; null if there is nothing to measure. */
  readonly threshold: number | null;
  /** Set by the settings; null: the type's own severity. */
  readonly severity: Severity | null;
  /** The fence whose speed limit this is. */
  readonly fenceId: string | null;
  /** Null: it always holds. */
  readonly times: RuleTimes | null;
}

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
  const { threshold, source } = alertKind(alertType);
  if (source === "crossing") return null;
  const times = timesOf(rule);
  if (times === null && needsTimes(alertType)) return null;
  if (threshold === null) return { threshold, severity, fenceId: null, times };
  const set = (name: string) => numberParameterOf(rule, name);
  const limit =
    typeof threshold === "string"
      ? (set(threshold) ?? defaultParameters[alertType][threshold] ?? null)
      : threshold(set);
  return limit === null ? null : { threshold: limit, severity, fenceId: null, times };
}

/** Whether a type raises nothing without times. */
export function needsTimes(alertType: AlertType): boolean {
  return Object.hasOwn(alertKind(alertType).parameters, "times");
}

/** Where a tyre rule names axles, the rule for each of them; other axles have no such alerts. */
export function tyreRulesByAxle(rule: AlertRule): ReadonlyMap<number, RuleInForce> {
  const nominal = parameterOf(rule, "nominal_kpa");
  const byAxle = new Map<number, RuleInForce>();
  if (!rule.enabled || typeof nominal !== "object" || nominal === null) return byAxle;
  for (const [axle, kpa] of Object.entries(nominal)) {
    const threshold = typeof kpa === "number" ? lowPressureOf(kpa) : null;
    byAxle.set(Number(axle), { threshold, severity: rule.severity, fenceId: null, times: timesOf(rule) });
  }
  return byAxle;
}
