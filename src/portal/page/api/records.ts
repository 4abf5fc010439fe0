import type { LineString, Point, Polygon } from "geojson";

/** The records of the API, as far as the pages use them. */
export interface Device {
  readonly device_id: string;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
  readonly status: "active" | "inactive" | "blocked";
  readonly vehicle_make: string | null;
  readonly vehicle_model: string | null;
  readonly odometer_km: number | null;
  readonly last_seen_at: string | null;
}

export interface Position {
  readonly device_id: string;
  readonly imei: string;
  readonly recorded_at: string;
  readonly received_at: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly altitude_m: number | null;
  readonly speed_kmh: number | null;
  readonly heading_deg: number | null;
  readonly satellites: number | null;
  readonly ignition: boolean | null;
  readonly odometer_km: number | null;
  readonly battery_percent: number | null;
  readonly external_voltage_v: number | null;
  readonly event: string | null;
  readonly valid: boolean;
  readonly reject_reason: string | null;
  readonly discontinuity: boolean;
}

export interface LatestPosition extends Position {
  readonly name: string;
  readonly plate: string | null;
  readonly ignition_since: string | null;
  readonly trip_id: string | null;
  readonly geofence_ids: readonly string[];
}

export interface Trip {
  readonly trip_id: string;
  readonly device_id: string;
  readonly status: "in_progress" | "completed";
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly start: { readonly latitude: number; readonly longitude: number } | null;
  readonly end: { readonly latitude: number; readonly longitude: number } | null;
  readonly distance_km: number;
  readonly duration_s: number;
  readonly idle_s: number;
  readonly max_speed_kmh: number | null;
  readonly avg_speed_kmh: number | null;
  readonly end_reason: string | null;
}

export type Severity = "info" | "warning" | "critical";

export interface Alert {
  readonly alert_id: string;
  readonly device_id: string;
  readonly alert_type: string;
  readonly severity: Severity;
  readonly message: string;
  readonly occurred_at: string;
  readonly ended_at: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly acknowledged: boolean;
  readonly acknowledged_at: string | null;
  readonly acknowledged_by: string | null;
}

export interface Geofence {
  readonly geofence_id: string;
  readonly name: string;
  readonly shape: "circle" | "polygon" | "corridor";
  readonly geometry: Point | Polygon | LineString;
  readonly radius_m: number | null;
  readonly width_m: number | null;
  readonly color: string | null;
}
