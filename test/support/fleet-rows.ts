import fc from "fast-check";
import { alertCatalogue, alertTypes, severities } from "../../src/domain/alert-types.ts";
import { listedRules } from "../../src/domain/alerts/listed-rules.ts";
import type { SetRule } from "../../src/domain/alerts/set-rules.ts";
import { deviceStatuses, userStatuses } from "../../src/domain/fleet.ts";
import type { AlertSettingsRow } from "../../src/store/alert-settings.ts";
import type { DeviceRow } from "../../src/store/devices.ts";
import type { AssignedGeofenceRow, VisibleGeofenceRow } from "../../src/store/geofences.ts";
import type { SubAccountRow } from "../../src/store/sub-accounts.ts";
import {
  at,
  count,
  declareRow,
  hidden,
  id,
  integer,
  json,
  label,
  maybe,
  maybeAt,
  maybeBoolean,
  maybeLabel,
  milli,
  msPerDay,
  noon,
  parsed,
  place,
  shownAs,
  text,
} from "./seed-rows.ts";

const device = declareRow<DeviceRow>({
  account_id: [count, 0, hidden],
  device: [count, 0, hidden],
  id: id("device_id"),
  imei: place.imei,
  name: label(""),
  plate: maybeLabel(null),
  status: [fc.constantFrom(...deviceStatuses), "active"],
  vin: maybeLabel(null),
  vehicle_make: maybeLabel("Volvo"),
  vehicle_model: maybeLabel("FH"),
  vehicle_year: [maybe(fc.integer({ min: 1900, max: 2100 })), 2024],
  vehicle_type: maybeLabel("truck"),
  tracker_model: maybeLabel("FMC130"),
  fuel_tank_capacity_l: [maybe(fc.double({ min: 1, max: 100_000, noNaN: true })), 62.5],
  tags_json: parsed(fc.array(text), "[]", "tags"),
  external_ids_json: parsed(fc.dictionary(text, text), "{}", "external_ids"),
  odometer_m: [maybe(integer), null, shownAs("odometer_km", milli)],
  last_seen_at: maybeAt(null),
  last_position_at: maybeAt(null),
  created_at: at(noon - 30 * msPerDay),
  updated_at: at(noon - 30 * msPerDay),
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
  id: id("geofence_id"),
  name: label(""),
  description: maybeLabel(null),
  shape: [fc.constantFrom("circle", "polygon", "corridor"), "circle"],
  geometry_json: parsed(geometry, '{"type":"Point","coordinates":[13.3,52]}', "geometry"),
  radius_m: [maybe(fc.double({ min: 20, max: 100_000, noNaN: true })), 150],
  width_m: [maybe(fc.double({ min: 2, max: 10_000, noNaN: true })), null],
  bbox_json: parsed(box, "[13.29,51.99,13.31,52.01]", "bbox"),
  color: maybeLabel("#336699"),
  created_at: at(noon - 20 * msPerDay),
  updated_at: at(noon - 20 * msPerDay),
});

const assignedGeofence = declareRow<AssignedGeofenceRow>({
  ...geofence.columns,
  assigned_at: at(noon),
  inside: maybeBoolean,
});

const user = declareRow<SubAccountRow>({
  id: id("user_id"),
  name: label(""),
  email: [fc.oneof(fc.emailAddress(), fc.constantFrom("ß@büro", '"a\\b"@c')), ""],
  status: [fc.constantFrom(...userStatuses), "active"],
  device_count: [count, 0],
  last_login_at: maybeAt(null),
  created_at: at(noon),
  updated_at: at(noon),
});

const rule = fc.record({
  alertType: fc.constantFrom(...alertTypes),
  enabled: fc.boolean(),
  severity: maybe(fc.constantFrom(...severities)),
  parameters: fc.dictionary(text, fc.jsonValue()),
  geofenceIds: fc.array(fc.uuid()),
  setFor: fc.constantFrom("device", "tag", "account"),
  tag: maybe(text),
});

const alertSettings = declareRow<AlertSettingsRow>({
  ...place,
  rules_json: [maybe(json(fc.array(rule))), null, shownAs("rules", shownRules)],
  updated_at: maybeAt(null),
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
