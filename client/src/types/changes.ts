// Made from the description by scripts/client-types.ts: change the description instead.

/** Follow a fleet: what may be asked for. */
export interface ListChangesQuery {
  /** The `resume_after` of an earlier answer: everything that changed since. Opaque, and only for the user whose key it was given to. Omitted: an empty page with the `resume_after` of now. */
  after?: string | undefined;
  /** Only changes of these records, separated by commas. Omitted: all that the key's scopes grant. A type whose scope the key lacks is 403. */
  types?: string | undefined;
  /** Narrows to one device. Omitted: every device the key can see. A device the key cannot see is 404, same as an unknown one. */
  device_id?: string | undefined;
  /** Narrows to one device by its IMEI, as an alternative to `device_id`. An IMEI the key cannot see is 404, same as an unknown one and as a text that is none. Given both, they must name the same device. */
  imei?: string | undefined;
  /** Rows per page. */
  limit?: number | undefined;
}

/** A record that became known, was corrected or was withdrawn. */
export type Change =
  | DeviceChange
  | PositionChange
  | TripChange
  | AlertChange
  | ReadingChange
  | GeofenceChange
  | GeofenceEventChange
  | MileageChange
  | UserChange
  | AlertSettingsChange;

/** A change of a record of the type `device`. */
export interface DeviceChange {
  /** What the record is. */
  type: "device";
  /** `put`: this is the record now, new or changed. `removed`: there is no such record any more. */
  change: "put" | "removed";
  /** The record's own id. Alert settings have their device's, mileage `device_id/date`, positions and readings a text that stays the same for the same one. */
  id: string;
  /** The device that it belongs to; null for geofences and users. */
  device_id: string | null;
  /** When the change was stored. */
  changed_at: string;
  /** The record as its list shows it; null if it was removed. */
  record: Device | null;
}

/** A vehicle with its tracker. */
export interface Device {
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** What the fleet calls it. */
  name: string;
  /** The vehicle's number plate. */
  plate: string | null;
  /** As the fleet's owner has set it; it does not follow the tracker. */
  status: DeviceStatus;
  /** Vehicle identification number. */
  vin: string | null;
  /** The vehicle's maker. */
  vehicle_make: string | null;
  /** The vehicle's model. */
  vehicle_model: string | null;
  /** The vehicle's model year. */
  vehicle_year: number | null;
  /** Free text, such as `van`. */
  vehicle_type: string | null;
  /** The tracker's maker and model. */
  tracker_model: string | null;
  /** Litres that the tank holds. */
  fuel_tank_capacity_l: number | null;
  /** The fleet's own labels. */
  tags: string[];
  /** The device's names in other systems: the system's name, and the id there. */
  external_ids: Record<string, string>;
  /** The odometer at the newest position, in kilometres. */
  odometer_km: number | null;
  /** When a frame was last received, valid or not; null: never. */
  last_seen_at: string | null;
  /** When the position that `/positions/latest` shows was recorded; null: none yet. */
  last_position_at: string | null;
  /** When the device was first loaded. */
  created_at: string;
  /** When what its owner says of it last changed; frames do not change it. */
  updated_at: string;
}

/** What the fleet's owner says of a device. */
export type DeviceStatus = "active" | "inactive" | "blocked";

/** A change of a record of the type `position`. */
export interface PositionChange {
  /** What the record is. */
  type: "position";
  /** `put`: this is the record now, new or changed. `removed`: there is no such record any more. */
  change: "put" | "removed";
  /** The record's own id. Alert settings have their device's, mileage `device_id/date`, positions and readings a text that stays the same for the same one. */
  id: string;
  /** The device that it belongs to; null for geofences and users. */
  device_id: string | null;
  /** When the change was stored. */
  changed_at: string;
  /** The record as its list shows it; null if it was removed. */
  record: Position | null;
}

