/** What really happened, known to the world and not to the trackers. Times are UTC milliseconds. */
export interface Truth {
  readonly vehicles: readonly VehicleTruth[];
}

export interface VehicleTruth {
  readonly imei: string;
  readonly name: string;
  /** Driven on its own wheels, by UTC day (`2026-03-14`). */
  readonly kmByDay: Readonly<Record<string, number>>;
  readonly trips: readonly TrueTrip[];
  readonly crossings: readonly TrueCrossing[];
  readonly fuel: readonly TrueFuelEvent[];
  readonly tyres: readonly TrueTyreEvent[];
  readonly events: readonly { readonly type: string; readonly at: number }[];
  readonly faults: readonly Fault[];
}

/** From the moment the wheels turn until they stand for the stop that ends the trip. */
export interface TrueTrip {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly km: number;
  /** Carried by another vehicle: its kilometres are nobody's. */
  readonly isTowed: boolean;
}

export interface TrueCrossing {
  readonly fenceId: string;
  readonly fenceName: string;
  readonly type: "enter" | "exit";
  readonly at: number;
  /** How far from the edge it came before this crossing or after it, the lesser of both: a mere touch has a few metres. */
  readonly clearMetres: number;
}

export interface TrueFuelEvent {
  readonly type: "refill" | "theft";
  readonly at: number;
  readonly litres: number;
  /** Whether the vehicle has a sensor that shows it. */
  readonly isMeasured: boolean;
}

export interface TrueTyreEvent {
  readonly kind: "slow_puncture";
  readonly axle: number;
  readonly wheel: number;
  /** When it begins to lose air, and when it has lost a fifth of it. */
  readonly at: number;
  readonly lowAt: number;
}

export type FaultKind =
  | "tunnel"
  | "cold_start"
  | "spike"
  | "cached_position"
  | "buffered_burst"
  | "duplicate"
  | "shipped_abroad"
  | "silent";

/** What a tracker got wrong, and which of its frames. */
export interface Fault {
  readonly kind: FaultKind;
  readonly at: number;
  readonly until: number;
  /** The `recorded_at` of each frame concerned. */
  readonly frames: readonly number[];
}
