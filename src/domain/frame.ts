import type { Reported, Timed } from "./reported.ts";

export const positionSources = ["gps", "cell", "wifi"] as const;
export type PositionSource = (typeof positionSources)[number];

/** What a sensor of the vehicle reports, in the API's names and units. Null: not reported. */
export type SensorReport = FuelReport | TemperatureReport | TyreReport;

/** In the order in which a list of all readings has them. */
export const sensorKinds = ["fuel", "temperature", "tyre"] as const satisfies readonly SensorReport["kind"][];

export interface FuelReport {
  readonly kind: "fuel";
  readonly sensor: string;
  readonly level_percent: number | null;
  readonly volume_l: number | null;
}

export interface TemperatureReport {
  readonly kind: "temperature";
  readonly sensor: string;
  readonly temperature_c: number | null;
  readonly humidity_percent: number | null;
}

/** Axles are counted from the front and wheels from the left, both from 1. */
export interface TyreReport {
  readonly kind: "tyre";
  readonly sensor: string;
  readonly axle: number;
  readonly wheel: number;
  readonly pressure_kpa: number | null;
  readonly temperature_c: number | null;
}

/** A frame's place in the order of its device. */
export interface FramePlace {
  /** When the tracker recorded it. A rolled-over GPS week is repaired by the first time of receipt. */
  readonly recordedAt: number;
  /** 53 bits of a hash of the content. */
  readonly digest: number;
}

/** What a tracker sent at one moment, as stored. Ordered by (recordedAt, digest), never by arrival. */
export interface Frame extends Reported, FramePlace, Timed {
  /** The first time of receipt, if it came more than once. */
  readonly receivedAt: number;
  /** Whether the tracker says it has a position; null: not reported. */
  readonly fix: boolean | null;
  readonly source: PositionSource | null;
  readonly sensors: readonly SensorReport[];
  /**
   * Of the driver's tag or card. Absent if none was sent, never null: what is stored of such frames, and of states that hold
   * them, stays as it was before frames had drivers.
   */
  readonly driver_id?: string | undefined;
}

/** A frame that reports nothing. */
export const nothingReported: Omit<Frame, keyof FramePlace | "receivedAt"> = {
  latitude: null,
  longitude: null,
  altitude_m: null,
  speed_kmh: null,
  heading_deg: null,
  accuracy_m: null,
  satellites: null,
  hdop: null,
  ignition: null,
  odometer_km: null,
  battery_percent: null,
  external_voltage_v: null,
  event: null,
  fix: null,
  source: null,
  sensors: [],
};

/** Negative if the first comes before the other. Two frames of a device are never equal. */
export function compareFrames(one: FramePlace, other: FramePlace): number {
  return one.recordedAt - other.recordedAt || one.digest - other.digest;
}

/** Equal places have equal texts. */
export function placeKey({ recordedAt, digest }: FramePlace): string {
  return `${recordedAt} ${digest}`;
}
