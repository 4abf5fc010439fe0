// Made from the description by scripts/client-types.ts: change the description instead.

import type { Time } from "../time.ts";
import type { GeofenceGeometry, GeofenceShape } from "./changes.ts";

/** List geofences: what may be asked for. */
export interface ListGeofencesQuery {
  /** Rows per page. */
  limit?: number | undefined;
}

/** List geofence crossings: what may be asked for. */
export interface ListGeofenceEventsQuery {
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
}
