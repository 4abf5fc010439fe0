import type { AlertRule } from "../../../domain/fleet.ts";
import { to } from "../../both-sides/address.ts";
import type { RuleLine, RulesRecord, ScopeRules, SharedRulesList } from "../../both-sides/contract/rules.ts";
import { dayAt, dayWindow, isDay } from "../../both-sides/periods/days.ts";
import type { AdministrationTexts } from "../../both-sides/texts/texts.ts";
import { getJson } from "../api/request.ts";

export interface RulesOfPage {
  readonly scope: ScopeRules;
  readonly shared: SharedRulesList;
}

export async function loadRules(id: string, signal?: AbortSignal): Promise<RulesOfPage> {
  const [shared, scope] = await Promise.all([
    getJson("GET /fleet/rules", signal),
    getJson(to("GET /fleet/rules/{id}", { id }), signal),
  ]);
  return { scope: scope.data, shared };
}

/** As the rules of the domain have it. */
export function readLine(line: RuleLine): AlertRule {
  return {
    alertType: line.alert_type,
    enabled: line.enabled ?? true,
    severity: line.severity ?? null,
    parameters: line.parameters ?? {},
    geofenceIds: line.geofence_ids ?? [],
  };
}

/** From when on a change holds, as the server takes it; undefined: from now on; null: no day, or one that is to come. */
export function validFromOf(day: string | null, zone: string, now: number): string | null | undefined {
  if (day === null) return undefined;
  if (!isDay(day) || day > dayAt(now, zone)) return null;
  return new Date(dayWindow(day, zone).from).toISOString();
}

/** Whether rules that stay as they are would hold from an earlier moment on. Pure. */
export function isEarlierStart({ rules, valid_from }: RulesRecord, type: string, from: string | null | undefined) {
  const isSet = rules.some(({ alert_type }) => alert_type === type);
  return isSet && from != null && valid_from !== null && Date.parse(from) < Date.parse(valid_from);
}

/** Why another start changes nothing: no rule of the type is set here, or it holds for longer already. */
export function whyNoStart(
  { rules, valid_from }: RulesRecord,
  type: string,
  words: AdministrationTexts["rules"],
  showTime: (at: number) => string,
): string {
  if (!rules.some(({ alert_type }) => alert_type === type)) return words.setFirst;
  const since = Date.parse(valid_from ?? "");
  // The first version is from the beginning of time.
  return since > 0 ? words.holdsSince(showTime(since)) : words.holdsAlways;
}