/** A stored frame of a device. What a tracker did not report is null. Coordinates of a valid frame lie within ±90 and ±180 degrees. */
export interface Position {
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** When the tracker recorded the frame. */
  recorded_at: string;
  /** When the frame was received. Long after `recorded_at` if the tracker was offline. */
  received_at: string;
  /** WGS 84, in degrees, north is positive. Null without a fix. */
  latitude: number | null;
  /** WGS 84, in degrees, east is positive. Null without a fix. */
  longitude: number | null;
  /** Metres above sea level, as the tracker reports them. */
  altitude_m: number | null;
  /** Kilometres per hour, as the tracker reports them. */
  speed_kmh: number | null;
  /** Direction of travel in degrees, clockwise from north. */
  heading_deg: number | null;
  /** Radius, in metres, within which the tracker believes itself to be. */
  accuracy_m: number | null;
  /** Satellites in use. */
  satellites: number | null;
  /** Horizontal dilution of precision: the lower, the better. */
  hdop: number | null;
  /** Whether the ignition is on; null if the tracker does not know. */
  ignition: boolean | null;
  /** The vehicle's or the tracker's odometer, in kilometres. */
  odometer_km: number | null;
  /** Charge of the tracker's own battery. */
  battery_percent: number | null;
  /** Voltage of the vehicle's supply, in volts. */
  external_voltage_v: number | null;
  /** What made the tracker send the frame, such as `sos`. */
  event: string | null;
  /** Whether the quality filter accepted the frame. */
  valid: boolean;
  /** Why the frame was rejected; null if it is valid. One of `time_invalid`, `future_time`, `too_old`, `no_fix`, `out_of_range`, `zero_coordinates`, `approximate`, `low_satellites`, `low_precision`, `implausible_jump`, `spike`; others may be added. */
  reject_reason: string | null;
  /** Whether the vehicle is believed to have been moved here, such as on a ferry: no distance is counted. */
  discontinuity: boolean;
}

/** A change of a record of the type `trip`. */
export interface TripChange {
  /** What the record is. */
  type: "trip";
  /** `put`: this is the record now, new or changed. `removed`: there is no such record any more. */
  change: "put" | "removed";
  /** The record's own id. Alert settings have their device's, mileage `device_id/date`, positions and readings a text that stays the same for the same one. */
  id: string;
  /** The device that it belongs to; null for geofences and users. */
  device_id: string | null;
  /** When the change was stored. */
  changed_at: string;
  /** The record as its list shows it; null if it was removed. */
  record: Trip | null;
}

/** A drive from one stop to the next. */
export interface Trip {
  /** Stays the same when the trip is derived again. */
  trip_id: string;
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** `in_progress` until the trip has ended. */
  status: "in_progress" | "completed";
  /** When the vehicle set off. */
  started_at: string;
  /** When it came to rest; null while the trip is in progress. */
  ended_at: string | null;
  /** Where it set off. */
  start: Place;
  /** Where it came to rest; null while the trip is in progress. */
  end: Place | null;
  /** Kilometres driven, along the valid positions. */
  distance_km: number;
  /** Seconds from the start to the end, or to the newest position while in progress. */
  duration_s: number;
  /** Seconds of these with the engine on and the vehicle at rest. */
  idle_s: number;
  /** The highest speed believed, in kilometres per hour. */
  max_speed_kmh: number | null;
  /** `distance_km` over `duration_s`, rounded to 0.1 km/h; null for a duration of 0. */
  avg_speed_kmh: number | null;
  /** The odometer at the start, in kilometres. */
  start_odometer_km: number | null;
  /** The odometer at the end, in kilometres. */
  end_odometer_km: number | null;
  /** Valid positions that the trip is made of. */
  position_count: number;
  /** Whether the tracker was silent for a part of the way. */
  has_gap: boolean;
  /** What ended the trip; null while it is in progress. */
  end_reason: TripEndReason | null;
  /** When the record last changed. Late frames can change a trip after its end. */
  updated_at: string;
}

