import type { MileageRow } from "../api/records.ts";

/** A day of all chosen vehicles together. */
export interface MileageDay {
  readonly date: string;
  readonly vehicles: number;
  readonly distanceKm: number;
  readonly trips: number;
  readonly drivingS: number;
  readonly idleS: number;
  readonly maxSpeedKmh: number | null;
}

/** The days of these rows, in order. A vehicle counts if it drove. Pure. */
export function daysOf(rows: readonly MileageRow[]): MileageDay[] {
  const byDate = Map.groupBy(rows, ({ date }) => date);
  return [...byDate]
    .map(([date, own]) => ({
      date,
      vehicles: new Set(own.filter(({ distance_km }) => distance_km > 0).map(({ device_id }) => device_id)).size,
      distanceKm: sum(own.map(({ distance_km }) => distance_km)),
      trips: sum(own.map(({ trip_count }) => trip_count)),
      drivingS: sum(own.map(({ driving_s }) => driving_s)),
      idleS: sum(own.map(({ idle_s }) => idle_s)),
      maxSpeedKmh: own.reduce<number | null>((top, { max_speed_kmh }) => greater(top, max_speed_kmh), null),
    }))
    .sort((one, other) => (one.date < other.date ? -1 : 1));
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function greater(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
