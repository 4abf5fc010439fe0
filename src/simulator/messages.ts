import type { Reported } from "../domain/reported.ts";

/** A frame as `POST /frames` accepts it. Undefined fields are not sent. */
export type CanonicalFrame = {
  readonly imei: string;
  readonly recorded_at: string;
  readonly received_at: string;
  readonly fix: boolean | undefined;
  readonly sensors: readonly CanonicalSensor[] | undefined;
  /** The card in the reader. */
  readonly driver_id: string | undefined;
} & { readonly [Field in keyof Reported]: NonNullable<Reported[Field]> | undefined };

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