/** A place on the Earth. */
export interface Place {
  /** WGS 84, in degrees, north is positive. */
  latitude: number;
  /** WGS 84, in degrees, east is positive. */
  longitude: number;
}

/** What ended a trip. */
export type TripEndReason = "ignition_off" | "stationary" | "gap" | "discontinuity";

/** A change of a record of the type `alert`. */
export interface AlertChange {
  /** What the record is. */
  type: "alert";
  /** `put`: this is the record now, new or changed. `removed`: there is no such record any more. */
  change: "put" | "removed";
  /** The record's own id. Alert settings have their device's, mileage `device_id/date`, positions and readings a text that stays the same for the same one. */
  id: string;
  /** The device that it belongs to; null for geofences and users. */
  device_id: string | null;
  /** When the change was stored. */
  changed_at: string;
  /** The record as its list shows it; null if it was removed. */
  record: Alert | null;
}

/** Something that a rule or the tracker itself found worth telling. */
export interface Alert {
  /** Stays the same when the alert is derived again. */
  alert_id: string;
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** What it is about. At present one of `speeding`, `geofence_enter`, `geofence_exit`, `sos`, `crash`, `power_cut`, `tampering`, `jamming`, `harsh_acceleration`, `harsh_braking`, `harsh_cornering`, `towing`, `idling`, `low_battery`, `low_external_voltage`, `fuel_drain`, `fuel_refill`, `temperature_high`, `temperature_low`, `tyre_pressure_low`, `tyre_temperature_high`, `gps_lost`, `device_offline`. */
  alert_type: string;
  /** How bad it is. */
  severity: Severity;
  /** The alert in words, for a person. The wording is not stable. */
  message: string;
  /** When it began. */
  occurred_at: string;
  /** When it was over; null while it lasts. What happens in a moment is over at once. */
  ended_at: string | null;
  /** When the frame that raised it was received. */
  received_at: string;
  /** Where it began: WGS 84, in degrees. Null if not known. */
  latitude: number | null;
  /** Where it began: WGS 84, in degrees. Null if not known. */
  longitude: number | null;
  /** The vehicle's speed when it began, in kilometres per hour. */
  speed_kmh: number | null;
  /** What was measured, in `unit`; null where there is nothing to measure. */
  value: number | null;
  /** The limit that it was held against, in `unit`. */
  threshold: number | null;
  /** The unit of `value` and `threshold`. */
  unit: string | null;
  /** The geofence that it is about, or whose limit held. */
  geofence_id: string | null;
  /** The trip during which it began. */
  trip_id: string | null;
  /** Whether somebody has acknowledged it. */
  acknowledged: boolean;
  /** When it was acknowledged. */
  acknowledged_at: string | null;
  /** The id of the user who acknowledged it. */
  acknowledged_by: string | null;
}

/** How bad it is. */
export type Severity = "info" | "warning" | "critical";

/** A change of a record of the type `reading`. */
export interface ReadingChange {
  /** What the record is. */
  type: "reading";
  /** `put`: this is the record now, new or changed. `removed`: there is no such record any more. */
  change: "put" | "removed";
  /** The record's own id. Alert settings have their device's, mileage `device_id/date`, positions and readings a text that stays the same for the same one. */
  id: string;
  /** The device that it belongs to; null for geofences and users. */
  device_id: string | null;
  /** When the change was stored. */
  changed_at: string;
  /** The record as its list shows it; null if it was removed. */
  record: SensorReading | null;
}

/** A reading of one sensor, stored as the tracker sent it. Each kind has keys of its own. */
export type SensorReading = FuelReading | TemperatureReading | TyreReading;

/** What is in a tank. */
export interface FuelReading {
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** What is measured. */
  kind: "fuel";
  /** Which of the device's sensors of that kind. */
  sensor: string;
  /** When the tracker recorded the reading. */
  recorded_at: string;
  /** When it was received. */
  received_at: string;
  /** `level_percent`, or `volume_l` where only that is known. */
  value: number | null;
  /** Of `value`: `%`, or `L` where only the volume is known. */
  unit: "%" | "L";
  /** WGS 84, in degrees, north is positive. Null without a fix. */
  latitude: number | null;
  /** WGS 84, in degrees, east is positive. Null without a fix. */
  longitude: number | null;
  /** How full the tank is. */
  level_percent: number | null;
  /** Litres in the tank. */
  volume_l: number | null;
}

