import { Failure } from "../../domain/errors.ts";
import { identifyingFields } from "../formats/shown-fields.ts";
import { type Parameter, query } from "../input/parameter.ts";
import type { Route } from "../route.ts";

export type ToolRow = Readonly<Record<string, unknown>>;

const place = ["latitude", "longitude"];
const vehicle = ["device_id", "device_name"];
const fence = ["geofence_id", "name", "shape", "radius_m", "bbox"];
const work = ["distance_km", "trip_count", "driving_s", "idle_s", "max_speed_kmh"];

/**
 * What a row shows unless the model names other fields, by operation: what questions are about. The rest would be two
 * thirds of the answer. A list that is not named here shows all.
 */
const usualFields: Readonly<Record<string, readonly string[]>> = {
  listDevices: ["device_id", "name", "plate", "status", "vehicle_type", "tags", "odometer_km", "last_seen_at"],
  listDeviceGeofences: [...fence, "inside"],
  listLatestPositions: ["device_id", "name", "recorded_at", ...place, "speed_kmh", "ignition", "distance_m"],
  listPositionHistory: ["recorded_at", ...place, "speed_kmh", "ignition", "reject_reason"],
  listPositionsAt: [...vehicle, "recorded_at", ...place, "speed_kmh", "age_s", "distance_m"],
  listTrips: [
    ...vehicle,
    "started_at",
    "ended_at",
    "start",
    "end",
    "distance_km",
    "duration_s",
    "idle_s",
    "max_speed_kmh",
    "driver_name",
  ],
  listStops: [...vehicle, "started_at", "ended_at", "duration_s", ...place, "geofence_names", "ignition_on_s"],
  listAlerts: [
    ...vehicle,
    "alert_type",
    "severity",
    "message",
    "occurred_at",
    "ended_at",
    "value",
    "unit",
    "acknowledged",
  ],
  listSensorReadings: [
    ...[...vehicle, "sensor", "recorded_at", "value", "unit"],
    ...["level_percent", "volume_l", "temperature_c", "humidity_percent", "axle", "wheel", "pressure_kpa"],
  ],
  listGeofences: fence,
  listGeofenceEvents: [...vehicle, "geofence_name", "event_type", "occurred_at", "dwell_s"],
  listUsers: ["user_id", "name", "email", "status", "device_count"],
  reportMileage: ["device_id", "name", "date", "period_start", "period_end", "tag", "device_count", ...work],
  reportMileageSums: [
    ...["device_id", "name", "tag", "driver_id", "driver_name", "period_start", "device_count"],
    ...work,
  ],
  listDrivers: ["id", "name", "driver_ids", "last_seen_at"],
};

const notOfNamed = ["device_id", "device_count"];

const allFields = "all";

/** In the place of the routes' own parameter of this name, which has no usual fields. */
export const toolFields: Parameter<string> = {
  ...query,
  name: "fields",
  description: `Fields (comma list), or \`${allFields}\`. Default: the usual ones.`,
  schema: { type: "string" },
  example: "name,distance_km",
  expected: "names of fields, separated by commas",
  isCommaList: true,
  emptyIsAbsent: true,
  read: (text) => text,
};

/** Whether a model can choose the fields. */
export function hasFields({ operationId }: Route): boolean {
  return operationId in usualFields;
}

/**
 * The rows with the fields that were named and what tells them apart, or with the usual ones. `hasIds`: vehicles have their
 * ids beside their names, as for a key that cannot look names up.
 */
export function pickedRows(
  { operationId, formats }: Route,
  rows: readonly ToolRow[],
  named: string,
  hasIds = false,
): readonly ToolRow[] {
  const usual = usualFields[operationId];
  if (usual === undefined || named === allFields) return rows;
  if (named === "") return compactRows(rows, usual, hasIds || operationId === "listDevices");
  const fields = named.split(",").map((name) => name.trim());
  const known = new Set(rows.flatMap((row) => Object.keys(row)));
  const unknown = fields.filter((field) => !known.has(field));
  if (rows.length > 0 && unknown.length > 0) {
    const problem = `fields: there is no ${unknown.join(", ")}; there are ${[...known].join(", ")}`;
    throw new Failure("INVALID_REQUEST", problem);
  }
  const isNamed = namedAlone(rows, hasIds);
  return rows.map((row) => {
    const keys = identifyingFields(Object.keys(row), formats?.keys(null) ?? [])
      .filter((key) => (row[key] ?? null) !== null)
      .map((key) => (key === "device_id" && isNamed(row) ? nameField(row) : key));
    const shown = [...keys, ...fields].filter((field) => field in row);
    return Object.fromEntries(shown.map((field) => [field, row[field]]));
  });
}

/** Some records have the name by themselves, too. */
function nameField({ device_name, name }: ToolRow): "device_name" | "name" {
  return (device_name ?? null) === null || device_name === name ? "name" : "device_name";
}

/** Whether a row's vehicle has a name that no other of the rows' vehicles has. */
function namedAlone(rows: readonly ToolRow[], hasIds: boolean): (row: ToolRow) => boolean {
  const nameOf = (row: ToolRow) => row[nameField(row)] ?? null;
  const idsByName = new Map<unknown, Set<unknown>>();
  for (const row of rows) {
    const ids = idsByName.get(nameOf(row)) ?? new Set();
    idsByName.set(nameOf(row), ids.add(row.device_id));
  }
  return (row) => !hasIds && nameOf(row) !== null && idsByName.get(nameOf(row))?.size === 1;
}

/**
 * Without what is null, and of a vehicle that no other is called like without its id, which costs as much as four numbers: tools
 * take the name as well.
 */
function compactRows(rows: readonly ToolRow[], fields: readonly string[], hasIds: boolean): readonly ToolRow[] {
  const isNamed = namedAlone(rows, hasIds);
  return rows.map((row) => {
    const isShown = (field: string) => (row[field] ?? null) !== null && !(isNamed(row) && notOfNamed.includes(field));
    return Object.fromEntries(fields.filter(isShown).map((field) => [field, row[field]]));
  });
}

/** Of the fields that were named, those that these rows have; empty: the usual ones. */
export function fieldsThere(rows: readonly ToolRow[], named: string): string {
  const known = new Set(rows.flatMap((row) => Object.keys(row)));
  const fields = named.split(",").map((name) => name.trim());
  return fields.filter((name) => name === allFields || known.has(name)).join(",");
}
