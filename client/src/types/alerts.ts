// Made from the description by scripts/client-types.ts: change the description instead.

import type { Time } from "../time.ts";
import type { Severity } from "./devices.ts";

/** List alerts: what may be asked for. */
export interface ListAlertsQuery {
  /** Only alerts that are acknowledged, or only those that are not. Omitted: both. */
  acknowledged?: boolean | undefined;
  /** Only alerts of this severity. */
  severity?: Severity | undefined;
  /** Only alerts of exactly this type. It is not checked against a list: an unknown type gives an empty page. */
  alert_type?: string | undefined;
  /** Only alerts whose `value` is at least this. Alerts without a value are left out. */
  min_value?: number | undefined;
  /** Only alerts whose `value` is at most this. Alerts without a value are left out. */
  max_value?: number | undefined;
  /** Only devices that have exactly this tag now. An unknown tag gives an empty page. */
  tag?: string | undefined;
  /** Narrows to one device. Omitted: every device the key can see. A device the key cannot see is 404, same as an unknown one. */
  device_id?: string | undefined;
  /** Narrows to one device by its IMEI, as an alternative to `device_id`. An IMEI the key cannot see is 404, same as an unknown one and as a text that is none. Given both, they must name the same device. */
  imei?: string | undefined;
  /** Start of the window, included; earlier than `to`. Default: 24 hours before `to`. Without an offset the time is UTC; a date alone is its midnight. `24:00:00` is the next midnight, a leap second (`:60`) the next minute. The year in UTC is from 0000 to 9999. */
  from?: Time | undefined;
  /** End of the window, not included. Default: now. Without an offset the time is UTC; a date alone is its midnight. `24:00:00` is the next midnight, a leap second (`:60`) the next minute. The year in UTC is from 0000 to 9999. */
  to?: Time | undefined;
  /** Rows per page. */
  limit?: number | undefined;
  /** Only these fields of each record, separated by commas. Fields that identify a row are always there: ids, and where they are the key, time, date, period, tag. A field that this answer cannot have is 400. Records then lack others that their schema requires: `/openapi.json?rows=any` describes them so. Omitted: all fields. */
  fields?: string | undefined;
  /** Adds names beside their ids: `device_name`, `plate`, `geofence_name`, `geofence_names`, `user_name`. Null: none, or not to be seen. */
  include_names?: boolean | undefined;
}

/** What a rule raised, or the tracker itself reported. */
export interface Alert {
  /** Stays the same when the alert is derived again, unless it begins at another moment then. */
  alert_id: string;
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** What it is about. At present one of `speeding`, `geofence_enter`, `geofence_exit`, `sos`, `crash`, `power_cut`, `tampering`, `jamming`, `harsh_acceleration`, `harsh_braking`, `harsh_cornering`, `towing`, `unauthorised_movement`, `idling`, `low_battery`, `low_external_voltage`, `fuel_drain`, `fuel_refill`, `temperature_high`, `temperature_low`, `tyre_pressure_low`, `tyre_temperature_high`, `gps_lost`, `device_offline`. */
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
  /** Whether a user has acknowledged it. */
  acknowledged: boolean;
  /** When it was acknowledged. */
  acknowledged_at: string | null;
  /** The id of the user who acknowledged it. */
  acknowledged_by: string | null;
  /** When it last changed: when the last frame that changed it was received, or when it was acknowledged. Null of one that a version before 1.2 derived from frames that are gone. */
  updated_at: string | null;
  /** The vehicle's name, as it is now. Only with `include_names`. */
  device_name?: string | null;
  /** The vehicle's number plate, as it is now. Only with `include_names`. */
  plate?: string | null;
  /** The geofence's name, as it is now. Only with `include_names`. */
  geofence_name?: string | null;
  /** The person's name, for a key with the scope `users:read`. Only with `include_names`. */
  user_name?: string | null;
}
