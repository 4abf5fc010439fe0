import type { EffectWarning } from "../api/portal-records.ts";
import type { Show } from "../common/show.ts";
import type { AdministrationTexts, Texts } from "../texts/texts.ts";

const tagPrefix = "tag:";

/** What is allowed but probably a mistake, as a sentence. */
export function warningSentence(
  warning: EffectWarning,
  show: Pick<Show, "number">,
  { alerts }: Pick<Texts, "alerts">,
  { fleet: words }: Pick<AdministrationTexts, "fleet">,
): string {
  if (warning.kind === "more") return words.moreRules(warning.count, show.number(warning.count));
  if (warning.kind === "tag_not_used") return words.tagNotUsed(warning.tag);
  const { kind, rules_of, vehicle_name, alert_type, fence_names, more_fences } = warning;
  const whose =
    vehicle_name !== null
      ? words.ofVehicle(vehicle_name)
      : rules_of.startsWith(tagPrefix)
        ? words.ofTag(rules_of.slice(tagPrefix.length))
        : words.ofAll;
  const rule = words.ruleOf(alerts.types[alert_type], whose);
  if (kind === "no_fence") return words.namesNoFence(rule);
  const some = fence_names.join(", ");
  const fences = more_fences === 0 ? some : words.moreFences(some, show.number(more_fences));
  return vehicle_name === null ? words.noneAssigned(rule, fences) : words.notAssigned(rule, fences);
}
