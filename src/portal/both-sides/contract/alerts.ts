import type { Severity } from "../../../domain/alert-types.ts";
import type { Call, List, One } from "./envelopes.ts";

export interface AlertRoutes {
  "POST /alerts/{alert_id}/acknowledge": Call<One<Acknowledgement>>;
  "POST /alerts/acknowledge": Call<
    List<Acknowledgement> & { readonly acknowledged_now: number },
    { readonly alert_ids: readonly string[] }
  >;
  "GET /alerts/{alert_id}/acknowledgement": Call<One<Acknowledgement>>;
  "GET /alerts/counts": Call<AlertCounts>;
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
