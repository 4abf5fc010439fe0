import type { AlertType, Severity } from "../../../domain/alert-types.ts";
import type { Json } from "../../../domain/fleet.ts";
import type { Call, ChangeCall, Edited, EditPreview, List, Managed, One } from "./envelopes.ts";

export interface RuleRoutes {
  "GET /fleet/rules": Call<SharedRulesList>;
  "GET /fleet/rules/{id}": Call<One<ScopeRules>>;
  "PUT /fleet/rules/{id}": ChangeCall<ScopeRules>;
  "POST /fleet/rules/{id}/replace-own": Call<
    Edited<{ readonly changed: number }>,
    /** How many vehicles the person was shown. */
    { readonly alert_type: AlertType; readonly vehicles: number },
    EditPreview<{ readonly changed: number }>
  >;
}

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

export interface SharedRulesList extends List<RulesRecord> {
  readonly vehicles: number;
  readonly tags: readonly { readonly tag: string; readonly vehicles: number }[];
  /** The vehicles that have rules of their own, and for which types of alert. */
  readonly own: readonly { readonly device_id: string; readonly alert_types: readonly AlertType[] }[];
}
