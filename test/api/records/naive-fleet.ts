import { alertCatalogue } from "../../../src/domain/alert-types.ts";
import { listedRules } from "../../../src/domain/alerts/listed-rules.ts";
import type { SetRule } from "../../../src/domain/alerts/set-rules.ts";
import type { AlertSettingsRow } from "../../../src/store/fleet/alert-settings.ts";
import type { DeviceRow } from "../../../src/store/fleet/devices.ts";
import type { AssignedGeofenceRow, VisibleGeofenceRow } from "../../../src/store/fleet/geofences.ts";
import type { SubAccountRow } from "../../../src/store/fleet/users.ts";
import { device, flag, instant, instantOrNull, milli } from "./naive-values.ts";

/** The records as plain objects, written as anyone would write them: what the fast presenters are held against. */

const deviceRecord = (row: DeviceRow) => ({
  device_id: row.id,
  imei: row.imei,
  name: row.name,
  plate: row.plate,
  status: row.status,
  vin: row.vin,
  vehicle_make: row.vehicle_make,
  vehicle_model: row.vehicle_model,
  vehicle_year: row.vehicle_year,
  vehicle_type: row.vehicle_type,
  tracker_model: row.tracker_model,
  fuel_tank_capacity_l: row.fuel_tank_capacity_l,
  tags: JSON.parse(row.tags_json),
  external_ids: JSON.parse(row.external_ids_json),
  odometer_km: milli(row.odometer_m),
  last_seen_at: instantOrNull(row.last_seen_at),
  last_position_at: instantOrNull(row.last_position_at),
  created_at: instant(row.created_at),
  updated_at: instant(row.updated_at),
});

const geofence = (row: VisibleGeofenceRow) => ({
  geofence_id: row.id,
  name: row.name,
  description: row.description,
  shape: row.shape,
  geometry: JSON.parse(row.geometry_json),
  radius_m: row.radius_m,
  width_m: row.width_m,
  bbox: JSON.parse(row.bbox_json),
  color: row.color,
  created_at: instant(row.created_at),
  updated_at: instant(row.updated_at),
});

const assignedGeofence = (row: AssignedGeofenceRow) => ({
  ...geofence(row),
  assigned_at: instant(row.assigned_at),
  inside: flag(row.inside),
});

const user = (row: SubAccountRow) => ({
  user_id: row.id,
  name: row.name,
  email: row.email,
  status: row.status,
  device_count: row.device_count,
  last_login_at: instantOrNull(row.last_login_at),
  created_at: instant(row.created_at),
  updated_at: instant(row.updated_at),
});

const alertSettings = (row: AlertSettingsRow) => ({
  ...device(row),
  rules: listedRules(JSON.parse(row.rules_json ?? "[]") as SetRule[]).map((rule) => ({
    alert_type: rule.alertType,
    source: rule.source,
    set_for: rule.setFor,
    tag: rule.tag,
    enabled: rule.enabled,
    severity: rule.severity ?? alertCatalogue[rule.alertType].severity,
    parameters: rule.parameters,
    geofence_ids: rule.geofenceIds,
  })),
  updated_at: instantOrNull(row.updated_at),
});

export const naiveFleet = { device: deviceRecord, geofence, assignedGeofence, user, alertSettings };
