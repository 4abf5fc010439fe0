import type { FrameRow } from "../../../src/api/records/position.ts";
import { reportedFields } from "../../../src/domain/reported.ts";
import type { AlertRow } from "../../../src/store/facts/alerts.ts";
import type { GeofenceEventRow } from "../../../src/store/facts/geofence-events.ts";
import type { MileageRow } from "../../../src/store/facts/mileage.ts";
import type { TripRow } from "../../../src/store/facts/trips.ts";
import type { LatestPositionRow } from "../../../src/store/frames/positions.ts";
import type { ReadingRow } from "../../../src/store/frames/readings.ts";
import { columnsOf, type PositionRow } from "../../support/frame-rows.ts";
import { degrees, device, flag, instant, instantOrNull, milli } from "./naive-values.ts";

/** The records as plain objects, written as anyone would write them: what the fast presenters are held against. */

const frame = (row: Omit<PositionRow, "discontinuity">) => ({
  ...device(row),
  recorded_at: instant(row.recorded_at),
  received_at: instant(row.received_at),
  ...Object.fromEntries((JSON.parse(row.fields_json) as unknown[]).map((value, at) => [reportedFields[at], value])),
});

const position = ({ frame: found, ...place }: FrameRow) => {
  const { valid, reject_reason, discontinuity, ...columns } = columnsOf(found.stored());
  return { ...frame({ ...place, ...columns }), valid, reject_reason, discontinuity };
};

const latestPosition = (row: LatestPositionRow) => ({
  ...frame(row),
  valid: true,
  reject_reason: null,
  discontinuity: flag(row.discontinuity),
  name: row.name,
  plate: row.plate,
  ignition_since: instantOrNull(row.ignition_since),
  trip_id: row.trip_id,
  geofence_ids: JSON.parse(row.geofence_ids_json ?? "[]"),
});

const place = (latitude: number | null, longitude: number | null) =>
  latitude === null || longitude === null ? null : { latitude: degrees(latitude), longitude: degrees(longitude) };

const trip = (row: TripRow) => ({
  trip_id: row.id,
  ...device(row),
  status: row.ended_at === null ? "in_progress" : "completed",
  started_at: instant(row.started_at),
  ended_at: instantOrNull(row.ended_at),
  start: place(row.start_latitude_e7, row.start_longitude_e7),
  end: place(row.end_latitude_e7, row.end_longitude_e7),
  distance_km: row.distance_mm / 1e6,
  duration_s: row.duration_ms / 1000,
  idle_s: row.idle_ms / 1000,
  max_speed_kmh: milli(row.max_speed_m_per_h),
  avg_speed_kmh: row.duration_ms === 0 ? null : Math.round((row.distance_mm * 36) / row.duration_ms) / 10,
  start_odometer_km: milli(row.start_odometer_m),
  end_odometer_km: milli(row.end_odometer_m),
  position_count: row.position_count,
  has_gap: flag(row.has_gap),
  end_reason: row.end_reason,
  received_at: instantOrNull(row.received_at),
  updated_at: instant(row.updated_at),
});

const alert = (row: AlertRow) => ({
  alert_id: row.id,
  ...device(row),
  alert_type: row.alert_type,
  severity: row.severity,
  message: row.message,
  occurred_at: instant(row.occurred_at),
  ended_at: instantOrNull(row.ended_at),
  received_at: instant(row.received_at),
  latitude: degrees(row.latitude_e7),
  longitude: degrees(row.longitude_e7),
  speed_kmh: milli(row.speed_m_per_h),
  value: row.value,
  threshold: row.threshold,
  unit: row.unit,
  geofence_id: row.geofence_id,
  trip_id: row.trip_id,
  acknowledged: row.acknowledged_at !== null,
  acknowledged_at: instantOrNull(row.acknowledged_at),
  acknowledged_by: row.acknowledged_by,
  updated_at: instantOrNull(lastOf(row.updated_at, row.acknowledged_at)),
});

const readingOf = (row: ReadingRow, milliValue: number | null, unit: string) => ({
  ...device(row),
  kind: row.kind,
  sensor: row.sensor,
  recorded_at: instant(row.recorded_at),
  received_at: instant(row.received_at),
  value: milli(milliValue),
  unit,
  latitude: degrees(row.latitude_e7),
  longitude: degrees(row.longitude_e7),
});

function reading(row: ReadingRow) {
  const temperature_c = milli(row.temperature_mc);
  switch (row.kind) {
    case "fuel": {
      const level_percent = milli(row.level_milli_percent);
      const capacity = row.tank_capacity_l ?? 0;
      const isLevel = level_percent !== null && level_percent >= 0 && level_percent <= 100 && capacity > 0;
      const byLevel = isLevel ? Math.round(((row.level_milli_percent ?? 0) * capacity) / 100) : null;
      const volume_l = milli(row.volume_ml ?? byLevel);
      const common =
        level_percent === null && volume_l !== null
          ? readingOf(row, row.volume_ml, "L")
          : readingOf(row, row.level_milli_percent, "%");
      return { ...common, level_percent, volume_l };
    }
    case "temperature": {
      const humidity_percent = milli(row.humidity_milli_percent);
      return { ...readingOf(row, row.temperature_mc, "°C"), temperature_c, humidity_percent };
    }
    case "tyre": {
      const { axle, wheel } = row;
      const pressure_kpa = milli(row.pressure_pa);
      return { ...readingOf(row, row.pressure_pa, "kPa"), axle, wheel, pressure_kpa, temperature_c };
    }
  }
}

const geofenceEvent = (row: GeofenceEventRow) => ({
  event_id: row.id,
  ...device(row),
  geofence_id: row.geofence_id,
  geofence_name: row.geofence_name,
  event_type: row.event_type,
  occurred_at: instant(row.occurred_at),
  latitude: degrees(row.latitude_e7),
  longitude: degrees(row.longitude_e7),
  speed_kmh: milli(row.speed_m_per_h),
  interpolated: flag(row.interpolated),
  time_uncertainty_s: row.time_uncertainty_ms / 1000,
  dwell_s: milli(row.dwell_ms),
  received_at: instantOrNull(row.received_at),
  updated_at: instantOrNull(row.updated_at),
});

const mileage = (row: MileageRow) => ({
  ...device(row),
  name: row.name,
  plate: row.plate,
  date: instant(row.day * 86_400_000).slice(0, 10),
  time_zone: row.time_zone,
  distance_km: row.distance_mm / 1e6,
  distance_source: row.distance_source,
  start_odometer_km: milli(row.start_odometer_m),
  end_odometer_km: milli(row.end_odometer_m),
  trip_count: row.trip_count,
  driving_s: row.driving_ms / 1000,
  idle_s: row.idle_ms / 1000,
  max_speed_kmh: milli(row.max_speed_m_per_h),
  gap_distance_km: row.gap_distance_mm / 1e6,
  updated_at: instant(row.updated_at),
});

export const naiveTracking = { position, latestPosition, trip, alert, reading, geofenceEvent, mileage };

/** The later of two moments, of which either may be unknown. */
function lastOf(...moments: (number | null)[]): number | null {
  const known = moments.filter((moment) => moment !== null);
  return known.length === 0 ? null : Math.max(...known);
}
