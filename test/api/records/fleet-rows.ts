import fc from "fast-check";
import { alertTypes, severities } from "../../../src/domain/alert-types.ts";
import { deviceStatuses, userStatuses } from "../../../src/domain/fleet.ts";
import type { AlertSettingsRow } from "../../../src/store/fleet/alert-settings.ts";
import type { DeviceRow } from "../../../src/store/fleet/devices.ts";
import type { AssignedGeofenceRow, VisibleGeofenceRow } from "../../../src/store/fleet/geofences.ts";
import type { SubAccountRow } from "../../../src/store/fleet/users.ts";
import { count, device, flag, imei, instant, integer, json, maybe, text, uuid } from "./row-values.ts";

/** Whatever a row can hold that the loader lets through, and in free text more than that. */

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

const coordinates = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.double({ min: -90, max: 90, noNaN: true }),
);
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
  setFor: fc.constantFrom("device", "tag", "account"),
  tag: maybe(text),
});
const alertSettings: fc.Arbitrary<AlertSettingsRow> = fc.record({
  ...device,
  rules_json: maybe(json(fc.array(rule))),
  updated_at: maybe(instant),
});

export const fleetRows = { device: deviceRow, geofence, assignedGeofence, user, alertSettings };
