import type { MileageRow } from "../api/records.ts";
import type { DrivenTotals } from "../yesterday/fleet-days.ts";
import { greatest, sum } from "./totals.ts";

export interface Driven extends DrivenTotals {
  readonly max_speed_kmh: number | null;
}

/** A day of all chosen vehicles together. */
export interface MileageDay extends Driven {
  readonly date: string;
  readonly vehicles: number;
}

/** The days of these rows, in order. A vehicle counts if it drove. Pure. */
export function daysOf(rows: readonly MileageRow[]): MileageDay[] {
  const byDate = Map.groupBy(rows, ({ date }) => date);
  return [...byDate]
    .map(([date, own]) => ({
      date,
      vehicles: new Set(own.filter(({ distance_km }) => distance_km > 0).map(({ device_id }) => device_id)).size,
      distance_km: sum(own.map(({ distance_km }) => distance_km)),
      trip_count: sum(own.map(({ trip_count }) => trip_count)),
      driving_s: sum(own.map(({ driving_s }) => driving_s)),
      idle_s: sum(own.map(({ idle_s }) => idle_s)),
      max_speed_kmh: greatest(own.map(({ max_speed_kmh }) => max_speed_kmh)),
    }))
    .sort((one, other) => (one.date < other.date ? -1 : 1));
}
