import { type AlertType, alertKind } from "../alert-types.ts";
import type { DeviceContext } from "../device-context.ts";
import type { AlertRule } from "../fleet.ts";
import type { Sighting } from "../sighting.ts";
import { versionInForce } from "../versions.ts";
import { parameterOf } from "./parameters.ts";
import { defaultRules, type RuleInForce, readRule, tyreRulesByAxle } from "./read-rule.ts";
import { holdsAt, type RuleTimes, timesOf } from "./rule-times.ts";

/** The rules that apply to a device at one moment and place. Null: no such alerts. */
export interface RulesInForce {
  readonly byType: Readonly<Record<AlertType, RuleInForce | null>>;
  /** Temperature rules that name a sensor. They take precedence over the rule of the type. */
  readonly bySensor: Readonly<Record<"temperature_high" | "temperature_low", ReadonlyMap<string, RuleInForce | null>>>;
  readonly tyrePressureByAxle: ReadonlyMap<number, RuleInForce>;
  /** By the id of the fence whose crossings are reported. */
  readonly byFence: Readonly<Record<"geofence_enter" | "geofence_exit", ReadonlyMap<string, RuleInForce>>>;
}

interface Resolved {
  /** The rules that do not always hold. */
  readonly timed: readonly (readonly [rule: AlertRule, times: RuleTimes])[];
  /** The rules in force, by which of the timed ones hold. */
  readonly held: Map<string, readonly AlertRule[]>;
  /** What applies outside all fences that a rule names. */
  readonly outside: RulesInForce;
  /** The fences inside which other rules apply. */
  readonly fences: ReadonlySet<string>;
  readonly inside: Map<string, RulesInForce>;
}

const noRules: readonly AlertRule[] = [];

/** More combinations of fences, or of times, than a device alternates between; further ones are resolved each time. */
const maxCombinations = 100;

/** A version's rules are the same array for many frames, so they are resolved once. */
const resolvedRules = new WeakMap<readonly AlertRule[], Resolved>();

/**
 * The rules for a frame: the settings of its time, or the defaults if there never were any. A rule with fences applies
 * inside them and takes precedence there over a rule without (for crossings: it is about these fences). Of several
 * rules that apply, the last one counts; of several speed limits of fences, the lowest. A rule with times applies within
 * them (those that hold at `heldAt`); outside it is followed all the same if no other applies: see within-times.ts.
 */
export function rulesInForce(
  { alertRules, zone }: DeviceContext,
  at: number,
  fencesInside: readonly string[],
  heldAt = at,
): RulesInForce {
  let rules = versionInForce(alertRules, at)?.content ?? noRules;
  let resolved = resolvedOf(rules);
  if (resolved.timed.length > 0) {
    rules = rulesHeld(rules, resolved, (times) => holdsAt(times, zone, heldAt));
    resolved = resolvedOf(rules);
  }
  if (fencesInside.length === 0 || resolved.fences.size === 0) return resolved.outside;
  return rulesInside(rules, resolved, fencesInside);
}

/** The rules for what happened at a moment before a frame, which only this frame shows. */
export function rulesHeldAt(
  input: { readonly context: DeviceContext; readonly sighting: Sighting; readonly inside: readonly string[] },
  at: number,
): RulesInForce {
  return rulesInForce(input.context, input.sighting.frame.recordedAt, input.inside, at);
}

function resolvedOf(rules: readonly AlertRule[]): Resolved {
  const known = resolvedRules.get(rules);
  if (known !== undefined) return known;
  const timed = rules.flatMap((rule) => {
    const times = timesOf(rule);
    return times === null ? [] : [[rule, times] as const];
  });
  const found = { timed, held: new Map(), outside: resolve(rules, []), fences: fencesOf(rules), inside: new Map() };
  resolvedRules.set(rules, found);
  return found;
}

/** Those that hold, and those that are followed until they do. */
function rulesHeld(
  rules: readonly AlertRule[],
  { timed, held }: Resolved,
  holds: (times: RuleTimes) => boolean,
): readonly AlertRule[] {
  const waiting = new Set(timed.flatMap(([rule, times]) => (holds(times) ? [] : [rule])));
  if (waiting.size === 0) return rules;
  const key = timed.map(([rule]) => (waiting.has(rule) ? "0" : "1")).join("");
  const known = held.get(key);
  if (known !== undefined) return known;
  const inForce = rules.filter((rule) => !waiting.has(rule));
  const left = rules.filter((rule) => !waiting.has(rule) || isFollowed(rule, inForce));
  // Whatever a rule for everything was set to, no default comes back.
  const instead = [...waiting].filter((rule) => rule.geofenceIds.length === 0 && parameterOf(rule, "sensor") === null);
  const found = [...instead.map((rule) => ({ ...rule, enabled: false })), ...left];
  if (held.size >= maxCombinations) held.clear();
  held.set(key, found);
  return found;
}

