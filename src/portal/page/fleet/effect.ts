import type { Effect } from "../api/portal-records.ts";
import type { Show } from "../common/show.ts";
import type { AdministrationTexts } from "../texts/texts.ts";

/** What a change concerns, as a sentence: "Ends 2 assignments; 3 vehicles derived again, with 12 trips since 10:00." */
export function effectSentence(
  effect: Effect,
  show: Show,
  { fleet: words }: Pick<AdministrationTexts, "fleet">,
): string {
  const counted = (count: number, word: (count: number, shown: string) => string) =>
    count === 0 ? [] : [word(count, show.number(count))];
  const { derived_again: again } = effect;
  const parts = [
    ...counted(effect.assignments_begun, words.begins),
    ...counted(effect.assignments_ended, words.ends),
    ...counted(effect.sub_accounts, words.subAccounts),
  ];
  if (again.vehicles > 0) {
    const vehicles = words.vehicles(again.vehicles, show.number(again.vehicles));
    const facts = [
      ...counted(again.trips, words.trips),
      ...counted(again.crossings, words.crossings),
      ...counted(again.alerts, words.alerts),
    ];
    const since = again.from === null ? words.sinceBeginning : words.since(show.time(Date.parse(again.from), "minute"));
    const what =
      facts.length === 0
        ? words.vehiclesDerivedAgain(vehicles)
        : words.derivedAgain(vehicles, listed(facts, words.and));
    parts.push(facts.length === 0 ? what : what + since);
  }
  if (parts.length === 0) return words.noEffect;
  const text = parts.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function listed(items: readonly string[], and: string): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} ${and} ${last}`;
}
