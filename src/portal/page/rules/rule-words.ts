import type { ListedRule } from "../../../domain/alerts/listed-rules.ts";
import { defaultParameters, lowVoltsByNominal } from "../../../domain/alerts/parameters.ts";
import { readRule, tyreRulesByAxle } from "../../../domain/alerts/read-rule.ts";
import type { AlertRule, Json } from "../../../domain/fleet.ts";
import type { Show } from "../common/show.ts";
import type { AdministrationTexts } from "../texts/administration-texts.ts";
import { isOwn, tagOf } from "./scope-rules.ts";

type Words = AdministrationTexts["rules"];

/** What a rule says, in a few words: "Above 90 km/h, in Depot". */
export function ruleWords(
  rule: AlertRule,
  { show, words, fenceName }: { show: Show; words: Words; fenceName: (id: string) => string },
): string {
  const fences = rule.geofenceIds.map(fenceName).sort(show.compare).join(", ");
  const isOfCrossing = rule.alertType === "geofence_enter" || rule.alertType === "geofence_exit";
  if (isOfCrossing) {
    if (!rule.enabled || fences === "") return words.off;
    return fences;
  }
  const parts = [rule.enabled ? condition(rule, show, words) : words.off];
  const { sensor } = rule.parameters;
  if (typeof sensor === "string") parts.push(words.ofSensor(sensor));
  if (fences !== "") parts.push(words.inFences(fences));
  return parts.join(", ");
}

function condition(rule: AlertRule, show: Show, words: Words): string {
  if (rule.alertType === "tyre_pressure_low" && tyreRulesByAxle(rule).size > 0) return axleWords(rule, show, words);
  if (readRule(rule) === null) return words.noLimit;
  const given: Readonly<Record<string, Json>> = { ...defaultParameters[rule.alertType], ...rule.parameters };
  const number = (name: string) => (typeof given[name] === "number" ? given[name] : null);
  const [limit, above, below] = [number("limit_kmh"), number("above_c"), number("below_c")];
  const [after, percent, kpa] = [number("after_s"), number("below_percent"), number("nominal_kpa")];
  if (limit !== null) return words.above(show.speed(limit));
  if (above !== null) return words.above(show.temperature(above));
  if (below !== null) return words.below(show.temperature(below));
  if (percent !== null) return words.below(show.percent(percent));
  if (after !== null) return words.after(show.duration(after));
  if (kpa !== null) return words.ofNominal(`${show.number(kpa)} kPa`);
  if (rule.alertType === "low_external_voltage") {
    const own = rule.parameters.below_v;
    const volts = typeof own === "number" ? own : lowVoltsByNominal[given.nominal_v === 24 ? 24 : 12];
    return words.below(`${show.number(volts, 1)} V`);
  }
  return words.on;
}

function axleWords({ parameters }: AlertRule, show: Show, words: Words): string {
  const axles = Object.entries((parameters.nominal_kpa ?? {}) as Readonly<Record<string, number>>);
  return words.ofNominal(axles.map(([axle, kpa]) => words.axle(axle, `${show.number(kpa)} kPa`)).join(", "));
}

/** Where a rule comes from, as seen from the page of some rules. */
export function sourceWords(rule: ListedRule, id: string, words: Words): string {
  if (rule.setFor === null) return words.byDefault;
  if (isOwn(rule, id)) return id === "all" ? words.fromAll : tagOf(id) === null ? words.fromVehicle : words.fromThisTag;
  return rule.setFor === "tag" ? words.fromTag(rule.tag ?? "") : words.fromAll;
}
