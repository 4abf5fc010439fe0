import fc from "fast-check";
import { alertCatalogue, alertTypes, severities } from "../../src/domain/alert-types.ts";
import { listedRules } from "../../src/domain/alerts/listed-rules.ts";
import type { SetRule } from "../../src/domain/alerts/set-rules.ts";
import { deviceStatuses, userStatuses } from "../../src/domain/fleet.ts";
import { trackerProtocols } from "../../src/domain/tracker-protocols.ts";
import type { AlertSettingsRow } from "../../src/store/fleet/alert-settings.ts";
import type { DeviceRow } from "../../src/store/fleet/devices.ts";
import type { AssignedGeofenceRow, VisibleGeofenceRow } from "../../src/store/fleet/geofences.ts";
import type { SubAccountRow } from "../../src/store/fleet/users.ts";
import { any, column, declareRow, msPerDay, noon, shown } from "./seed-rows.ts";

const device = declareRow<DeviceRow>({
  account_id: [any.count, 0, shown.nowhere],
  device: [any.count, 0, shown.nowhere],
  id: column.id("device_id"),
  imei: column.place.imei,
  name: column.label(""),
  plate: column.maybeLabel(null),
  status: [fc.constantFrom(...deviceStatuses), "active"],
  vin: column.maybeLabel(null),
  vehicle_make: column.maybeLabel("Volvo"),
  vehicle_model: column.maybeLabel("FH"),
  vehicle_year: [any.maybe(fc.integer({ min: 1900, max: 2100 })), 2024],
  vehicle_type: column.maybeLabel("truck"),
  tracker_model: column.maybeLabel("FMC130"),
  tracker_clock: column.maybeLabel(null),
  tracker_id: [any.maybe(fc.stringMatching(/^[!-~]{1,64}$/)), null],
  tracker_protocol: [any.maybe(fc.constantFrom(...trackerProtocols)), null],
  fuel_tank_capacity_l: [any.maybe(fc.double({ min: 1, max: 100_000, noNaN: true })), 62.5],
  tags_json: column.parsed(fc.array(any.text), "[]", "tags"),
  external_ids_json: column.parsed(fc.dictionary(any.text, any.text), "{}", "external_ids"),
  odometer_m: [any.maybe(any.integer), null, shown.as("odometer_km", shown.milli)],
  last_seen_at: column.maybeAt(null),
  last_position_at: column.maybeAt(null),
  created_at: column.at(noon - 30 * msPerDay),
  updated_at: column.at(noon - 30 * msPerDay),
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
const box = fc.tuple(coordinates, coordinates).map((corners) => corners.flat());

const geofence = declareRow<VisibleGeofenceRow>({
  id: column.id("geofence_id"),
  name: column.label(""),
  description: column.maybeLabel(null),
  shape: [fc.constantFrom("circle", "polygon", "corridor"), "circle"],
  geometry_json: column.parsed(geometry, '{"type":"Point","coordinates":[13.3,52]}', "geometry"),
  radius_m: [any.maybe(fc.double({ min: 20, max: 100_000, noNaN: true })), 150],
  width_m: [any.maybe(fc.double({ min: 2, max: 10_000, noNaN: true })), null],
  bbox_json: column.parsed(box, "[13.29,51.99,13.31,52.01]", "bbox"),
  color: column.maybeLabel("#336699"),
  created_at: column.at(noon - 20 * msPerDay),
  updated_at: column.at(noon - 20 * msPerDay),
});

const assignedGeofence = declareRow<AssignedGeofenceRow>({
  ...geofence.columns,
  assigned_at: column.at(noon),
  inside: column.maybeBoolean,
});

const user = declareRow<SubAccountRow>({
  id: column.id("user_id"),
  name: column.label(""),
  email: [fc.oneof(fc.emailAddress(), fc.constantFrom("ß@büro", '"a\\b"@c')), ""],
  status: [fc.constantFrom(...userStatuses), "active"],
  device_count: [any.count, 0],
  last_login_at: column.maybeAt(null),
  created_at: column.at(noon),
  updated_at: column.at(noon),
});

const rule = fc.record({
  alertType: fc.constantFrom(...alertTypes),
  enabled: fc.boolean(),
  severity: any.maybe(fc.constantFrom(...severities)),
  parameters: fc.dictionary(any.text, fc.jsonValue()),
  geofenceIds: fc.array(fc.uuid()),
  setFor: fc.constantFrom("device", "tag", "account"),
  tag: any.maybe(any.text),
});

const alertSettings = declareRow<AlertSettingsRow>({
  ...column.place,
  rules_json: [any.maybe(any.json(fc.array(rule))), null, shown.as("rules", shownRules)],
  updated_at: column.maybeAt(null),
});

function shownRules(rules: string | null) {
  return listedRules(JSON.parse(rules ?? "[]") as SetRule[]).map((rule) => ({
    alert_type: rule.alertType,
    source: rule.source,
    set_for: rule.setFor,
    tag: rule.tag,
    enabled: rule.enabled,
    severity: rule.severity ?? alertCatalogue[rule.alertType].severity,
    parameters: rule.parameters,
    geofence_ids: rule.geofenceIds,
  }));
}

export const fleetRows = { device, geofence, assignedGeofence, user, alertSettings };
