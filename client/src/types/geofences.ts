// Made from the description by scripts/client-types.ts: change the description instead.

import type { Time } from "../time.ts";

/** List a device's geofences: what may be asked for. */
export interface ListDeviceGeofencesQuery {
  /** Only these fields of each record, separated by commas. Fields that identify a row are always there: ids, and where they are the key, time, date, period, tag. A field that this answer cannot have is 400. Records then lack others that their schema requires: `/openapi.json?rows=any` describes them so. Omitted: all fields. */
  fields?: string | undefined;
  /** Adds names beside their ids: `device_name`, `plate`, `geofence_name`, `geofence_names`, `user_name`. Null: none, or not to be seen. */
  include_names?: boolean | undefined;
}

/** List geofences: what may be asked for. */
export interface ListGeofencesQuery {
  /** Rows per page. */
  limit?: number | undefined;
  /** Only these fields of each record, separated by commas. Fields that identify a row are always there: ids, and where they are the key, time, date, period, tag. A field that this answer cannot have is 400. Records then lack others that their schema requires: `/openapi.json?rows=any` describes them so. Omitted: all fields. */
  fields?: string | undefined;
  /** Adds names beside their ids: `device_name`, `plate`, `geofence_name`, `geofence_names`, `user_name`. Null: none, or not to be seen. */
  include_names?: boolean | undefined;
}

/** List geofence crossings: what may be asked for. */
export interface ListGeofenceEventsQuery {
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

/** A geofence with what it is to one device. */
export interface AssignedGeofence {
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
  /** When it was assigned to the device. */
  assigned_at: string;
  /** Whether the device is inside; null while it has no position. */
  inside: boolean | null;
  /** The geofence's name, as it is now. Only with `include_names`. */
  geofence_name?: string | null;
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
  /** The geofence's name, as it is now. Only with `include_names`. */
  geofence_name?: string | null;
}

/** A device's crossing of a geofence's line. */
export interface GeofenceEvent {
  /** Stays the same when the crossing is derived again, unless it is found at another moment then. */
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
  /** When the crossing was known: when the frame that confirmed it was received. Null of one that a version before 1.2 derived from frames that are gone. */
  received_at: string | null;
  /** When the last of the frames that it is made from was received: a late one can change a crossing. Null as `received_at` is. */
  updated_at: string | null;
  /** The vehicle's name, as it is now. Only with `include_names`. */
  device_name?: string | null;
  /** The vehicle's number plate, as it is now. Only with `include_names`. */
  plate?: string | null;
}
