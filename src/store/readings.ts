export type SensorKind = "fuel" | "temperature" | "tyre";

export interface ReadingRow {
  readonly device: number;
  readonly device_id: string;
  readonly imei: string;
  readonly kind: SensorKind;
  readonly sensor: string;
  readonly recorded_at: number;
  readonly received_at: number;
  readonly digest: number;
  readonly latitude_e7: number | null;
  readonly longitude_e7: number | null;
  readonly level_milli_percent: number | null;
  readonly volume_ml: number | null;
  readonly temperature_mc: number | null;
  readonly humidity_milli_percent: number | null;
  readonly axle: number | null;
  readonly wheel: number | null;
  readonly pressure_pa: number | null;
}

/** Readings have no id of their own: what orders two of the same moment is the device, the frame and the sensor. */
export interface ReadingKey {
  readonly at: number;
  readonly device: number;
  readonly digest: number;
  readonly sensor: string;
}
