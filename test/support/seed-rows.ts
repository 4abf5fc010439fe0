import { formatReported, type Reported } from "../../src/domain/reported.ts";
import type { AlertRow } from "../../src/store/facts/alerts.ts";
import type { GeofenceEventRow } from "../../src/store/facts/geofence-events.ts";
import type { MileageRow } from "../../src/store/facts/mileage.ts";
import type { TripRow } from "../../src/store/facts/trips.ts";
import type { DeviceRow } from "../../src/store/fleet/devices.ts";
import type { VisibleGeofenceRow } from "../../src/store/fleet/geofences.ts";
import type { LatestPositionRow } from "../../src/store/frames/positions.ts";
import type { ReadingRow } from "../../src/store/frames/readings.ts";
import type { FrameRow, PositionRow } from "./frame-rows.ts";

/** The moment at which everything happens that names no other. */
export const noon = Date.UTC(2026, 5, 15, 12);

const hourMs = 3_600_000;
const msPerDay = 86_400_000;

/** What a row says of its device. */
export interface Place {
  readonly device_id: string;
  readonly imei: string;
}

/**
 * Ordinary rows, as the queries give them. A test names what it is about and leaves the rest to these.
 */
export const ordinary = {
  device: (given: Pick<DeviceRow, "account_id" | "device" | "id" | "imei" | "name">): DeviceRow => ({
    ...given,
    plate: null,
    status: "active",
    vin: null,
    vehicle_make: "Volvo",
    vehicle_model: "FH",
    vehicle_year: 2024,
    vehicle_type: "truck",
    tracker_model: "FMC130",
    fuel_tank_capacity_l: 62.5,
    tags_json: "[]",
    external_ids_json: "{}",
    created_at: noon - 30 * msPerDay,
    updated_at: noon - 30 * msPerDay,
    odometer_m: null,
    last_seen_at: null,
    last_position_at: null,
  }),

  frame: (place: Place, digest: number): FrameRow => ({
    ...positionAt(place),
    digest,
    valid: true,
    reject_reason: null,
  }),

  latestPosition: (device: DeviceRow): LatestPositionRow => ({
    ...positionAt({ device_id: device.id, imei: device.imei }),
    name: device.name,
    plate: device.plate,
    ignition_since: noon - hourMs,
    trip_id: null,
    geofence_ids_json: "[]",
  }),

  trip: (place: Place, id: string, started_at: number, ended_at: number | null): TripRow => ({
    ...place,
    id,
    started_at,
    ended_at,
    end_reason: ended_at === null ? null : "ignition_off",
    start_latitude_e7: 520_000_000,
    start_longitude_e7: 133_000_000,
    end_latitude_e7: ended_at === null ? null : 521_000_000,
    end_longitude_e7: ended_at === null ? null : 134_000_000,
    distance_mm: 12_345_678,
    duration_ms: (ended_at ?? started_at + hourMs) - started_at,
    idle_ms: 60_000,
    max_speed_m_per_h: 89_500,
    start_odometer_m: 100_000,
    end_odometer_m: 112_345,
    position_count: 120,
    has_gap: false,
    received_at: noon - 1_000,
    updated_at: noon,
  }),

  alert: (place: Place, id: string): AlertRow => ({
    ...place,
    id,
    alert_type: "speeding",
    severity: "warning",
    message: "97 km/h where 80 are allowed",
    occurred_at: noon,
    ended_at: noon + 30_000,
    received_at: noon + 1_000,
    updated_at: noon + 31_000,
    latitude_e7: 520_000_000,
    longitude_e7: 133_000_000,
    speed_m_per_h: 97_000,
    value: 97,
    threshold: 80,
    unit: "km/h",
    geofence_id: null,
    trip_id: null,
    acknowledged_at: null,
    acknowledged_by: null,
  }),

  reading: (place: Place, device: number, digest: number): ReadingRow => ({
    ...place,
    device,
    digest,
    kind: "temperature",
    sensor: "cargo",
    recorded_at: noon,
    received_at: noon + 1_000,
    latitude_e7: 520_000_000,
    longitude_e7: 133_000_000,
    level_milli_percent: null,
    volume_ml: null,
    temperature_mc: null,
    humidity_milli_percent: null,
    axle: null,
    wheel: null,
    pressure_pa: null,
  }),

  /** What sensors of each kind measure. */
  readingsOf: {
    fuel: {},
    temperature: { temperature_mc: 4_500, humidity_milli_percent: 61_000 },
    tyre: { axle: 1, wheel: 2 },
  },

  geofence: (id: string, name: string): VisibleGeofenceRow => ({
    id,
    name,
    description: null,
    color: "#336699",
    shape: "circle",
    geometry_json: '{"type":"Point","coordinates":[13.3,52]}',
    radius_m: 150,
    width_m: null,
    bbox_json: "[13.29,51.99,13.31,52.01]",
    created_at: noon - 20 * msPerDay,
    updated_at: noon - 20 * msPerDay,
  }),

  geofenceEvent: (place: Place, id: string, fence: Pick<VisibleGeofenceRow, "id" | "name">): GeofenceEventRow => ({
    ...place,
    id,
    geofence_id: fence.id,
    geofence_name: fence.name,
    event_type: "enter",
    occurred_at: noon,
    latitude_e7: 520_000_000,
    longitude_e7: 133_000_000,
    speed_m_per_h: 32_000,
    interpolated: false,
    time_uncertainty_ms: 0,
    dwell_ms: null,
    received_at: noon + 1_000,
    updated_at: noon + 1_000,
  }),

  mileage: (device: DeviceRow): MileageRow => ({
    device_id: device.id,
    imei: device.imei,
    name: device.name,
    plate: device.plate,
    day: Math.floor(noon / msPerDay),
    time_zone: "UTC",
    distance_mm: 245_000_000,
    distance_source: "odometer",
    start_odometer_m: 100_000,
    end_odometer_m: 345_000,
    trip_count: 3,
    driving_ms: 4 * hourMs,
    idle_ms: 900_000,
    max_speed_m_per_h: 89_500,
    gap_distance_mm: 0,
    updated_at: noon,
  }),
};

/** What a tracker reports that has nothing to tell. */
const ordinaryReport: Reported = {
  latitude: 52.0123456,
  longitude: 13.3654321,
  altitude_m: 43,
  speed_kmh: 51.3,
  heading_deg: 271.5,
  accuracy_m: 4,
  satellites: 11,
  hdop: 0.9,
  ignition: true,
  odometer_km: 123.456,
  battery_percent: 87,
  external_voltage_v: 27.4,
  event: null,
};

function positionAt(place: Place): PositionRow {
  return {
    ...place,
    recorded_at: noon,
    received_at: noon + 1_000,
    fields_json: formatReported(ordinaryReport),
    discontinuity: false,
  };
}

/** What the mileage of an account is asked for that never had another time zone. */
export function utcDays(fromDay: number, untilDay: number) {
  return [{ timeZone: "UTC", fromDay, untilDay }] as const;
}
