import type { MileageRow } from "../contract/data.ts";
import type { DrivenTotals } from "../contract/fleet-days.ts";

export interface Driven extends DrivenTotals {
  readonly max_speed_kmh: number | null;
}

/** A day of all chosen vehicles together. */
export interface MileageDay extends Driven {
  readonly date: string;
  readonly vehicles: number;
}

/** The days of these rows, in order. A vehicle counts if it drove. Pure. */
export function mileageDaysOf(rows: readonly MileageRow[]): MileageDay[] {
  const byDate = Map.groupBy(rows, ({ date }) => date);
  return [...byDate]
    .map(([date, own]) => ({
      date,
      vehicles: new Set(own.filter(({ distance_km }) => distance_km > 0).map(({ device_id }) => device_id)).size,
      distance_km: sumOfKnown(own.map(({ distance_km }) => distance_km)),
      carried_km: sumOfKnown(own.map(({ carried_km }) => carried_km)),
      trip_count: sumOfKnown(own.map(({ trip_count }) => trip_count)),
      driving_s: sumOfKnown(own.map(({ driving_s }) => driving_s)),
      idle_s: sumOfKnown(own.map(({ idle_s }) => idle_s)),
      max_speed_kmh: greatest(own.map(({ max_speed_kmh }) => max_speed_kmh)),
    }))
    .sort((one, other) => (one.date < other.date ? -1 : 1));
}

/** What stands below a column: made of its values, of which some may be unknown. Pure. */
export type Total = (values: readonly (number | null)[]) => number | null;

/** Unknown values add nothing. */
export function sumOfKnown(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

/** Null if none is known. */
export function greatest(values: readonly (number | null)[]): number | null {
  return values.reduce((top, value) => (top === null || value === null ? (top ?? value) : Math.max(top, value)), null);
}
