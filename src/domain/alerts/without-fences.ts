import type { AlertRule } from "../fleet.ts";

/**
 * Rules without the fences that were removed. A rule that held inside of these only holds nowhere any more; without its fences
 * it would hold everywhere. But its settings still name its type, so those of tags and of the account do not apply. So if it
 * was the only one of its type, a rule that says nothing but the default takes its place.
 */
export function withoutFences<Rule extends AlertRule>(
  rules: readonly Rule[],
  removed: ReadonlySet<string>,
): readonly Rule[] {
  if (removed.size === 0) return rules;
  const named = new Set(rules.filter((rule) => !holdsNowhere(rule, removed)).map(({ alertType }) => alertType));
  return rules.flatMap((rule) => {
    if (!holdsNowhere(rule, removed)) {
      return [{ ...rule, geofenceIds: rule.geofenceIds.filter((id) => !removed.has(id)) }];
    }
    if (named.has(rule.alertType)) return [];
    named.add(rule.alertType);
    // Crossings without fences are switched off: there is nothing that they could apply to.
    const enabled = rule.alertType !== "geofence_enter" && rule.alertType !== "geofence_exit";
    return [{ ...rule, enabled, severity: null, parameters: {}, geofenceIds: [] }];
  });
}

function holdsNowhere({ geofenceIds }: AlertRule, removed: ReadonlySet<string>): boolean {
  return geofenceIds.length > 0 && geofenceIds.every((id) => removed.has(id));
}
