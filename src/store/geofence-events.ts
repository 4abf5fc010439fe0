export interface GeofenceEventRow {
  readonly id: string;
  readonly device_id: string;
  readonly imei: string;
  readonly geofence_id: string;
  readonly geofence_name: string;
  readonly event_type: "enter" | "exit";
  readonly occurred_at: number;
  readonly latitude_e7: number;
  readonly longitude_e7: number;
  readonly speed_m_per_h: number | null;
  readonly interpolated: number | boolean;
  readonly time_uncertainty_ms: number;
  readonly dwell_ms: number | null;
}
