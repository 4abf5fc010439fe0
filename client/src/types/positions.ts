// Made from the description by scripts/client-types.ts: change the description instead.

import type { Time } from "../time.ts";

/** List live positions: what may be asked for. */
export interface ListLatestPositionsQuery {
  /** Only devices that have exactly this tag now. An unknown tag gives an empty page. */
  tag?: string | undefined;
  /** Narrows to one device. Omitted: every device the key can see. A device the key cannot see is 404, same as an unknown one. */
  device_id?: string | undefined;
  /** Narrows to one device by its IMEI, as an alternative to `device_id`. An IMEI the key cannot see is 404, same as an unknown one and as a text that is none. Given both, they must name the same device. */
  imei?: string | undefined;
  /** A place, as latitude and longitude in degrees (WGS 84) with a comma between them. Rows get `distance_m` and are ordered by it. There is one page then, the nearest `limit` devices, and `next_cursor` is null. */
  near?: string | undefined;
  /** With `near`: only devices within so many metres of it. */
  radius_m?: number | undefined;
  /** Rows per page. */
  limit?: number | undefined;
  /** Only these fields of each record, separated by commas. Fields that identify a row are always there: ids, and where they are the key, time, date, period, tag. A field that this answer cannot have is 400. Records then lack others that their schema requires: `/openapi.json?rows=any` describes them so. Omitted: all fields. */
  fields?: string | undefined;
  /** Adds names beside their ids: `device_name`, `plate`, `geofence_name`, `geofence_names`, `user_name`. Null: none, or not to be seen. */
  include_names?: boolean | undefined;
}

