import { radiansPerDegree } from "../../../domain/geometry/bounding-box.ts";
import { metresBetween, type Place } from "../../../domain/geometry/distance.ts";
import { degreesEast } from "../../../domain/geometry/longitudes.ts";
import { encloses, metresToOutline, type Outline, outlineOf } from "../../../domain/geometry/outline.ts";
import type { Geofence } from "../api/records.ts";

type Positions = [number, number][];

/** Outlines take longest to make, and few fences are ever near a vehicle: so each is made when it is first needed. */
const outlines = new WeakMap<Geofence, Outline>();

/** How far a place is from the edge of a fence, in metres; 0 or less inside. The same measure as for crossings. */
export function metresToFence(fence: Geofence, place: Place): number {
  const { geometry, radius_m, width_m } = fence;
  if (geometry.type === "Point") {
    const [longitude = 0, latitude = 0] = geometry.coordinates;
    return metresBetween({ latitude, longitude }, place) - (radius_m ?? 0);
  }
  let outline = outlines.get(fence);
  if (!outline) {
    const chains = geometry.type === "Polygon" ? geometry.coordinates : [geometry.coordinates];
    outline = outlineOf(chains as Positions[]);
    outlines.set(fence, outline);
  }
  const metres = metresToOutline(outline, place);
  if (geometry.type === "LineString") return metres - (width_m ?? 0) / 2;
  return encloses(outline, place) ? -metres : metres;
}

/** The distance is at least this: that to the box around the fence, a little shortened because degrees are not flat. */
export function leastMetresToFence({ bbox }: Geofence, { latitude, longitude }: Place): number {
  const [west = 0, south = 0, east = 0, north = 0] = bbox;
  const halfWidth = (east < west ? east + 360 - west : east - west) / 2;
  const beside = Math.max(0, Math.abs(degreesEast(west + halfWidth, longitude)) - halfWidth);
  const above = latitude > north ? latitude - north : latitude < south ? south - latitude : 0;
  const degrees = Math.hypot(above, beside * Math.cos(latitude * radiansPerDegree));
  return degrees * 110_000 * 0.97;
}
