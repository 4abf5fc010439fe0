import { alertKind } from "../../../domain/alert-types.ts";
import type { ListedRule } from "../../../domain/alerts/listed-rules.ts";
import { needsTimes, readRule, tyreRulesByAxle } from "../../../domain/alerts/read-rule.ts";
import { timesOf } from "../../../domain/alerts/rule-times.ts";
import type { AlertRule } from "../../../domain/fleet.ts";
import type { Show } from "../../both-sides/reading/show.ts";
import type { AdministrationTexts } from "../../both-sides/texts/texts.ts";
import { isOwn, tagOf } from "./scope-rules.ts";
import { timesWords } from "./times-words.ts";

type Words = AdministrationTexts["rules"];

/** What a rule says, in a few words: "Above 90 km/h, in Depot". */
export function ruleWords(
  rule: AlertRule,
  { show, words, fenceName }: { show: Show; words: Words; fenceName: (id: string) => string },
): string {
  const fences = rule.geofenceIds.map(fenceName).sort(show.compare).join(", ");
  const times = timesOf(rule);
  const when = times === null ? [] : [timesWords(times, show, words.times)];
  if (alertKind(rule.alertType).source === "crossing") {
    if (!rule.enabled || fences === "") return words.off;
    return [fences, ...when].join(", ");
  }
  const parts = [rule.enabled ? condition(rule, show, words) : words.off];
  const { sensor } = rule.parameters;
  if (typeof sensor === "string") parts.push(words.ofSensor(sensor));
  if (fences !== "") parts.push(words.inFences(fences));
  return [...parts, ...when].join(", ");
}

function condition(rule: AlertRule, show: Show, words: Words): string {
  const { unit, parameters } = alertKind(rule.alertType);
  const { nominal_kpa: nominal } = rule.parameters;
  const pressure = (kpa: unknown) => show.figure(Number(kpa), "kPa");
  if (tyreRulesByAxle(rule).size > 0) {
    const axles = Object.entries(nominal as Readonly<Record<string, number>>);
    return words.ofNominal(axles.map(([axle, kpa]) => words.axle(axle, pressure(kpa))).join(", "));
  }
  const read = readRule(rule);
  if (read === null) return needsTimes(rule.alertType) ? words.times.needed : words.noLimit;
  if (read.threshold === null) return words.on;
  if (typeof nominal === "number") return words.ofNominal(pressure(nominal));
  const limit = show.figure(read.threshold, unit);
  if (unit === "s") return words.after(limit);
  return Object.keys(parameters).some((name) => name.startsWith("below_")) ? words.below(limit) : words.above(limit);
}

/** Where a rule comes from, as seen from the page of some rules. */
export function sourceWords(rule: ListedRule, id: string, words: Words): string {
  if (rule.setFor === null) return words.byDefault;
  if (isOwn(rule, id)) return id === "all" ? words.fromAll : tagOf(id) === null ? words.fromVehicle : words.fromThisTag;
  return rule.setFor === "tag" ? words.fromTag(rule.tag ?? "") : words.fromAll;
}
