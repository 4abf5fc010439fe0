import type { AlertRule } from "../fleet.ts";
import { fromTheBeginning, type Version, versionInForce } from "../versions.ts";

/** Whom a rule was set for: one device, the devices with a tag, or all devices of the account. */
export type SetFor = "device" | "tag" | "account";

/** A rule that holds for a device, and where it comes from. */
export interface SetRule extends AlertRule {
  readonly setFor: SetFor;
  /** Null unless it was set for a tag. */
  readonly tag: string | null;
}

/** Versions are in ascending time. */
export type RuleHistory = readonly Version<readonly AlertRule[]>[];
export type TagHistory = readonly Version<readonly string[]>[];

/** The rules of an account that are not set for one device. */
export interface SharedRules {
  readonly byTag: ReadonlyMap<string, RuleHistory>;
  readonly all: RuleHistory;
}

/** Everything that decides which rules hold for one device. */
export interface RuleHistories {
  readonly own: RuleHistory;
  readonly tags: TagHistory;
  readonly shared: SharedRules;
}

export const noSharedRules: SharedRules = { byTag: new Map(), all: [] };

/** One history of a device's rules: its own, its tags' and its account's. A tag's rules hold while it has the tag. */
export function mergedRules({ own, tags, shared }: RuleHistories): Version<readonly SetRule[]>[] {
  const ofTags = [...new Set(tags.flatMap(({ content }) => content))]
    .sort()
    .map((tag) => ({ tag, versions: shared.byTag.get(tag) ?? [] }))
    .filter(({ versions }) => versions.length > 0);
  if (own.length + shared.all.length + ofTags.length === 0) return [];
  // Which tags it has is of no interest where none has rules.
  const histories: readonly (readonly Version<unknown>[])[] = [
    own,
    shared.all,
    ...ofTags.map(({ versions }) => versions),
    ...(ofTags.length > 0 ? [tags] : []),
  ];
  const moments = [...new Set(histories.flatMap((versions) => versions.map(({ validFrom }) => validFrom)))];
  const merged: Version<readonly SetRule[]>[] = [];
  let latest: string | null = null;
  for (const at of moments.sort((one, other) => one - other)) {
    const held = new Set(versionInForce(tags, at)?.content);
    const content = rulesAmong({
      own: versionInForce(own, at)?.content ?? [],
      ofTags: ofTags
        .filter(({ tag }) => held.has(tag))
        .map(({ tag, versions }) => ({ tag, rules: versionInForce(versions, at)?.content ?? [] })),
      all: versionInForce(shared.all, at)?.content ?? [],
    });
    const text = JSON.stringify(content);
    if (text !== latest) merged.push({ validFrom: at, content });
    latest = text;
  }
  return merged;
}

interface RulesAtOnce {
  readonly own: readonly AlertRule[];
  /** In the order of the tags' names. */
  readonly ofTags: readonly { readonly tag: string; readonly rules: readonly AlertRule[] }[];
  readonly all: readonly AlertRule[];
}

/** By alert type: the device's own rules if they name it, else those of its tags, else the account's. */
export function rulesAmong({ own, ofTags, all }: RulesAtOnce): readonly SetRule[] {
  const ownTypes = new Set(own.map(({ alertType }) => alertType));
  const tagTypes = new Set(ofTags.flatMap(({ rules }) => rules.map(({ alertType }) => alertType)));
  const ofTag = (tag: string, rules: readonly AlertRule[]): SetRule[] =>
    rules.filter(({ alertType }) => !ownTypes.has(alertType)).map((rule) => ({ ...rule, setFor: "tag", tag }));
  return [
    ...all
      .filter(({ alertType }) => !ownTypes.has(alertType) && !tagTypes.has(alertType))
      .map((rule): SetRule => ({ ...rule, setFor: "account", tag: null })),
    ...ofTags.flatMap(({ tag, rules }) => ofTag(tag, rules)),
    ...own.map((rule): SetRule => ({ ...rule, setFor: "device", tag: null })),
  ];
}

/** The first moment at which a device is judged by other rules than before; null: there is none. */
export function firstDifference(before: RuleHistory, after: RuleHistory): number | null {
  const differsAt = (at: number) =>
    judgedBy(versionInForce(before, at)?.content ?? []) !== judgedBy(versionInForce(after, at)?.content ?? []);
  // The first version also holds for all time before it.
  if (differsAt(Number.NEGATIVE_INFINITY)) return fromTheBeginning;
  const moments = [...before.slice(1), ...after.slice(1)].map(({ validFrom }) => validFrom);
  return moments.sort((one, other) => one - other).find(differsAt) ?? null;
}

/** The same text for rules that judge alike: the order of types does not matter, nor where a rule comes from. */
function judgedBy(rules: readonly AlertRule[]): string {
  return JSON.stringify(
    rules
      .map(({ alertType, enabled, severity, parameters, geofenceIds }) => [
        alertType,
        enabled,
        severity,
        parameters,
        geofenceIds,
      ])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : one === other ? 0 : 1)),
  );
}

/** Rules go by the names of tags, so their order does not matter. */
export function hasSameTags(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((tag) => other.includes(tag));
}

/** A rule that held only inside removed fences is left out: without its fences it would hold everywhere. */
export function withoutFences<Rule extends AlertRule>(
  rules: readonly Rule[],
  removed: ReadonlySet<string>,
): readonly Rule[] {
  if (removed.size === 0) return rules;
  return rules.flatMap((rule) => {
    const geofenceIds = rule.geofenceIds.filter((id) => !removed.has(id));
    if (geofenceIds.length === rule.geofenceIds.length) return [rule];
    return geofenceIds.length === 0 ? [] : [{ ...rule, geofenceIds }];
  });
}
