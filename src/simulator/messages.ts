/** A frame as `POST /frames` accepts it. Undefined fields are not sent. */
export interface CanonicalFrame {
  readonly imei: string;
  readonly recorded_at: string;
  readonly received_at: string;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  readonly fix: boolean | undefined;
  readonly altitude_m: number | undefined;
  readonly speed_kmh: number | undefined;
  readonly heading_deg: number | undefined;
  readonly accuracy_m: number | undefined;
  readonly satellites: number | undefined;
  readonly hdop: number | undefined;
  readonly ignition: boolean | undefined;
  readonly odometer_km: number | undefined;
  readonly battery_percent: number | undefined;
  readonly external_voltage_v: number | undefined;
  readonly event: string | undefined;
  readonly sensors: readonly CanonicalSensor[] | undefined;
}

export type CanonicalSensor =
  | { readonly kind: "fuel"; readonly sensor: string; readonly level_percent: number }
  | { readonly kind: "temperature"; readonly sensor: string; readonly temperature_c: number }
  | {
      readonly kind: "tyre";
      readonly axle: number;
      readonly wheel: number;
      readonly pressure_kpa: number;
      readonly temperature_c: number;
    };

/** What one vehicle sends at once: usually one frame, after a time without a network many. */
export interface SimulatedMessage {
  readonly arrivesAt: number;
  readonly frames: readonly CanonicalFrame[];
}
