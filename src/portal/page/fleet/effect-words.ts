import type { Effect, EffectWarning } from "../../both-sides/contract/envelopes.ts";
import type { Show } from "../../both-sides/reading/show.ts";
import type { AdministrationTexts, Texts } from "../../both-sides/texts/texts.ts";

type WarningWords = Pick<Texts & AdministrationTexts, "fleet" | "alerts"> & { readonly show: Pick<Show, "number"> };

type Words = Pick<Texts & AdministrationTexts, "fleet" | "common" | "reports"> & { readonly show: Show };

/** What a change concerns, as a sentence: "Ends 2 assignments; 3 vehicles derived again, with 12 trips since 10:00." */
export function effectSentence(effect: Effect, { fleet: words, common, reports, show }: Words): string {
  const counted = (count: number, word: (count: number, shown: string) => string) =>
    count === 0 ? [] : [word(count, show.number(count))];
  const { derived_again: again } = effect;
  const parts = [
    ...counted(effect.assignments_begun, words.begins),
    ...counted(effect.assignments_ended, words.ends),
    ...counted(effect.sub_accounts, words.subAccounts),
  ];
  if (again.vehicles > 0) {
    const vehicles = common.vehicles(again.vehicles, show.number(again.vehicles));
    const facts = [
      ...counted(again.trips, reports.trips),
      ...counted(again.crossings, reports.crossings),
      ...counted(again.alerts, reports.alerts),
    ];
    const since = again.from === null ? words.sinceBeginning : words.since(show.time(Date.parse(again.from), "minute"));
    const listed = [facts.slice(0, -1).join(", "), ...facts.slice(-1)].filter(Boolean).join(` ${words.and} `);
    parts.push(listed === "" ? words.vehiclesDerivedAgain(vehicles) : words.derivedAgain(vehicles, listed) + since);
  }
  return asSentence(parts, words);
}

export function asSentence(parts: readonly string[], { noEffect }: AdministrationTexts["fleet"]): string {
  const text = parts.join("; ");
  return text === "" ? noEffect : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const tagPrefix = "tag:";

/** What is allowed but probably a mistake, as a sentence. */
export function warningSentence(warning: EffectWarning, { fleet: words, alerts, show }: WarningWords): string {
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
