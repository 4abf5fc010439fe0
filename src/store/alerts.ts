import type { Severity } from "../domain/alert-types.ts";

export interface AlertRow {
  readonly id: string;
  readonly device_id: string;
  readonly imei: string;
  readonly alert_type: string;
  readonly severity: Severity;
  readonly message: string;
  readonly occurred_at: number;
  readonly ended_at: number | null;
  readonly received_at: number;
  readonly latitude_e7: number | null;
  readonly longitude_e7: number | null;
  readonly speed_m_per_h: number | null;
  readonly value: number | null;
  readonly threshold: number | null;
  readonly unit: string | null;
  readonly geofence_id: string | null;
  readonly trip_id: string | null;
  /** From the acknowledgement, null where there is none. */
  readonly acknowledged_at: number | null;
  /** The user's id. */
  readonly acknowledged_by: string | null;
}

export interface AlertFilters {
  readonly acknowledged: boolean | null;
  readonly severity: Severity | null;
  readonly alertType: string | null;
}