/** How warm and damp it is at a sensor. */
export interface TemperatureReading {
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** What is measured. */
  kind: "temperature";
  /** Which of the device's sensors of that kind. */
  sensor: string;
  /** When the tracker recorded the reading. */
  recorded_at: string;
  /** When it was received. */
  received_at: string;
  /** The same as `temperature_c`. */
  value: number | null;
  /** Of `value`. */
  unit: "°C";
  /** WGS 84, in degrees, north is positive. Null without a fix. */
  latitude: number | null;
  /** WGS 84, in degrees, east is positive. Null without a fix. */
  longitude: number | null;
  /** Degrees Celsius. */
  temperature_c: number | null;
  /** Relative humidity. */
  humidity_percent: number | null;
}

/** Pressure and warmth of a tyre. */
export interface TyreReading {
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** What is measured. */
  kind: "tyre";
  /** Which of the device's sensors of that kind. */
  sensor: string;
  /** When the tracker recorded the reading. */
  recorded_at: string;
  /** When it was received. */
  received_at: string;
  /** The same as `pressure_kpa`. */
  value: number | null;
  /** Of `value`. */
  unit: "kPa";
  /** WGS 84, in degrees, north is positive. Null without a fix. */
  latitude: number | null;
  /** WGS 84, in degrees, east is positive. Null without a fix. */
  longitude: number | null;
  /** Counted from the front, from 1. */
  axle: number | null;
  /** Counted from the left, from 1. */
  wheel: number | null;
  /** Kilopascal; 100 kPa are 1 bar or 14.5 psi. */
  pressure_kpa: number | null;
  /** Degrees Celsius inside the tyre. */
  temperature_c: number | null;
}

/** A change of a record of the type `geofence`. */
export interface GeofenceChange {
  /** What the record is. */
  type: "geofence";
  /** `put`: this is the record now, new or changed. `removed`: there is no such record any more. */
  change: "put" | "removed";
  /** The record's own id. Alert settings have their device's, mileage `device_id/date`, positions and readings a text that stays the same for the same one. */
  id: string;
  /** The device that it belongs to; null for geofences and users. */
  device_id: string | null;
  /** When the change was stored. */
  changed_at: string;
  /** The record as its list shows it; null if it was removed. */
  record: Geofence | null;
}

