import { milli } from "../../api/records/values.ts";
import { higher } from "../../domain/mileage/mileage.ts";
import type { DriveSums } from "../../store/facts/fleet-days.ts";
import type { Activity, VehicleDays } from "./vehicle-days.ts";

/** The whole selection in figures. Vehicles that are not in use and did not drive are not counted as vehicles. */
export function totalsOf(vehicles: readonly VehicleDays[]) {
  const count = (activity: Activity) => vehicles.filter((vehicle) => vehicle.activity === activity).length;
  const alerts = vehicles.flatMap((vehicle) => vehicle.alerts ?? []);
  const sum = (of: (sums: (typeof alerts)[number]) => number | null) =>
    alerts.reduce((total, sums) => total + (of(sums) ?? 0), 0);
  const driven = vehicles.flatMap((vehicle) => vehicle.driven ?? []);
  const retired = count("retired");
  return {
    vehicles: vehicles.length - retired,
    drove: count("drove"),
    still: count("still"),
    silent: count("silent"),
    retired,
    ...drivenIn(driven),
    /** The most of one vehicle, by which bars are drawn. */
    most_distance_km: most(driven.map((sums) => sums.distance_mm)) / 1e6,
    most_engine_s: milli(most(driven.map((sums) => sums.driving_ms + sums.idle_ms))),
    max_speed_kmh: milli(driven.reduce<number | null>((max, { max_speed_m_per_h: speed }) => higher(max, speed), null)),
    speeding_vehicles: alerts.filter(({ speeding_count }) => speeding_count > 0).length,
    speeding_count: sum((sums) => sums.speeding_count),
    speeding_s: milli(sum((sums) => sums.speeding_ms)),
    fuel_vehicles: alerts.filter(({ refill_count, drain_count }) => refill_count + drain_count > 0).length,
    fuel_taken_l: tenths(sum((sums) => sums.refill_l)),
    fuel_taken_count: sum((sums) => sums.refill_count),
    fuel_lost_l: tenths(sum((sums) => sums.drain_l)),
    fuel_lost_count: sum((sums) => sums.drain_count),
  };
}

/** What the same vehicles drove in the days before. */
export function totalsBefore(vehicles: readonly VehicleDays[]) {
  return drivenIn(vehicles.flatMap((vehicle) => vehicle.drivenBefore ?? []));
}

function drivenIn(driven: readonly DriveSums[]) {
  const sum = (of: (sums: DriveSums) => number) => driven.reduce((total, sums) => total + of(sums), 0);
  return {
    distance_km: sum((sums) => sums.distance_mm) / 1e6,
    carried_km: sum((sums) => sums.carried_mm) / 1e6,
    driving_s: milli(sum((sums) => sums.driving_ms)),
    idle_s: milli(sum((sums) => sums.idle_ms)),
    trip_count: sum((sums) => sums.trip_count),
  };
}

function most(figures: readonly number[]): number {
  return figures.reduce((max, figure) => Math.max(max, figure), 0);
}

/** Alerts have litres with one decimal; sums of such numbers have noise behind it. */
export function tenths<Litres extends number | null>(litres: Litres): Litres {
  return (litres === null ? null : Math.round(litres * 10) / 10) as Litres;
}
