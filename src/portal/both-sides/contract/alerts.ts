import type { Severity } from "../../../domain/alert-types.ts";
import type { Call, List, One } from "./envelopes.ts";

export interface AlertRoutes {
  "POST /alerts/{alert_id}/acknowledge": Call<One<Acknowledgement>>;
  "POST /alerts/acknowledge": Call<
    List<Acknowledgement> & { readonly acknowledged_now: number },
    { readonly alert_ids: readonly string[] }
  >;
  /** All open ones of a type and a severity that began on a day of the account; of these vehicles, or of all. */
  "POST /alerts/acknowledge-day": Call<{ readonly acknowledged_now: number }, AlertsOfDay>;
  "GET /alerts/{alert_id}/acknowledgement": Call<One<Acknowledgement>>;
  "GET /alerts/counts": Call<AlertCounts>;
  /** The person looks at the alerts: none that is known by now is new to them any more. */
  "POST /alerts/seen": Call<void>;
}

/** Alerts that are one nuisance. */
export interface AlertsOfDay {
  readonly alert_type: string;
  readonly severity: Severity;
  /** Such as 2026-11-15. */
  readonly day: string;
  /** Null: of all. */
  readonly device_ids: readonly string[] | null;
}

export interface Acknowledgement {
  readonly alert_id: string;
  readonly acknowledged_at: string;
  /** Null: the person was erased since. */
  readonly acknowledged_by: string | null;
  readonly acknowledged_by_name: string | null;
}

export interface AlertCounts extends One<Readonly<Partial<Record<Severity, number>>>> {
  /** Beyond it nobody has counted. */
  readonly max: number;
}
