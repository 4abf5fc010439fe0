import { type AlertType, alertKind, alertTypes, type Severity, severities } from "../alert-types.ts";
import type { AlertRule } from "../fleet.ts";
import { parseInstant } from "../time/time.ts";
import { listedRules } from "./listed-rules.ts";
import { parameterOf } from "./parameters.ts";
import { readRule, tyreRulesByAxle } from "./read-rule.ts";
import { timesOf } from "./rule-times.ts";
import type { SetRule } from "./set-rules.ts";

/** What the rules in force for a vehicle can raise: of each type, with which severities. A type that is off is not in it. */
export type Raised = ReadonlyMap<AlertType, readonly Severity[]>;

export interface RuleSurroundings {
  /** Whether the vehicle is in a fence's list: elsewhere a rule for the fence says nothing. */
  readonly hasFence: (fenceId: string) => boolean;
  /** The beginning of the day in the account's zone: dates before it do not come again. */
  readonly today: string;
}

/** Of what can be raised from now on; by the settings of now, whatever they were before. */
export function raisedBy(settings: readonly SetRule[], { hasFence, today }: RuleSurroundings): Raised {
  const rules = listedRules(settings)
    .filter((rule) => comesAgain(rule, today))
    // A rule for fences that the vehicle is not in is none of its rules.
    .flatMap((rule) => {
      const geofenceIds = rule.geofenceIds.filter(hasFence);
      return rule.geofenceIds.length > 0 && geofenceIds.length === 0 ? [] : [{ ...rule, geofenceIds }];
    });
  const byType = Map.groupBy(rules, ({ alertType }) => alertType);
  return new Map(
    alertTypes.flatMap((type) => {
      const ofType = byType.get(type) ?? [];
      const found = new Set(ofType.filter((rule) => !isReplaced(rule, ofType)).flatMap(severitiesOf));
      return found.size === 0 ? [] : [[type, severities.filter((severity) => found.has(severity))] as const];
    }),
  );
}

/** With which severities a rule raises alerts by itself; none: it raises none. */
export function severitiesOf(rule: AlertRule): readonly Severity[] {
  const { severity: usual, isCritical, source } = alertKind(rule.alertType);
  if (!rule.enabled) return [];
  if (source === "crossing") return rule.geofenceIds.length === 0 ? [] : [rule.severity ?? usual];
  const read = readRule(rule) ?? tyreRulesByAxle(rule).values().next().value ?? null;
  if (read === null) return [];
  if (rule.severity !== null) return [rule.severity];
  if (isCritical === null || read.threshold === null) return [usual];
  // A limit may be so far out that whatever is beyond it is critical.
  return isCritical(read.threshold - justBeyond, read.threshold) ? ["critical"] : [usual, "critical"];
}

/** Less than any reading differs. Where more is worse, nothing is critical at the limit itself. */
const justBeyond = 1e-6;

/** Whether there is a time left at which it holds. */
function comesAgain(rule: AlertRule, today: string): boolean {
  const times = timesOf(rule);
  if (times === null || times.within.some(({ days }) => days.length > 0)) return true;
  return times.dates_off.some((date) => (parseInstant(date) ?? 0) >= (parseInstant(today) ?? 0));
}

/** Whether another rule of the type always counts instead, wherever and whenever this one would. */
function isReplaced(rule: AlertRule, ofType: readonly AlertRule[]): boolean {
  const place = ofType.indexOf(rule);
  return ofType.some((other, index) => {
    if (other === rule || !coversTimes(other, rule) || !coversPlaces(other, rule)) return false;
    if (parameterOf(other, "sensor") !== parameterOf(rule, "sensor")) return false;
    return isLimitOfFence(rule) ? isLowerLimit(other, rule, index < place) : index > place;
  });
}

function coversTimes(other: AlertRule, rule: AlertRule): boolean {
  const times = timesOf(other);
  return times === null || JSON.stringify(times) === JSON.stringify(timesOf(rule));
}

function coversPlaces({ geofenceIds }: AlertRule, rule: AlertRule): boolean {
  if (rule.geofenceIds.length === 0) return geofenceIds.length === 0;
  return rule.geofenceIds.every((id) => geofenceIds.includes(id));
}

/** Of several speed limits of fences the lowest counts, not the last. */
function isLimitOfFence({ alertType, geofenceIds }: AlertRule): boolean {
  return alertType === "speeding" && geofenceIds.length > 0;
}

function isLowerLimit(other: AlertRule, rule: AlertRule, isBefore: boolean): boolean {
  const [lower, limit] = [readRule(other)?.threshold ?? null, readRule(rule)?.threshold ?? null];
  if (lower === null || limit === null) return false;
  return isBefore ? lower <= limit : lower < limit;
}
