import type { AlertType, Severity } from "../../../domain/alert-types.ts";
import type { AlertRule, Json } from "../../../domain/fleet.ts";
import type { Managed } from "../../records/portal-records.ts";
import { getJson } from "../api/request.ts";
import { dayAt, dayWindow, isDay } from "../common/periods/days.ts";
import type { AdministrationTexts } from "../texts/texts.ts";

/** A rule as a line of the fleet file has it. */
export interface RuleLine {
  readonly alert_type: AlertType;
  readonly enabled?: boolean;
  readonly severity?: Severity;
  readonly parameters?: Readonly<Record<string, Json>>;
  readonly geofence_ids?: readonly string[];
}

/** The rules of all vehicles (`all`), of a tag (`tag:NAME`) or of one vehicle (its id). Revision 0: none were ever set. */
export interface RulesRecord extends Omit<Managed, "managed_by"> {
  readonly id: string;
  readonly rules: readonly RuleLine[];
  /** Since when these have been in force; null: none were ever set. */
  readonly valid_from: string | null;
  readonly managed_by: Managed["managed_by"] | null;
}

export interface ScopeRules extends RulesRecord {
  /** Those of the vehicle, if it is one. */
  readonly tags: readonly string[];
}

export interface SharedRules {
  readonly data: readonly RulesRecord[];
  readonly vehicles: number;
  readonly tags: readonly { readonly tag: string; readonly vehicles: number }[];
  /** The vehicles that have rules of their own, and for which types of alert. */
  readonly own: readonly { readonly device_id: string; readonly alert_types: readonly AlertType[] }[];
}

export interface RulesOfPage {
  readonly scope: ScopeRules;
  readonly shared: SharedRules;
}

export function pathOfRules(id: string): string {
  return `/fleet/rules/${encodeURIComponent(id)}`;
}

export async function loadRules(id: string, signal?: AbortSignal): Promise<RulesOfPage> {
  const [shared, scope] = await Promise.all([
    getJson<SharedRules>("/fleet/rules", signal),
    getJson<{ readonly data: ScopeRules }>(pathOfRules(id), signal),
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
