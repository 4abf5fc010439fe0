import type { BulkTable, ColumnType } from "../../src/store/database.ts";

/** Columns by type, each list separated by spaces. */
type Columns = Partial<Record<ColumnType, string>>;

function table(name: string, lists: Columns, onConflict?: string): BulkTable {
  const columns: Record<string, ColumnType> = {};
  for (const [type, list] of Object.entries(lists)) {
    for (const column of list.split(" ")) columns[column] = type as ColumnType;
  }
  return { name, columns, ...(onConflict === undefined ? {} : { onConflict }) };
}

const position = {
  bigint: "account_id device recorded_at received_at",
  boolean: "discontinuity",
  text: "fields_json",
} as const;

const latest = table("latest_positions", {
  ...position,
  bigint: `${position.bigint} odometer_m revision last_seen_at ignition_since`,
  text: `${position.text} geofence_ids_json`,
  uuid: "trip_id",
});

const replaced = Object.keys(latest.columns)
  .filter((column) => column !== "account_id" && column !== "device")
  .map((column) => `${column} = excluded.${column}`);

/** In an order in which every row finds those that it refers to. */
export const seedTables = {
  accounts: table("accounts", {
    bigint: "account_id created_at updated_at",
    uuid: "id",
    text: "name status",
    integer: "limit_per_second limit_per_day",
  }),
  users: table("users", {
    uuid: "id",
    bigint: "account_id last_login_at created_at updated_at",
    text: "role name email email_key password_hash status",
  }),
  directory: table("device_directory", { bigint: "device account_id", text: "imei", uuid: "id" }),
  devices: table("devices", {
    bigint: "account_id device created_at updated_at",
    uuid: "id",
    text: "imei name plate status vin vehicle_make vehicle_model vehicle_type tracker_model tags_json external_ids_json search_text",
    integer: "vehicle_year",
    "double precision": "fuel_tank_capacity_l",
  }),
  assignments: table("assignments", { bigint: "account_id device created_at", uuid: "user_id id", text: "imei" }),
  geofences: table("geofences", {
    bigint: "account_id created_at updated_at",
    uuid: "id",
    text: "name description color",
  }),
  geofenceVersions: table("geofence_versions", {
    bigint: "account_id valid_from created_at",
    uuid: "geofence_id",
    text: "shape geometry_json bbox_json",
    "double precision": "radius_m width_m",
  }),
  geofenceAssignments: table("geofence_assignments", {
    bigint: "account_id valid_from device assigned_at",
    uuid: "geofence_id",
  }),
  alertSettings: table("alert_settings_versions", {
    bigint: "account_id device valid_from created_at",
    text: "rules_json",
  }),
  frames: table("frames", {
    ...position,
    bigint: `${position.bigint} digest`,
    boolean: `${position.boolean} fix valid`,
    text: "packed source sensors_json reject_reason",
  }),
  latestPositions: {
    ...latest,
    onConflict: `on conflict (account_id, device) do update set ${replaced.join(", ")}`,
  },
  trips: table("trips", {
    bigint:
      "account_id device started_at ended_at distance_mm duration_ms idle_ms start_odometer_m end_odometer_m updated_at",
    uuid: "id",
    text: "end_reason",
    integer: `start_latitude_e7 start_longitude_e7 end_latitude_e7 end_longitude_e7 max_speed_m_per_h position_count`,
    boolean: "has_gap",
  }),
  alerts: table("alerts", {
    bigint: "account_id device occurred_at ended_at received_at",
    uuid: "id geofence_id trip_id",
    text: "alert_type severity message unit",
    integer: "latitude_e7 longitude_e7 speed_m_per_h",
    "double precision": "value threshold",
    boolean: "withdrawn",
  }),
  acknowledgements: table("alert_acknowledgements", {
    bigint: "account_id acknowledged_at",
    uuid: "alert_id acknowledged_by",
  }),
  readings: table("readings", {
    bigint: "account_id device recorded_at digest received_at volume_ml pressure_pa",
    text: "kind sensor",
    integer: "latitude_e7 longitude_e7 level_milli_percent temperature_mc humidity_milli_percent axle wheel",
  }),
  geofenceEvents: table("geofence_events", {
    bigint: "account_id device occurred_at time_uncertainty_ms dwell_ms",
    uuid: "id geofence_id",
    text: "event_type",
    integer: "latitude_e7 longitude_e7 speed_m_per_h",
    boolean: "interpolated",
  }),
  mileage: table("mileage_days", {
    bigint:
      "account_id device distance_mm start_odometer_m end_odometer_m driving_ms idle_ms gap_distance_mm updated_at",
    integer: "day trip_count max_speed_m_per_h",
    text: "distance_source",
  }),
} as const satisfies Record<string, BulkTable>;
