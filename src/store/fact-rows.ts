import {
  type AlertFact,
  type CrossingFact,
  type Fact,
  factKey,
  type MileageFact,
  type TripFact,
} from "../domain/facts.ts";
import type { BulkTable, BulkUpdate, ColumnType, Row } from "./database.ts";
import type { DeviceKey } from "./frames.ts";
import { scaled } from "./scaled.ts";

/** Facts as rows: columns, units, ids. */

/** A device with its public id, from which those of its facts are made. */
export interface FactOwner extends DeviceKey {
  readonly deviceId: string;
}

/** A fact and the time of the frame that completed it; null as long as none has. */
export interface DatedFact {
  readonly fact: Fact;
  readonly finalAt: number | null;
}

export interface FactTable {
  readonly name: string;
  /** What tells its rows apart, beside account and device. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, ColumnType>>;
}

/** Later than any frame. */
const notFinal = Number.MAX_SAFE_INTEGER;
/** No frame with a believable time is as early: what has 0 is not derived from frames. */
export const earliestFinal = 1;

const ofDevice = { account_id: "bigint", device: "bigint" } as const;

export const factTables: Readonly<Record<Fact["kind"], FactTable>> = {
  trip: {
    name: "trips",
    key: ["started_at", "id"],
    columns: {
      ...ofDevice,
      started_at: "bigint",
      id: "uuid",
      ended_at: "bigint",
      end_reason: "text",
      start_latitude_e7: "integer",
      start_longitude_e7: "integer",
      end_latitude_e7: "integer",
      end_longitude_e7: "integer",
      distance_mm: "bigint",
      duration_ms: "bigint",
      idle_ms: "bigint",
      max_speed_m_per_h: "integer",
      start_odometer_m: "bigint",
      end_odometer_m: "bigint",
      position_count: "integer",
      has_gap: "boolean",
      updated_at: "bigint",
      final_at: "bigint",
    },
  },
  crossing: {
    name: "geofence_events",
    key: ["occurred_at", "id"],
    columns: {
      ...ofDevice,
      occurred_at: "bigint",
      id: "uuid",
      geofence_id: "uuid",
      event_type: "text",
      latitude_e7: "integer",
      longitude_e7: "integer",
      speed_m_per_h: "integer",
      interpolated: "boolean",
      time_uncertainty_ms: "bigint",
      dwell_ms: "bigint",
      final_at: "bigint",
    },
  },
  alert: {
    name: "alerts",
    key: ["occurred_at", "id"],
    columns: {
      ...ofDevice,
      occurred_at: "bigint",
      id: "uuid",
      alert_type: "text",
      severity: "text",
      message: "text",
      ended_at: "bigint",
      received_at: "bigint",
      latitude_e7: "integer",
      longitude_e7: "integer",
      speed_m_per_h: "integer",
      value: "double precision",
      threshold: "double precision",
      unit: "text",
      geofence_id: "uuid",
      trip_id: "uuid",
      withdrawn: "boolean",
      final_at: "bigint",
    },
  },
  day: {
    name: "mileage_days",
    key: ["day"],
    columns: {
      ...ofDevice,
      day: "integer",
      distance_mm: "bigint",
      distance_source: "text",
      start_odometer_m: "bigint",
      end_odometer_m: "bigint",
      trip_count: "integer",
      driving_ms: "bigint",
      idle_ms: "bigint",
      max_speed_m_per_h: "integer",
      gap_distance_mm: "bigint",
      updated_at: "bigint",
      final_at: "bigint",
    },
  },
};

/** Written again, a row takes the new values. */
export function bulkTable({ name, key, columns }: FactTable): BulkTable {
  const keyColumns = ["account_id", "device", ...key];
  const replaced = Object.keys(columns)
    .filter((column) => !keyColumns.includes(column))
    .map((column) => `${column} = excluded.${column}`);
  return { name, columns, onConflict: `on conflict (${keyColumns.join(", ")}) do update set ${replaced.join(", ")}` };
}

const tripKey = { ...ofDevice, started_at: "bigint", id: "uuid" } as const;
const dayKey = { ...ofDevice, day: "integer" } as const;

/** What changes from frame to frame while a fact is not complete. None of it is in an index. */
export const progressUpdates: Readonly<Record<"trip" | "day", BulkUpdate>> = {
  trip: {
    name: "trips",
    key: tripKey,
    changed: without(factTables.trip.columns, [...Object.keys(tripKey), "ended_at", "final_at"]),
  },
  day: {
    name: "mileage_days",
    key: dayKey,
    changed: without(factTables.day.columns, [...Object.keys(dayKey), "final_at"]),
  },
};

function without(columns: FactTable["columns"], names: readonly string[]): FactTable["columns"] {
  return Object.fromEntries(Object.entries(columns).filter(([column]) => !names.includes(column)));
}

/** Made from the device and what tells the fact from all others, so that deriving it again gives the same id. */
function idOf(owner: FactOwner, key: string): string {
  return Bun.randomUUIDv5(key, owner.deviceId);
}

/** The last trip that was asked for of each device: it is written with every frame until it is over. */
const lastTrips = new WeakMap<FactOwner, { readonly startedAt: number; readonly id: string }>();

/** The id that the trip of a device beginning at this moment has. */
export function tripId(owner: FactOwner, startedAt: number): string {
  const last = lastTrips.get(owner);
  if (last?.startedAt === startedAt) return last.id;
  const id = idOf(owner, `trip ${startedAt}`);
  lastTrips.set(owner, { startedAt, id });
  return id;
}

export function factRow(owner: FactOwner, { fact, finalAt }: DatedFact): Row {
  const final_at = finalAt ?? notFinal;
  switch (fact.kind) {
    case "trip":
      return tripRow(owner, fact, final_at);
    case "crossing":
      return crossingRow(owner, fact, final_at);
    case "alert":
      return alertRow(owner, fact, final_at);
    case "day":
      return dayRow(owner, fact, final_at);
  }
}

function tripRow(owner: FactOwner, trip: TripFact, final_at: number): Row {
  return {
    account_id: owner.accountId,
    device: owner.device,
    started_at: trip.startedAt,
    id: tripId(owner, trip.startedAt),
    ended_at: trip.endedAt,
    end_reason: trip.endReason,
    start_latitude_e7: scaled(trip.start.latitude, 1e7),
    start_longitude_e7: scaled(trip.start.longitude, 1e7),
    end_latitude_e7: trip.end && scaled(trip.end.latitude, 1e7),
    end_longitude_e7: trip.end && scaled(trip.end.longitude, 1e7),
    distance_mm: trip.distanceMm,
    duration_ms: trip.durationMs,
    idle_ms: trip.idleMs,
    max_speed_m_per_h: scaled(trip.maxSpeedKmh, 1000),
    start_odometer_m: scaled(trip.startOdometerKm, 1000),
    end_odometer_m: scaled(trip.endOdometerKm, 1000),
    position_count: trip.positionCount,
    has_gap: trip.hasGap,
    updated_at: trip.updatedAt,
    final_at,
  };
}

function crossingRow(owner: FactOwner, crossing: CrossingFact, final_at: number): Row {
  return {
    account_id: owner.accountId,
    device: owner.device,
    occurred_at: crossing.occurredAt,
    id: idOf(owner, factKey(crossing)),
    geofence_id: crossing.fenceId,
    event_type: crossing.eventType,
    latitude_e7: scaled(crossing.latitude, 1e7),
    longitude_e7: scaled(crossing.longitude, 1e7),
    speed_m_per_h: scaled(crossing.speedKmh, 1000),
    interpolated: crossing.interpolated,
    time_uncertainty_ms: crossing.timeUncertaintyMs,
    dwell_ms: crossing.dwellMs,
    final_at,
  };
}

function alertRow(owner: FactOwner, alert: AlertFact, final_at: number): Row {
  return {
    account_id: owner.accountId,
    device: owner.device,
    occurred_at: alert.occurredAt,
    id: idOf(owner, factKey(alert)),
    alert_type: alert.alertType,
    severity: alert.severity,
    message: alert.message,
    ended_at: alert.endedAt,
    received_at: alert.receivedAt,
    latitude_e7: scaled(alert.latitude, 1e7),
    longitude_e7: scaled(alert.longitude, 1e7),
    speed_m_per_h: scaled(alert.speedKmh, 1000),
    value: alert.value,
    threshold: alert.threshold,
    unit: alert.unit,
    geofence_id: alert.fenceId,
    trip_id: alert.tripStartedAt === null ? null : tripId(owner, alert.tripStartedAt),
    withdrawn: false,
    final_at,
  };
}

function dayRow(owner: FactOwner, day: MileageFact, final_at: number): Row {
  return {
    account_id: owner.accountId,
    device: owner.device,
    day: day.day,
    distance_mm: day.distanceMm,
    distance_source: day.distanceSource,
    start_odometer_m: scaled(day.startOdometerKm, 1000),
    end_odometer_m: scaled(day.endOdometerKm, 1000),
    trip_count: day.tripCount,
    driving_ms: day.drivingMs,
    idle_ms: day.idleMs,
    max_speed_m_per_h: scaled(day.maxSpeedKmh, 1000),
    gap_distance_mm: day.gapDistanceMm,
    updated_at: day.updatedAt,
    final_at,
  };
}
