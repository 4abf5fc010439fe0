/** What history and the live positions both show of a frame. Fractions are scaled integers, as in the table. */
export interface PositionRow {
  /** The device's public id. */
  readonly device_id: string;
  readonly imei: string;
  readonly recorded_at: number;
  readonly received_at: number;
  readonly latitude_e7: number | null;
  readonly longitude_e7: number | null;
  readonly altitude_mm: number | null;
  readonly speed_m_per_h: number | null;
  readonly heading_mdeg: number | null;
  readonly accuracy_mm: number | null;
  readonly satellites: number | null;
  readonly hdop_milli: number | null;
  readonly ignition: number | boolean | null;
  readonly odometer_m: number | null;
  readonly battery_milli_percent: number | null;
  readonly external_voltage_mv: number | null;
  readonly event: string | null;
  readonly discontinuity: number | boolean;
}

export interface FrameRow extends PositionRow {
  readonly digest: number;
  readonly valid: number | boolean;
  readonly reject_reason: string | null;
}

export interface LatestPositionRow extends PositionRow {
  readonly name: string;
  readonly plate: string | null;
  readonly ignition_since: number | null;
  readonly trip_id: string | null;
  readonly geofence_ids_json: string | null;
}
