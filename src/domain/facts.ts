import type { AlertType, Severity } from "./alert-types.ts";

/** What is derived from a device's frames. The public id is made of `factKey`, so deriving again yields the same id. */
export type Fact = TripFact | StopFact | CrossingFact | AlertFact | MileageFact;

export type TripEnd = "ignition_off" | "stationary" | "gap" | "discontinuity";

/** Who drove on a trip, and when. */
export interface TripDriver {
  readonly driverId: string;
  readonly from: number;
  readonly until: number;
}

export interface TripFact {
  readonly kind: "trip";
  /**
   * The first frame that showed it away from where it stood. Newer rules and late frames move starts and ends by a minute or
   * two, but hardly this: ids of trips and stops are made of it.
   */
  readonly foundAt: number;
  readonly startedAt: number;
  /** Null while the trip is in progress, like the two below. */
  readonly endedAt: number | null;
  readonly endReason: TripEnd | null;
  readonly end: { readonly latitude: number; readonly longitude: number } | null;
  readonly start: { readonly latitude: number; readonly longitude: number };
  readonly distanceMm: number;
  /** Instead of the distance, if the vehicle was not driven but carried. */
  readonly carriedMm: number;
  readonly durationMs: number;
  readonly idleMs: number;
  readonly maxSpeedKmh: number | null;
  readonly startOdometerKm: number | null;
  readonly endOdometerKm: number | null;
  readonly positionCount: number;
  readonly hasGap: boolean;
  /** By their tags or cards, first to last; absent if none was sent. */
  readonly drivers?: readonly TripDriver[];
  /** When the frame was received by which it was known to be a trip. */
  readonly receivedAt: number;
  /** When the last of the frames it is made from was received; never before `receivedAt`, here as below. */
  readonly updatedAt: number;
}

/** The stand after a trip, until the next one. */
export interface StopFact {
  readonly kind: "stop";
  /** When the trip before it ended. */
  readonly startedAt: number;
  /** When the next trip started; null until there is one. */
  readonly endedAt: number | null;
  readonly latitude: number;
  readonly longitude: number;
  /** Of an open one, until the newest frame. */
  readonly durationMs: number;
  /** In ascending order. */
  readonly fenceIds: readonly string[];
  /** Null if no frame says so, or some are gone. */
  readonly ignitionOnMs: number | null;
  readonly tripBeforeFoundAt: number;
  /** Null until there is one. */
  readonly tripAfterFoundAt: number | null;
  /** When the last of the frames it is made from was received. */
  readonly updatedAt: number;
}

export interface CrossingFact {
  readonly kind: "crossing";
  readonly fenceId: string;
  readonly eventType: "enter" | "exit";
  readonly occurredAt: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number | null;
  readonly interpolated: boolean;
  readonly timeUncertaintyMs: number;
  /** How long it was inside; only for an exit, and only if the entry was seen. */
  readonly dwellMs: number | null;
  /** When the frame that confirmed it was received. */
  readonly receivedAt: number;
  /** When the last of the frames it is made from was received. */
  readonly updatedAt: number;
}

export interface AlertFact {
  readonly kind: "alert";
  readonly alertType: AlertType;
  /** Distinguishes alerts of one type and moment: a sensor or a fence; else empty. */
  readonly qualifier: string;
  readonly occurredAt: number;
  /** Null while it lasts. A momentary event ends when it begins. */
  readonly endedAt: number | null;
  readonly severity: Severity;
  readonly message: string;
  /** When the frame that raised it was received. */
  readonly receivedAt: number;
  /** When the last of the frames that changed it was received. */
  readonly updatedAt: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly speedKmh: number | null;
  readonly value: number | null;
  readonly threshold: number | null;
  readonly unit: string | null;
  readonly fenceId: string | null;
  /** The trip it happened on, by its `foundAt`. */
  readonly tripFoundAt: number | null;
}

export interface MileageFact {
  readonly kind: "day";
  /** Days since 1970-01-01, in the time zone of the account. */
  readonly day: number;
  readonly distanceMm: number;
  readonly distanceSource: "odometer" | "gps";
  readonly startOdometerKm: number | null;
  readonly endOdometerKm: number | null;
  readonly tripCount: number;
  readonly drivingMs: number;
  readonly idleMs: number;
  readonly maxSpeedKmh: number | null;
  readonly gapDistanceMm: number;
  /** How far it was carried besides. */
  readonly carriedMm: number;
  /** When the last of the frames it is made from was received. */
  readonly updatedAt: number;
}

type KeyedFact = Exclude<Fact, AlertFact> | Pick<AlertFact, "kind" | "alertType" | "occurredAt" | "qualifier">;

/** Identifies a fact within its device. */
export function factKey(fact: KeyedFact): string {
  switch (fact.kind) {
    case "trip":
      return `trip ${fact.foundAt}`;
    case "stop":
      return `stop ${fact.tripBeforeFoundAt}`;
    case "crossing":
      return `crossing ${fact.fenceId} ${fact.eventType} ${fact.occurredAt}`;
    case "alert":
      return `alert ${fact.alertType} ${fact.occurredAt} ${fact.qualifier}`;
    case "day":
      return `day ${fact.day}`;
  }
}
