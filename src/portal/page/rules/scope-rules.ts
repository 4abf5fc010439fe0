import { type ListedRule, listedRules } from "../../../domain/alerts/listed-rules.ts";
import { rulesAmong, type SetRule } from "../../../domain/alerts/set-rules.ts";
import type { AlertRule } from "../../../domain/fleet.ts";
import type { RulesRecord } from "../../both-sides/contract/rules.ts";
import { type RulesOfPage, readLine } from "./rules-api.ts";

export interface RulesInScope {
  /** What holds now. */
  readonly inForce: readonly ListedRule[];
  /** What would hold if nothing were set here. */
  readonly inherited: readonly ListedRule[];
}

/** What holds for a vehicle; for a tag or all: for vehicles of which nothing else is known. */
export function rulesInScope({ scope, shared }: RulesOfPage): RulesInScope {
  const records = new Map(shared.data.map((record) => [record.id, record]));
  const all = rulesOf(records.get("all"));
  const own = rulesOf(scope);
  const tag = tagOf(scope.id);
  if (scope.id === "all") return listed(rulesAmong({ own: [], ofTags: [], all: own }), []);
  if (tag !== null) {
    const inForce = rulesAmong({ own: [], ofTags: [{ tag, rules: own }], all });
    return listed(inForce, rulesAmong({ own: [], ofTags: [], all }));
  }
  const ofTags = scope.tags.toSorted().map((name) => ({ tag: name, rules: rulesOf(records.get(`tag:${name}`)) }));
  return listed(rulesAmong({ own, ofTags, all }), rulesAmong({ own: [], ofTags, all }));
}

/** The tag that rules are for; null: they are for something else. */
export function tagOf(id: string): string | null {
  return id.startsWith("tag:") ? id.slice("tag:".length) : null;
}

/** Whether a rule was set for what the page is about, and not somewhere above it. */
export function isOwn({ setFor, tag }: ListedRule, id: string): boolean {
  if (id === "all") return setFor === "account";
  return tagOf(id) === null ? setFor === "device" : setFor === "tag" && tag === tagOf(id);
}

function rulesOf(record: RulesRecord | undefined): readonly AlertRule[] {
  return record?.rules.map(readLine) ?? [];
}

function listed(inForce: readonly SetRule[], inherited: readonly SetRule[]): RulesInScope {
  return { inForce: listedRules(inForce), inherited: listedRules(inherited) };
}
