import type { AlertType } from "../domain/alert-types.ts";

/** What a change concerns, as a person sees it before it is saved. */
export interface Effect {
  /** How many sub-accounts begin to see a device, or cease to; each counted with each of its devices. */
  readonly assignments_begun: number;
  readonly assignments_ended: number;
  /** How many sub-accounts see something else. */
  readonly sub_accounts: number;
  /** The facts that are derived again, as they are now. */
  readonly derived_again: {
    readonly trips: number;
    readonly crossings: number;
    readonly alerts: number;
    readonly vehicles: number;
    /** Null: from the beginning. */
    readonly from: string | null;
  };
  /** What is allowed but probably a mistake. */
  readonly warnings: readonly EffectWarning[];
}

/** A rule that is stored but cannot apply. The page says it in the language of the person, with names where there are any. */
export type EffectWarning =
  | {
      readonly kind: "no_fence" | "fences_not_assigned";
      /** The device's id, `tag:NAME` or `all`. */
      readonly rules_of: string;
      /** Of a device. */
      readonly vehicle_name: string | null;
      readonly alert_type: AlertType;
      /** The first of its fences. */
      readonly fence_names: readonly string[];
      readonly more_fences: number;
    }
  | { readonly kind: "tag_not_used"; readonly tag: string }
  | { readonly kind: "more"; readonly count: number };
