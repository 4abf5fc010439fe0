export interface TripRow {
  readonly id: string;
  readonly device_id: string;
  readonly imei: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly end_reason: "ignition_off" | "stationary" | "gap" | "discontinuity" | null;
  readonly start_latitude_e7: number;
  readonly start_longitude_e7: number;
  readonly end_latitude_e7: number | null;
  readonly end_longitude_e7: number | null;
  readonly distance_mm: number;
  readonly duration_ms: number;
  readonly idle_ms: number;
  readonly max_speed_m_per_h: number | null;
  readonly start_odometer_m: number | null;
  readonly end_odometer_m: number | null;
  readonly position_count: number;
  readonly has_gap: number | boolean;
  readonly updated_at: number;
}
