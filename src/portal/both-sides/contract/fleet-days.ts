import type { DeviceStatus } from "../../../domain/fleet.ts";
import type { Place } from "../../../domain/geometry/distance.ts";
import type { Call, List } from "./envelopes.ts";

export interface FleetDaysRoutes {
  "GET /fleet-days": Call<FleetDays>;
  /** Who drove how much, of the same days and vehicles. */
  "GET /driver-sums": Call<DriverSums>;
}

export interface DrivenTotals {
  readonly distance_km: number;
  /** On the days of which it is known. */
  readonly carried_km: number;
  readonly driving_s: number;
  readonly idle_s: number;
  readonly trip_count: number;
}

export type DriverSums = List<DriverSumsRecord>;

export interface DriverSumsRecord extends DrivenTotals {
  /** The name, else the id of the tag or card; null: nobody was named. */
  readonly driver: string | null;
  readonly vehicle_count: number;
  readonly max_speed_kmh: number | null;
}

export interface FleetTotals extends DrivenTotals {
  readonly vehicles: number;
  readonly drove: number;
  readonly still: number;
  readonly silent: number;
  /** Not in use, and not counted as vehicles. */
  readonly retired: number;
  /** The most of one vehicle, by which bars are drawn. */
  readonly most_distance_km: number;
  readonly most_engine_s: number;
  readonly max_speed_kmh: number | null;
  readonly speeding_vehicles: number;
  readonly speeding_count: number;
  readonly speeding_s: number;
  readonly fuel_vehicles: number;
  readonly fuel_taken_l: number;
  readonly fuel_taken_count: number;
  readonly fuel_lost_l: number;
  readonly fuel_lost_count: number;
}

/** A vehicle's figures, and the moments at which to begin looking at them. */
export interface VehicleDaysRecord extends DrivenTotals {
  readonly device_id: string;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
  readonly status: DeviceStatus;
  readonly tags: readonly string[];
  readonly activity: "drove" | "still" | "silent" | "retired";
  readonly max_speed_kmh: number | null;
  readonly days_driven: number;
  readonly first_day_driven: string | null;
  readonly first_trip_at: string | null;
  readonly longest_trip_at: string | null;
  readonly most_idle_trip_at: string | null;
  readonly fastest_trip_at: string | null;
  readonly speeding_count: number;
  readonly speeding_s: number;
  readonly speeding_worst: {
    readonly occurred_at: string;
    readonly value: number | null;
    readonly threshold: number | null;
    readonly place: Place | null;
  } | null;
  readonly fuel_taken_count: number;
  /** Null where the tank's capacity is not known. */
  readonly fuel_taken_l: number | null;
  readonly fuel_taken_at: string | null;
  readonly fuel_lost_count: number;
  readonly fuel_lost_l: number | null;
  readonly fuel_lost_at: string | null;
  readonly last_seen_at: string | null;
  /** Where it stood, or was when it was last heard of; null of one that drove, and if nobody knows. */
  readonly place: Place | null;
}

/** The critical alerts of a vehicle that nobody has acknowledged. */
interface OpenOfVehicle {
  readonly device_id: string;
  readonly name: string;
  readonly plate: string | null;
  readonly count: number;
  readonly newest: {
    readonly alert_id: string;
    readonly alert_type: string;
    readonly occurred_at: string;
    readonly place: Place | null;
  };
}

/** Of now, whatever days are asked for. */
export interface OpenCritical extends List<OpenOfVehicle> {
  readonly since: string;
  readonly count: number;
  readonly vehicles: number;
}

/** What a person wants to know first. */
export type Highlight = "speeding" | "silent" | "still" | "fuel";
export type Highlights = Readonly<Record<Highlight, readonly VehicleDaysRecord[]>>;

export interface FleetDays extends List<VehicleDaysRecord> {
  readonly time_zone: string;
  readonly from: string;
  readonly to: string;
  readonly totals: FleetTotals;
  /** As many days before; null: not asked for. */
  readonly before: (DrivenTotals & { readonly from: string; readonly to: string }) | null;
  /** Absent unless `highlights` are asked for. */
  readonly highlights?: Highlights;
  readonly open_critical?: OpenCritical;
  /** How many of the vehicles have a speed limit now, anywhere and at any time: beside highlights, if none was too fast. */
  readonly limited_vehicles?: number;
  readonly next_cursor: string | null;
}
