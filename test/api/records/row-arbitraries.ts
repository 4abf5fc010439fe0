import fc from "fast-check";
import { alertTypes, severities } from "../../../src/domain/alert-types.ts";
import { deviceStatuses, userStatuses } from "../../../src/domain/fleet.ts";
import type { AlertSettingsRow } from "../../../src/store/alert-settings.ts";
import type { AlertRow } from "../../../src/store/alerts.ts";
import type { DeviceRow } from "../../../src/store/devices.ts";
import type { GeofenceEventRow } from "../../../src/store/geofence-events.ts";
import type { AssignedGeofenceRow, VisibleGeofenceRow } from "../../../src/store/geofences.ts";
import type { MileageRow } from "../../../src/store/mileage.ts";
import type { FrameRow, LatestPositionRow } from "../../../src/store/positions.ts";
import type { ReadingRow } from "../../../src/store/readings.ts";
import type { SubAccountRow } from "../../../src/store/sub-accounts.ts";
import type { TripRow } from "../../../src/store/trips.ts";

/** Whatever a row can hold that the loader, the ingest and the columns let through, and in free text more than that. */

const largestInt32 = 2 ** 31 - 1;
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 });
const nasty = ['"', "\\", "\u0000", "\u001f", "\u007f", "\u2028", "é", "ł", "漢", "🚚", "\ud800", "\udc00", "</script>"];
/** Texts with everything that needs care, on both sides of the length from which they are encoded otherwise. */
const text = fc.oneof(
  fc.string({ maxLength: 100 }),
  fc.string({ unit: "binary", maxLength: 100 }),
  fc.array(fc.oneof(fc.constantFrom(...nasty), fc.constant("a".repeat(20))), { maxLength: 12 }).map((all) => all.join("")),
);
const uuid = fc.uuid();
const imei = fc.stringMatching(/^[0-9]{14,16}$/);
const instant = fc.oneof(
  fc.integer({ min: Date.parse("0000-01-01T00:00:00.000Z"), max: Date.parse("9999-12-31T23:59:59.999Z") }),
  fc.integer({ min: Date.parse("2026-01-01"), max: Date.parse("2026-01-03") }),
);
const flag = fc.constantFrom(0, 1, false, true);
const int32 = fc.oneof(fc.integer(), fc.integer({ min: -2000, max: 2000 }));
const integer = fc.oneof(int32, fc.maxSafeInteger());
const count = fc.integer({ min: 0, max: largestInt32 });
const size = fc.oneof(fc.nat(), fc.nat({ max: 2000 }), fc.maxSafeNat());
const latitude = fc.oneof(fc.integer({ min: -9e8, max: 9e8 }), fc.integer({ min: -11, max: 11 }));
const longitude = fc.oneof(fc.integer({ min: -18e8, max: 18e8 }), fc.integer({ min: -11, max: 11 }));
const real = fc.double({ noNaN: true });
const json = <Value>(value: fc.Arbitrary<Value>) => value.map((parsed) => JSON.stringify(parsed));

const device = { device_id: uuid, imei };
const frame = {
  ...device,
  recorded_at: instant,
  received_at: instant,
  altitude_mm: maybe(int32),
  speed_m_per_h: maybe(int32),
  heading_mdeg: maybe(int32),
  accuracy_mm: maybe(int32),
  satellites: maybe(int32),
  hdop_milli: maybe(int32),
  ignition: maybe(flag),
  odometer_m: maybe(integer),
  battery_milli_percent: maybe(int32),
  external_voltage_mv: maybe(int32),
  event: maybe(text),
  discontinuity: flag,
};
const frameCoordinates = { latitude_e7: maybe(int32), longitude_e7: maybe(int32) };

const position: fc.Arbitrary<FrameRow> = fc.record({
  ...frame,
  ...frameCoordinates,
  digest: fc.maxSafeNat(),
  valid: flag,
  reject_reason: maybe(text),
});

const latestPosition: fc.Arbitrary<LatestPositionRow> = fc.record({
  ...frame,
  latitude_e7: maybe(latitude),
  longitude_e7: maybe(longitude),
  name: text,
  plate: maybe(text),
  ignition_since: maybe(instant),
  trip_id: maybe(uuid),
  geofence_ids_json: maybe(json(fc.array(uuid))),
});

const deviceRow: fc.Arbitrary<DeviceRow> = fc.record({
  account_id: count,
  device: count,
  id: uuid,
  imei,
  name: text,
  plate: maybe(text),
  status: fc.constantFrom(...deviceStatuses),
  vin: maybe(text),
  vehicle_make: maybe(text),
  vehicle_model: maybe(text),
  vehicle_year: maybe(fc.integer({ min: 1900, max: 2100 })),
  vehicle_type: maybe(text),
  tracker_model: maybe(text),
  fuel_tank_capacity_l: maybe(fc.double({ min: 1, max: 100_000, noNaN: true })),
  tags_json: json(fc.array(text)),
  external_ids_json: json(fc.dictionary(text, text)),
  created_at: instant,
  updated_at: instant,
  odometer_m: maybe(integer),
  last_seen_at: maybe(instant),
  last_position_at: maybe(instant),
});