/** An area that crossings are recorded for, as it is now. */
export interface Geofence {
  /** The geofence's id. */
  geofence_id: string;
  /** What the fleet calls it. */
  name: string;
  /** More about it. */
  description: string | null;
  /** A circle is a `Point`, a polygon a `Polygon`, a corridor a `LineString`. */
  shape: GeofenceShape;
  /** Where it is, as GeoJSON: longitude comes first. */
  geometry: GeofenceGeometry;
  /** Of a circle, in metres; null for the other shapes. */
  radius_m: number | null;
  /** Of a corridor, from edge to edge, in metres; null for the other shapes. */
  width_m: number | null;
  /** West, south, east, north, in degrees. West is greater than east across the antimeridian. */
  bbox: number[];
  /** To draw it with: `#rrggbb`, `#rgb` or a CSS name. */
  color: string | null;
  /** When it was first loaded. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** The shape of a geofence. */
export type GeofenceShape = "circle" | "polygon" | "corridor";

/** GeoJSON (RFC 7946): longitude comes first. */
export type GeofenceGeometry = GeoJsonPoint | GeoJsonPolygon | GeoJsonLineString;

/** The centre of a circle. */
export interface GeoJsonPoint {
  type: "Point";
  /** Longitude, latitude: WGS 84, in degrees. */
  coordinates: number[];
}

/** The outline and, after it, any holes. Rings are closed. */
export interface GeoJsonPolygon {
  type: "Polygon";
  coordinates: number[][][];
}

/** The middle of a corridor. */
export interface GeoJsonLineString {
  type: "LineString";
  coordinates: number[][];
}

/** A change of a record of the type `geofence_event`. */
export interface GeofenceEventChange {
  /** What the record is. */
  type: "geofence_event";
  /** `put`: this is the record now, new or changed. `removed`: there is no such record any more. */
  change: "put" | "removed";
  /** The record's own id. Alert settings have their device's, mileage `device_id/date`, positions and readings a text that stays the same for the same one. */
  id: string;
  /** The device that it belongs to; null for geofences and users. */
  device_id: string | null;
  /** When the change was stored. */
  changed_at: string;
  /** The record as its list shows it; null if it was removed. */
  record: GeofenceEvent | null;
}

/** A device's crossing of a geofence's line. */
export interface GeofenceEvent {
  /** Stays the same when the crossing is derived again. */
  event_id: string;
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** The geofence that was crossed. */
  geofence_id: string;
  /** What it is called now. */
  geofence_name: string;
  /** Which way. */
  event_type: "enter" | "exit";
  /** When the line was crossed, between the two positions on either side of it. */
  occurred_at: string;
  /** WGS 84, in degrees, north is positive. */
  latitude: number;
  /** WGS 84, in degrees, east is positive. */
  longitude: number;
  /** The vehicle's speed, in kilometres per hour. */
  speed_kmh: number | null;
  /** Whether the vehicle crossed the whole geofence between two positions, so that none lies inside. */
  interpolated: boolean;
  /** Seconds by which the crossing may have been earlier; 0 where it is known. */
  time_uncertainty_s: number;
  /** Of an exit: seconds since the entry. Null on entering, or if that was not seen. */
  dwell_s: number | null;
}

/** A change of a record of the type `mileage`. */
export interface MileageChange {
  /** What the record is. */
  type: "mileage";
  /** `put`: this is the record now, new or changed. `removed`: there is no such record any more. */
  change: "put" | "removed";
  /** The record's own id. Alert settings have their device's, mileage `device_id/date`, positions and readings a text that stays the same for the same one. */
  id: string;
  /** The device that it belongs to; null for geofences and users. */
  device_id: string | null;
  /** When the change was stored. */
  changed_at: string;
  /** The record as its list shows it; null if it was removed. */
  record: MileageRow | null;
}

/** One device on one day of a time zone. A day without a valid position has no row. */
export interface MileageRow {
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** The device's name, as it is now. */
  name: string;
  /** The number plate, as it is now. */
  plate: string | null;
  /** The day. */
  date: string;
  /** The IANA time zone that the date is of: the account's, `UTC` unless it has one. Days whose positions were no longer stored when the account got another zone stay days of the earlier one. */
  time_zone: string;
  /** Kilometres driven on that day. */
  distance_km: number;
  /** `odometer` where the vehicle's own is plausible and agrees with the positions, else `gps`. */
  distance_source: "odometer" | "gps";
  /** The odometer at the day's first valid position, in kilometres. */
  start_odometer_km: number | null;
  /** The odometer at the day's last valid position, in kilometres. */
  end_odometer_km: number | null;
  /** Trips on that day. */
  trip_count: number;
  /** Seconds under way. */
  driving_s: number;
  /** Seconds at rest with the engine on. */
  idle_s: number;
  /** The highest speed believed, in kilometres per hour. */
  max_speed_kmh: number | null;
  /** Of the distance, kilometres over which the tracker was silent. */
  gap_distance_km: number;
  /** When the row last changed. Late frames can change a day that is over. */
  updated_at: string;
}

/** A change of a record of the type `user`. */
export interface UserChange {
  /** What the record is. */
  type: "user";
  /** `put`: this is the record now, new or changed. `removed`: there is no such record any more. */
  change: "put" | "removed";
  /** The record's own id. Alert settings have their device's, mileage `device_id/date`, positions and readings a text that stays the same for the same one. */
  id: string;
  /** The device that it belongs to; null for geofences and users. */
  device_id: string | null;
  /** When the change was stored. */
  changed_at: string;
  /** The record as its list shows it; null if it was removed. */
  record: User | null;
}

/** A sub-account: somebody who sees a part of the fleet. */
export interface User {
  /** The sub-account's id. */
  user_id: string;
  /** The person's or the department's name. */
  name: string;
  /** What they sign in with. */
  email: string;
  /** Keys of a disabled user are refused. */
  status: "active" | "disabled";
  /** How many devices the sub-account sees. */
  device_count: number;
  /** When they last signed in to the portal; null: never. */
  last_login_at: string | null;
  /** When the sub-account was first loaded. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** A change of a record of the type `alert_settings`. */
export interface AlertSettingsChange {
  /** What the record is. */
  type: "alert_settings";
  /** `put`: this is the record now, new or changed. `removed`: there is no such record any more. */
  change: "put" | "removed";
  /** The record's own id. Alert settings have their device's, mileage `device_id/date`, positions and readings a text that stays the same for the same one. */
  id: string;
  /** The device that it belongs to; null for geofences and users. */
  device_id: string | null;
  /** When the change was stored. */
  changed_at: string;
  /** The record as its list shows it; null if it was removed. */
  record: AlertSettings | null;
}

/** A device's alert rules, as they are now. */
export interface AlertSettings {
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** Where the device differs from the defaults. Empty: it does not. A key that sees none of a rule's geofences is not shown the rule. */
  rules: AlertRule[];
  /** When the rules last changed; null if none were ever set. */
  updated_at: string | null;
}

/** When to raise an alert. */
export interface AlertRule {
  /** The alert that the rule raises. At present one of `speeding`, `geofence_enter`, `geofence_exit`, `sos`, `crash`, `power_cut`, `tampering`, `jamming`, `harsh_acceleration`, `harsh_braking`, `harsh_cornering`, `towing`, `idling`, `low_battery`, `low_external_voltage`, `fuel_drain`, `fuel_refill`, `temperature_high`, `temperature_low`, `tyre_pressure_low`, `tyre_temperature_high`, `gps_lost`, `device_offline`. */
  alert_type: string;
  /** Whether it is raised. */
  enabled: boolean;
  /** What the alerts have, however bad it gets; where none was set, what those of the type start with. */
  severity: Severity;
  /** The rule's own settings; what is left out is as by default. */
  parameters: Record<string, unknown>;
  /** The geofences that the rule is for, as far as the key sees them. None: it holds everywhere (a geofence alert: nowhere). */
  geofence_ids: string[];
}

/** Every failure has this body. */
export interface ErrorAnswer {
  error: ErrorDetail;
  /** Identifies the call, for support; the same as `X-Request-Id`. */
  request_id: string;
}

/** What went wrong. */
export interface ErrorDetail {
  code: ErrorCode;
  /** For people. Its wording may change. */
  message: string;
  /** With `INSUFFICIENT_SCOPE`: what the endpoint needs. */
  required_scopes?: Scope[];
  /** With `INSUFFICIENT_SCOPE`: what the key holds. */
  granted_scopes?: Scope[];
}

/** Stable: branch on it, never on the message. */
export type ErrorCode =
  | "INVALID_REQUEST"
  | "INVALID_API_KEY"
  | "INSUFFICIENT_SCOPE"
  | "NOT_FOUND"
  | "CURSOR_EXPIRED"
  | "METHOD_NOT_ALLOWED"
  | "RATE_LIMITED"
  | "INTERNAL";

/** What a key may read. */
export type Scope =
  | "devices:read"
  | "positions:read"
  | "trips:read"
  | "alerts:read"
  | "sensors:read"
  | "geofences:read"
  | "users:read"
  | "reports:read";
