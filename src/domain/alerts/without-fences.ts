import type { AlertRule } from "../fleet.ts";

/**
 * Rules without the fences that were removed. A rule that held inside of these only is left out: without its fences it would
 * hold everywhere.
 */
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
