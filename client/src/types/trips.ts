// Made from the description by scripts/client-types.ts: change the description instead.

import type { Time } from "../time.ts";

/** List trips: what may be asked for. */
export interface ListTripsQuery {
  /** Only what was driven with this driver's tag or card: its id, as in frames and in `driver_ids` of `/drivers`. An unknown one gives an empty page. */
  driver_id?: string | undefined;
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

/** List stops: what may be asked for. */
export interface ListStopsQuery {
  /** Only stops in this geofence. One that the key cannot see is 404, same as an unknown one. */
  geofence_id?: string | undefined;
  /** Only stops of at least this many seconds. An open one counts as long as it has lasted by its newest frame. */
  min_duration_s?: number | undefined;
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

/** A drive from one stop to the next. */
export interface Trip {
  /** Stays the same when the trip is derived again, unless it is first seen under way at another moment then. */
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
  /** Whether the vehicle was moved without being driven: towed or on a ferry, say. Then `distance_km` is 0. */
  is_carried: boolean;
  /** Kilometres that it was carried instead; null of a trip that a version before 2.0 derived from frames that are gone. */
  carried_km: number | null;
  /** Seconds from the start to the end, or to the newest position while in progress. */
  duration_s: number;
  /** Seconds of these with the engine on and the vehicle at rest. */
  idle_s: number;
  /** The highest speed believed, in kilometres per hour. Where the tracker reports none, by its positions over 20 to 30 s. */
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
  /** When the trip was known: when the frame was received from which on it is listed. Null of a trip that a version before 1.2 derived from frames that are gone. */
  received_at: string | null;
  /** When the record last changed. Late frames can change a trip after its end. */
  updated_at: string;
  /** What the driver's tag or card said, such as an iButton; of a trip, the first that was sent. Null if none was. */
  driver_id: string | null;
  /** What the owner of the account calls this driver now; null if no driver is named. */
  driver_name: string | null;
  /** Who drove, first to last: more than one after a handover, none where no tag or card was sent. */
  drivers: TripDriver[];
  /** The vehicle's name, as it is now. Only with `include_names`. */
  device_name?: string | null;
  /** The vehicle's number plate, as it is now. Only with `include_names`. */
  plate?: string | null;
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

/** A driver of a trip. */
export interface TripDriver {
  /** What the driver's tag or card said. */
  driver_id: string;
  /** What the owner of the account calls this driver now; null if no driver is named. */
  driver_name: string | null;
  /** Since when; of the first, the start of the trip. */
  from: string;
  /** Until when: the next one's `from`, or the end of the trip; null while in progress. */
  until: string | null;
}

/** Where a vehicle stood between two trips, or has stood since the last one. */
export interface Stop {
  /** Stays the same when the stop is derived again, unless it follows a trip that is first seen under way at another moment then. */
  stop_id: string;
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** `open` until the next trip has begun. */
  status: "open" | "ended";
  /** When the trip before it ended. */
  started_at: string;
  /** When the next trip started; null while the stop is open. */
  ended_at: string | null;
  /** Seconds from the start to the end, or to the newest frame while it is open. */
  duration_s: number;
  /** WGS 84, in degrees, north is positive. */
  latitude: number;
  /** WGS 84, in degrees, east is positive. */
  longitude: number;
  /** The geofences that the vehicle was in, as they were then and as its crossings were found. */
  geofence_ids: string[];
  /** Seconds of these with the ignition on. Null if the tracker does not report it, or some frames of the stop are gone. */
  ignition_on_s: number | null;
  /** The trip that ended here. */
  trip_before_id: string;
  /** The trip that began here; null while the stop is open. */
  trip_after_id: string | null;
  /** When the record last changed. Late frames can change a stop after its end. */
  updated_at: string;
  /** The vehicle's name, as it is now. Only with `include_names`. */
  device_name?: string | null;
  /** The vehicle's number plate, as it is now. Only with `include_names`. */
  plate?: string | null;
  /** The names of these geofences, as they are now, without those that the key does not see. Only with `include_names`. */
  geofence_names?: string[];
}
