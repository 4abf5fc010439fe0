// Made from the description by scripts/client-types.ts: change the description instead.

import type { Time } from "../time.ts";

/** List sensor readings: what may be asked for. */
export interface ListSensorReadingsQuery {
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

/** What a sensor measures. */
export type SensorKind = "fuel" | "temperature" | "tyre";

/** A reading of one sensor, as the tracker sent it. Each kind has keys of its own. */
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
  /** Litres in the tank, as reported; where only the level is, that share of the device's `fuel_tank_capacity_l`. */
  volume_l: number | null;
  /** The vehicle's name, as it is now. Only with `include_names`. */
  device_name?: string | null;
  /** The vehicle's number plate, as it is now. Only with `include_names`. */
  plate?: string | null;
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
  /** The vehicle's name, as it is now. Only with `include_names`. */
  device_name?: string | null;
  /** The vehicle's number plate, as it is now. Only with `include_names`. */
  plate?: string | null;
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
  /** The vehicle's name, as it is now. Only with `include_names`. */
  device_name?: string | null;
  /** The vehicle's number plate, as it is now. Only with `include_names`. */
  plate?: string | null;
}