/** Whether nothing takes the place of a rule that does not hold. What has no duration is not followed. */
function isFollowed(rule: AlertRule, inForce: readonly AlertRule[]): boolean {
  const { source } = alertKind(rule.alertType);
  if (!rule.enabled || source === "crossing" || source === "fuel") return false;
  const sensor = parameterOf(rule, "sensor");
  const replaces = (other: AlertRule) =>
    other.alertType === rule.alertType &&
    [sensor, null].includes(parameterOf(other, "sensor")) &&
    (rule.geofenceIds.length > 0 || other.geofenceIds.length === 0);
  return !inForce.some(replaces);
}

function rulesInside(rules: readonly AlertRule[], { outside, fences, inside }: Resolved, ids: readonly string[]) {
  const relevant = ids.filter((id) => fences.has(id)).sort();
  if (relevant.length === 0) return outside;
  const key = relevant.join(" ");
  const known = inside.get(key);
  if (known !== undefined) return known;
  if (inside.size >= maxCombinations) inside.clear();
  const found = resolve(rules, relevant);
  inside.set(key, found);
  return found;
}

function isAboutCrossings({ alertType }: AlertRule): boolean {
  return alertType === "geofence_enter" || alertType === "geofence_exit";
}

function fencesOf(rules: readonly AlertRule[]): ReadonlySet<string> {
  return new Set(rules.filter((rule) => !isAboutCrossings(rule)).flatMap((rule) => rule.geofenceIds));
}

function resolve(rules: readonly AlertRule[], fencesInside: readonly string[]): RulesInForce {
  const byType: Record<AlertType, RuleInForce | null> = { ...defaultRules };
  const bySensor = { temperature_high: new Map(), temperature_low: new Map() };
  const byFence = { geofence_enter: new Map(), geofence_exit: new Map() };
  let tyrePressureByAxle: ReadonlyMap<number, RuleInForce> = new Map();
  const general = rules.filter((rule) => rule.geofenceIds.length === 0);
  const local = rules.filter((rule) => rule.geofenceIds.some((id) => fencesInside.includes(id)));
  for (const rule of [...general, ...local]) {
    const { alertType } = rule;
    switch (alertType) {
      case "geofence_enter":
      case "geofence_exit":
        break;
      case "temperature_high":
      case "temperature_low": {
        const sensor = parameterOf(rule, "sensor");
        if (typeof sensor === "string") bySensor[alertType].set(sensor, readRule(rule));
        else byType[alertType] = readRule(rule);
        break;
      }
      case "tyre_pressure_low":
        byType[alertType] = readRule(rule);
        tyrePressureByAxle = tyreRulesByAxle(rule);
        break;
      default:
        byType[alertType] = readRule(rule);
    }
  }
  byType.speeding = speedLimit(general, local, fencesInside);
  for (const rule of rules) {
    const { alertType } = rule;
    if (alertType !== "geofence_enter" && alertType !== "geofence_exit") continue;
    for (const id of rule.geofenceIds) {
      if (rule.enabled)
        byFence[alertType].set(id, { threshold: null, severity: rule.severity, fenceId: id, times: null });
      else byFence[alertType].delete(id);
    }
  }
  return { byType, bySensor, tyrePressureByAxle, byFence };
}

/** The lowest limit of the fences. Without one, the device's, unless a rule for one of the fences is switched off. */
function speedLimit(
  general: readonly AlertRule[],
  local: readonly AlertRule[],
  fencesInside: readonly string[],
): RuleInForce | null {
  let lowest: RuleInForce | null = null;
  let isOff = false;
  for (const rule of local) {
    if (rule.alertType !== "speeding") continue;
    if (!rule.enabled) isOff = true;
    const read = readRule(rule);
    if (read === null || (lowest !== null && (read.threshold ?? 0) >= (lowest.threshold ?? 0))) continue;
    lowest = { ...read, fenceId: fencesInside.find((id) => rule.geofenceIds.includes(id)) ?? null };
  }
  if (lowest !== null || isOff) return lowest;
  const own = general.findLast((rule) => rule.alertType === "speeding");
  return own === undefined ? null : readRule(own);
}
