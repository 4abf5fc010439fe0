export interface MileageRow {
  readonly device_id: string;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
  /** UTC day, counted from 1970-01-01. */
  readonly day: number;
  readonly distance_mm: number;
  readonly distance_source: "odometer" | "gps";
  readonly start_odometer_m: number | null;
  readonly end_odometer_m: number | null;
  readonly trip_count: number;
  readonly driving_ms: number;
  readonly idle_ms: number;
  readonly max_speed_m_per_h: number | null;
  readonly gap_distance_mm: number;
  readonly updated_at: number;
}
