import type { Feature, Point, Polygon, Position } from "geojson";
import { metresPerDegree, radiansPerDegree } from "../../../../domain/geometry/bounding-box.ts";
import type { Geofence } from "../../../both-sides/contract/data.ts";
import { feature, pointFeature } from "../style/features.ts";

const equatorMetres = 40_075_016.686;
/** Pixels around the world at zoom 0. */
const worldPixels = 512;
const cornersOfCircle = 64;
/** From afar such a circle is too small for dashes. */
const smallRadiusMetres = 500;

export type DrawnFence = Pick<Geofence, "geofence_id" | "name" | "color" | "geometry" | "radius_m" | "width_m">;

/** Fences as they are drawn: a circle becomes a polygon, a corridor a line as wide as it is on the ground. Pure. */
export function fenceFeatures(fences: readonly DrawnFence[]): Feature[] {
  return fences.map(({ geofence_id: id, geometry, radius_m, width_m, name, color }) => {
    const properties = { id, name, color };
    if (geometry.type === "Polygon") return feature(geometry, properties);
    if (geometry.type === "Point") {
      const isSmall = (radius_m ?? 0) < smallRadiusMetres;
      return feature(ring(geometry, radius_m ?? 0), { ...properties, isSmall });
    }
    const latitude = geometry.coordinates[0]?.[1] ?? 0;
    const pixelsAtZoom0 = ((width_m ?? 0) * worldPixels) / (equatorMetres * Math.cos(latitude * radiansPerDegree));
    return feature(geometry, { ...properties, pixelsAtZoom0 });
  });
}

/** Where the names of fences are drawn: at the northern edge of an area, in the middle of a corridor. Pure. */
export function fenceNamePoints(fences: readonly DrawnFence[]): Feature<Point>[] {
  return fenceFeatures(fences).map(({ geometry, properties }) => {
    if (geometry.type === "LineString") {
      const middle = geometry.coordinates[Math.floor(geometry.coordinates.length / 2)];
      return pointFeature(middle ?? [0, -90], properties);
    }
    const corners = geometry.type === "Polygon" ? (geometry.coordinates[0] ?? []) : [];
    const northernmost = corners.reduce<Position>(
      (best, corner) => ((corner[1] ?? 0) > (best[1] ?? 0) ? corner : best),
      [0, -90],
    );
    return pointFeature(northernmost, properties);
  });
}

function ring({ coordinates }: Point, radiusMetres: number): Polygon {
  const [longitude = 0, latitude = 0] = coordinates;
  const north = radiusMetres / metresPerDegree;
  const east = north / Math.cos(latitude * radiansPerDegree);
  const corners = Array.from({ length: cornersOfCircle + 1 }, (_, index) => {
    const angle = (index / cornersOfCircle) * 2 * Math.PI;
    return [longitude + east * Math.sin(angle), latitude + north * Math.cos(angle)];
  });
  return { type: "Polygon", coordinates: [corners] };
}
