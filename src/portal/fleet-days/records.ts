import { instantOrNull, milli, placeOrNull } from "../../api/records/values.ts";
import { nextTurn } from "../../api/turns.ts";
import type { Place } from "../../domain/geometry/distance.ts";
import { parseReported } from "../../domain/reported.ts";
import { dateOfDay, formatInstant } from "../../domain/time/time.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import {
  type Moments,
  type StandingPlace,
  standingPlaces,
  type TripMoments,
  tripMoments,
  type WorstAlert,
  worstAlerts,
} from "../../store/facts/fleet-days.ts";
import type { VehicleDaysRecord as VehicleRecord } from "../both-sides/contract/fleet-days.ts";
import { partsOfSize } from "./parts.ts";
import { tenths } from "./totals.ts";
import type { VehicleDays } from "./vehicle-days.ts";

/** How vehicles are listed: their figures, and the moments at which to begin looking at them. */
export async function vehicleRecords(
  reader: Reader,
  visibility: Visibility,
  days: { readonly moments: Moments; readonly devicesPerPart: number },
  vehicles: readonly VehicleDays[],
): Promise<ReadonlyMap<VehicleDays, VehicleRecord>> {
  const trips = new Map<number, TripMoments>();
  const alerts = new Map<string, WorstAlert>();
  const standing = new Map<number, StandingPlace>();
  for (const part of partsOfSize(vehicles, days.devicesPerPart)) {
    await nextTurn();
    const drivers = part.filter(({ driven }) => (driven?.days_driven ?? 0) > 0).map(({ device }) => device.device);
    for (const row of await tripMoments(reader, visibility, drivers, days.moments)) trips.set(row.device, row);
    const alerted = part.filter((vehicle) => vehicle.alerts !== null).map(({ device }) => device.device);
    for (const row of await worstAlerts(reader, visibility, alerted, days.moments)) {
      alerts.set(`${row.alert_type} ${row.device}`, row);
    }
    const unmoved = part.filter(({ activity }) => activity === "still" || activity === "silent");
    const numbers = unmoved.map(({ device }) => device.device);
    for (const row of await standingPlaces(reader, visibility, numbers, days.moments)) standing.set(row.device, row);
  }

  const vehicleRecord = ({ device, tags, activity, driven, alerts: sums }: VehicleDays): VehicleRecord => {
    const trip = trips.get(device.device);
    const worst = alerts.get(`speeding ${device.device}`);
    const refill = alerts.get(`fuel_refill ${device.device}`);
    const drain = alerts.get(`fuel_drain ${device.device}`);
    const firstDay = driven?.first_day_driven ?? null;
    return {
      device_id: device.id,
      imei: device.imei,
      name: device.name,
      plate: device.plate,
      status: device.status,
      tags,
      activity,
      distance_km: (driven?.distance_mm ?? 0) / 1e6,
      carried_km: (driven?.carried_mm ?? 0) / 1e6,
      driving_s: milli(driven?.driving_ms ?? 0),
      idle_s: milli(driven?.idle_ms ?? 0),
      trip_count: driven?.trip_count ?? 0,
      max_speed_kmh: milli(driven?.max_speed_m_per_h ?? null),
      days_driven: driven?.days_driven ?? 0,
      first_day_driven: firstDay === null ? null : dateOfDay(firstDay),
      first_trip_at: instantOrNull(trip?.first_at ?? null),
      longest_trip_at: instantOrNull(trip?.longest_at ?? null),
      most_idle_trip_at: instantOrNull(trip?.most_idle_at ?? null),
      fastest_trip_at: instantOrNull(trip?.fastest_at ?? null),
      speeding_count: sums?.speeding_count ?? 0,
      speeding_s: milli(sums?.speeding_ms ?? 0),
      speeding_worst: worst
        ? {
            occurred_at: formatInstant(worst.occurred_at),
            value: worst.value,
            threshold: worst.threshold,
            place: placeOrNull(worst.latitude_e7, worst.longitude_e7),
          }
        : null,
      fuel_taken_count: sums?.refill_count ?? 0,
      fuel_taken_l: tenths(litres(sums?.refill_count, sums?.refill_l)),
      fuel_taken_at: instantOrNull(refill?.occurred_at ?? null),
      fuel_lost_count: sums?.drain_count ?? 0,
      fuel_lost_l: tenths(litres(sums?.drain_count, sums?.drain_l)),
      fuel_lost_at: instantOrNull(drain?.occurred_at ?? null),
      last_seen_at: instantOrNull(device.last_seen_at),
      place: placeOf(activity, standing.get(device.device)),
    };
  };
  return new Map(vehicles.map((vehicle) => [vehicle, vehicleRecord(vehicle)]));
}

/** Of one that stood: until it left again. Of one that nobody heard of: as far as anybody knows by now. */
function placeOf(activity: VehicleDays["activity"], known: StandingPlace | undefined): Place | null {
  if (known === undefined) return null;
  const next = activity === "still" ? placeOrNull(known.latitude_e7, known.longitude_e7) : null;
  if (next !== null || known.latest_json === null) return next;
  const { latitude, longitude } = parseReported(known.latest_json);
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

/** Null if something came or went, but the tank's capacity is not known. */
function litres(count = 0, sum: number | null = null): number | null {
  return count === 0 ? 0 : sum;
}