const trip: fc.Arbitrary<TripRow> = fc.record({
  ...device,
  id: uuid,
  started_at: instant,
  ended_at: maybe(instant),
  end_reason: fc.constantFrom("ignition_off", "stationary", "gap", "discontinuity", null),
  start_latitude_e7: latitude,
  start_longitude_e7: longitude,
  end_latitude_e7: maybe(latitude),
  end_longitude_e7: maybe(longitude),
  distance_mm: size,
  duration_ms: size,
  idle_ms: size,
  max_speed_m_per_h: maybe(int32),
  start_odometer_m: maybe(integer),
  end_odometer_m: maybe(integer),
  position_count: count,
  has_gap: flag,
  updated_at: instant,
});

const alert: fc.Arbitrary<AlertRow> = fc.record({
  ...device,
  ...frameCoordinates,
  id: uuid,
  alert_type: text,
  severity: fc.constantFrom(...severities),
  message: text,
  occurred_at: instant,
  ended_at: maybe(instant),
  received_at: instant,
  speed_m_per_h: maybe(int32),
  value: maybe(real),
  threshold: maybe(real),
  unit: maybe(text),
  geofence_id: maybe(uuid),
  trip_id: maybe(uuid),
  acknowledged_at: maybe(instant),
  acknowledged_by: maybe(uuid),
});

const reading: fc.Arbitrary<ReadingRow> = fc.record({
  ...device,
  ...frameCoordinates,
  device: count,
  kind: fc.constantFrom("fuel", "temperature", "tyre"),
  sensor: text,
  recorded_at: instant,
  received_at: instant,
  digest: fc.maxSafeNat(),
  level_milli_percent: maybe(int32),
  volume_ml: maybe(integer),
  temperature_mc: maybe(int32),
  humidity_milli_percent: maybe(int32),
  axle: maybe(int32),
  wheel: maybe(int32),
  pressure_pa: maybe(integer),
});

const coordinates = fc.tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.double({ min: -90, max: 90, noNaN: true }));
const geometry = fc.oneof(
  fc.record({ type: fc.constant("Point"), coordinates }),
  fc.record({ type: fc.constant("Polygon"), coordinates: fc.array(fc.array(coordinates)) }),
  fc.record({ type: fc.constant("LineString"), coordinates: fc.array(coordinates) }),
);
const fence = {
  id: uuid,
  name: text,
  description: maybe(text),
  color: maybe(text),
  shape: fc.constantFrom("circle" as const, "polygon" as const, "corridor" as const),
  geometry_json: json(geometry),
  radius_m: maybe(fc.double({ min: 20, max: 100_000, noNaN: true })),
  width_m: maybe(fc.double({ min: 2, max: 10_000, noNaN: true })),
  bbox_json: json(fc.tuple(coordinates, coordinates).map((corners) => corners.flat())),
  created_at: instant,
  updated_at: instant,
};
const geofence: fc.Arbitrary<VisibleGeofenceRow> = fc.record(fence);
const assignedGeofence: fc.Arbitrary<AssignedGeofenceRow> = fc.record({
  ...fence,
  assigned_at: instant,
  inside: maybe(flag),
});

const geofenceEvent: fc.Arbitrary<GeofenceEventRow> = fc.record({
  ...device,
  id: uuid,
  geofence_id: uuid,
  geofence_name: text,
  event_type: fc.constantFrom("enter", "exit"),
  occurred_at: instant,
  latitude_e7: latitude,
  longitude_e7: longitude,
  speed_m_per_h: maybe(int32),
  interpolated: flag,
  time_uncertainty_ms: size,
  dwell_ms: maybe(size),
});

const user: fc.Arbitrary<SubAccountRow> = fc.record({
  id: uuid,
  name: text,
  email: fc.oneof(fc.emailAddress(), fc.constantFrom("ß@büro", '"a\\b"@c')),
  status: fc.constantFrom(...userStatuses),
  device_count: count,
  last_login_at: maybe(instant),
  created_at: instant,
  updated_at: instant,
});

const rule = fc.record({
  alertType: fc.constantFrom(...alertTypes),
  enabled: fc.boolean(),
  severity: maybe(fc.constantFrom(...severities)),
  parameters: fc.dictionary(text, fc.jsonValue()),
  geofenceIds: fc.array(uuid),
});
const alertSettings: fc.Arbitrary<AlertSettingsRow> = fc.record({
  ...device,
  rules_json: maybe(json(fc.array(rule))),
  updated_at: maybe(instant),
});

const mileage: fc.Arbitrary<MileageRow> = fc.record({
  ...device,
  name: text,
  plate: maybe(text),
  day: instant.map((ms) => Math.floor(ms / 86_400_000)),
  distance_mm: size,
  distance_source: fc.constantFrom("odometer", "gps"),
  start_odometer_m: maybe(integer),
  end_odometer_m: maybe(integer),
  trip_count: count,
  driving_ms: size,
  idle_ms: size,
  max_speed_m_per_h: maybe(int32),
  gap_distance_mm: size,
  updated_at: instant,
});

export const rowsOf = {
  position,
  latestPosition,
  device: deviceRow,
  trip,
  alert,
  reading,
  geofence,
  assignedGeofence,
  geofenceEvent,
  user,
  alertSettings,
  mileage,
};
