// Made from the description by scripts/client-types.ts: change the description instead.

import type { Time } from "../time.ts";

/** Report mileage: what may be asked for. */
export interface ReportMileageQuery {
  /** Only devices that have exactly this tag now. An unknown tag gives an empty page. */
  tag?: string | undefined;
  /** Narrows to one device. Omitted: every device the key can see. A device the key cannot see is 404, same as an unknown one. */
  device_id?: string | undefined;
  /** Narrows to one device by its IMEI, as an alternative to `device_id`. An IMEI the key cannot see is 404, same as an unknown one and as a text that is none. Given both, they must name the same device. */
  imei?: string | undefined;
  /** Start of the window, included; earlier than `to`. Default: 24 hours before `to`, or the date before it if `to` is a date. A date alone is the midnight with which that day starts in the account's time zone; a time without an offset is UTC. `24:00:00` is the next midnight, a leap second (`:60`) the next minute. The year in UTC is from 0000 to 9999. */
  from?: Time | undefined;
  /** End of the window, not included. Default: now. A date alone is the midnight with which that day starts in the account's time zone; a time without an offset is UTC. `24:00:00` is the next midnight, a leap second (`:60`) the next minute. The year in UTC is from 0000 to 9999. */
  to?: Time | undefined;
  /** Only these fields of each record, separated by commas. Fields that identify a row are always there: ids, and where they are the key, time, date, period, tag. A field that this answer cannot have is 400. Records then lack others that their schema requires: `/openapi.json?rows=any` describes them so. Omitted: all fields. */
  fields?: string | undefined;
  /** Adds names beside their ids: `device_name`, `plate`, `geofence_name`, `geofence_names`, `user_name`. Null: none, or not to be seen. */
  include_names?: boolean | undefined;
}

/** Report sums of mileage: what may be asked for. */
export interface ReportMileageSumsQuery {
  /** One row for each day, week (from Monday) or month, or one for the whole window. */
  period?: SumPeriod | undefined;
  /** Sums of each device, of the devices with each tag, of each driver, or of all devices. A device with two tags counts in each; devices without one are the last rows, whose `tag` is null. Tags are those of now. By driver: the trips of each, cut at midnight as days are; ways without a driver are the last rows, whose `driver_id` is null. */
  group_by?: "device" | "tag" | "driver" | "fleet" | undefined;
  /** Only what was driven with this driver's tag or card: its id, as in frames and in `driver_ids` of `/drivers`. An unknown one gives an empty page. */
  driver_id?: string | undefined;
  /** Only devices that have exactly this tag now. An unknown tag gives an empty page. */
  tag?: string | undefined;
  /** Narrows to one device. Omitted: every device the key can see. A device the key cannot see is 404, same as an unknown one. */
  device_id?: string | undefined;
  /** Narrows to one device by its IMEI, as an alternative to `device_id`. An IMEI the key cannot see is 404, same as an unknown one and as a text that is none. Given both, they must name the same device. */
  imei?: string | undefined;
  /** Start of the window, included; earlier than `to`. Default: 24 hours before `to`, or the date before it if `to` is a date. A date alone is the midnight with which that day starts in the account's time zone; a time without an offset is UTC. `24:00:00` is the next midnight, a leap second (`:60`) the next minute. The year in UTC is from 0000 to 9999. */
  from?: Time | undefined;
  /** End of the window, not included. Default: now. A date alone is the midnight with which that day starts in the account's time zone; a time without an offset is UTC. `24:00:00` is the next midnight, a leap second (`:60`) the next minute. The year in UTC is from 0000 to 9999. */
  to?: Time | undefined;
  /** Rows per page. */
  limit?: number | undefined;
  /** Only these fields of each record, separated by commas. Fields that identify a row are always there: ids, and where they are the key, time, date, period, tag. A field that this answer cannot have is 400. Records then lack others that their schema requires: `/openapi.json?rows=any` describes them so. Omitted: all fields. */
  fields?: string | undefined;
  /** Adds names beside their ids: `device_name`, `plate`, `geofence_name`, `geofence_names`, `user_name`. Null: none, or not to be seen. */
  include_names?: boolean | undefined;
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
  /** The highest speed believed, in kilometres per hour. Where the tracker reports none, by its positions over 20 to 30 s. */
  max_speed_kmh: number | null;
  /** Of the distance, kilometres over which the tracker was silent. */
  gap_distance_km: number;
  /** Kilometres that the vehicle was moved without being driven: towed or on a ferry, say. No part of `distance_km`. Null of days that a version before 2.0 derived from frames that are gone. */
  carried_km: number | null;
  /** When the row last changed. Late frames can change a day that is over. */
  updated_at: string;
  /** The vehicle's name, as it is now. Only with `include_names`. */
  device_name?: string | null;
}

/** How long the periods of sums are. */
export type SumPeriod = "day" | "week" | "month" | "total";

/** What one device, the devices with a tag, one driver, or all devices drove in a period. A period without a row of mileage has none here. */
export interface MileageSums {
  /** The first day of the period that is in the window. */
  period_start: string;
  /** The day after the last one that is in the window. */
  period_end: string;
  /** The IANA time zone of the days: the account's. */
  time_zone: string;
  /** The device's id; null unless by device. */
  device_id: string | null;
  /** The tracker's IMEI; null unless by device. */
  imei: string | null;
  /** The device's name, as it is now; null unless by device. */
  name: string | null;
  /** The number plate, as it is now; null unless by device. */
  plate: string | null;
  /** The tag that the devices have now; null unless by tag, and for devices without any. A device with two tags counts in each. */
  tag: string | null;
  /** The id of the driver's tag or card; null unless by driver, and for what was driven without one. */
  driver_id: string | null;
  /** What the owner of the account calls this driver now; null if no driver is named. */
  driver_name: string | null;
  /** Devices that have a row of mileage in the period. */
  device_count: number;
  /** Kilometres driven. */
  distance_km: number;
  /** Trips. */
  trip_count: number;
  /** Seconds under way. */
  driving_s: number;
  /** Seconds at rest with the engine on. */
  idle_s: number;
  /** The highest speed believed, in kilometres per hour. */
  max_speed_kmh: number | null;
  /** Of the distance, kilometres over which trackers were silent. */
  gap_distance_km: number;
  /** Kilometres that vehicles were moved without being driven: towed or on a ferry, say. No part of `distance_km`, and no driver's. Null if a day of these is one that a version before 2.0 derived from frames that are gone. */
  carried_km: number | null;
  /** The vehicle's name, as it is now. Only with `include_names`. */
  device_name?: string | null;
}