/** List stored positions: what may be asked for. */
export interface ListPositionHistoryQuery {
  /** Drops the frames that the quality filter rejected (no fix, implausible jumps). */
  valid_only?: boolean | undefined;
  /** Only devices that have exactly this tag now. An unknown tag gives an empty page. */
  tag?: string | undefined;
  /** The device. Required, unless `imei` names it instead; given both, they must name the same one. */
  device_id?: string | undefined;
  /** The device by its IMEI, instead of `device_id`. An IMEI the key cannot see is 404, same as an unknown one and as a text that is none. */
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

/** List positions at a time: what may be asked for. */
export interface ListPositionsAtQuery {
  /** The moment: positions that were recorded at or before it. A cursor carries it. Without an offset the time is UTC; a date alone is its midnight. `24:00:00` is the next midnight, a leap second (`:60`) the next minute. The year in UTC is from 0000 to 9999. */
  time: Time;
  /** How old a position may be at that time, in seconds. A device without one that young is absent. */
  max_age_s?: number | undefined;
  /** Narrows to one device. Omitted: every device the key can see. A device the key cannot see is 404, same as an unknown one. */
  device_id?: string | undefined;
  /** Narrows to one device by its IMEI, as an alternative to `device_id`. An IMEI the key cannot see is 404, same as an unknown one and as a text that is none. Given both, they must name the same device. */
  imei?: string | undefined;
  /** Only devices that have exactly this tag now. An unknown tag gives an empty page. */
  tag?: string | undefined;
  /** A place, as latitude and longitude in degrees (WGS 84) with a comma between them. Rows get `distance_m` and are ordered by it. There is one page then, the nearest `limit` devices, and `next_cursor` is null. */
  near?: string | undefined;
  /** With `near`: only devices within so many metres of it. */
  radius_m?: number | undefined;
  /** Rows per page. */
  limit?: number | undefined;
  /** Only these fields of each record, separated by commas. Fields that identify a row are always there: ids, and where they are the key, time, date, period, tag. A field that this answer cannot have is 400. Records then lack others that their schema requires: `/openapi.json?rows=any` describes them so. Omitted: all fields. */
  fields?: string | undefined;
  /** Adds names beside their ids: `device_name`, `plate`, `geofence_name`, `geofence_names`, `user_name`. Null: none, or not to be seen. */
  include_names?: boolean | undefined;
}

/** A device's newest valid frame. A device that never had one is not listed. */
export interface LatestPosition {
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** When the tracker recorded the frame. */
  recorded_at: string;
  /** When the frame was received. Long after `recorded_at` if the tracker was offline. */
  received_at: string;
  /** WGS 84, in degrees, north is positive. */
  latitude: number | null;
  /** WGS 84, in degrees, east is positive. */
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
  /** Always true: a rejected frame never becomes the live position. */
  valid: true;
  /** Always null. */
  reject_reason: string | null;
  /** Whether the vehicle is believed to have been moved here, such as on a ferry: no distance is counted. */
  discontinuity: boolean;
  /** What the driver's tag or card said, such as an iButton; of a trip, the first that was sent. Null if none was. */
  driver_id: string | null;
  /** What the owner of the account calls this driver now; null if no driver is named. */
  driver_name: string | null;
  /** Whose clock `recorded_at` is by: `tracker`; `receipt` where the message had no time, or an alarm none that can be read, so that it is when the frame was received. */
  time_source: TimeSource;
  /** The device's name. */
  name: string;
  /** The vehicle's number plate. */
  plate: string | null;
  /** Since when the ignition has been as it is. */
  ignition_since: string | null;
  /** The trip under way; null while the vehicle is parked. */
  trip_id: string | null;
  /** The geofences, of those assigned to the device, that it is inside of. */
  geofence_ids: string[];
  /** Metres from `near`, as the crow flies. Only if the request has `near`. */
  distance_m?: number;
  /** The vehicle's name, as it is now. Only with `include_names`. */
  device_name?: string | null;
  /** The names of these geofences, as they are now, without those that the key does not see. Only with `include_names`. */
  geofence_names?: string[];
}

/** Whose clock a time is by. */
export type TimeSource = "tracker" | "receipt";

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
  /** What the driver's tag or card said, such as an iButton; of a trip, the first that was sent. Null if none was. */
  driver_id: string | null;
  /** What the owner of the account calls this driver now; null if no driver is named. */
  driver_name: string | null;
  /** Whose clock `recorded_at` is by: `tracker`; `receipt` where the message had no time, or an alarm none that can be read, so that it is when the frame was received. */
  time_source: TimeSource;
  /** The vehicle's name, as it is now. Only with `include_names`. */
  device_name?: string | null;
  /** The vehicle's number plate, as it is now. Only with `include_names`. */
  plate?: string | null;
}

/** A device's last valid frame at or before the requested time. */
export interface PositionAt {
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** When the tracker recorded the frame. */
  recorded_at: string;
  /** When the frame was received. Long after `recorded_at` if the tracker was offline. */
  received_at: string;
  /** WGS 84, in degrees, north is positive. */
  latitude: number | null;
  /** WGS 84, in degrees, east is positive. */
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
  /** Always true. */
  valid: true;
  /** Always null. */
  reject_reason: string | null;
  /** Whether the vehicle is believed to have been moved here, such as on a ferry: no distance is counted. */
  discontinuity: boolean;
  /** What the driver's tag or card said, such as an iButton; of a trip, the first that was sent. Null if none was. */
  driver_id: string | null;
  /** What the owner of the account calls this driver now; null if no driver is named. */
  driver_name: string | null;
  /** Whose clock `recorded_at` is by: `tracker`; `receipt` where the message had no time, or an alarm none that can be read, so that it is when the frame was received. */
  time_source: TimeSource;
  /** Seconds from `recorded_at` to the requested time. */
  age_s: number;
  /** Metres from `near`, as the crow flies; null without `near`. */
  distance_m: number | null;
  /** The vehicle's name, as it is now. Only with `include_names`. */
  device_name?: string | null;
  /** The vehicle's number plate, as it is now. Only with `include_names`. */
  plate?: string | null;
}
