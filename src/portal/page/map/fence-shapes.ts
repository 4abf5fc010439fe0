import type { Feature, FeatureCollection, Point, Polygon } from "geojson";
import type { Geofence } from "../api/records.ts";

const earthRadiusMetres = 6_371_008.8;
const equatorMetres = 40_075_016.686;
/** Pixels around the world at zoom 0. */
const worldPixels = 512;
const cornersOfCircle = 64;
/** From afar such a circle is too small for dashes. */
const smallRadiusMetres = 500;

/** What is drawn of a fence. */
export type DrawnFence = Pick<Geofence, "geofence_id" | "name" | "color" | "geometry" | "radius_m" | "width_m">;

/** Fences as they are drawn: a circle becomes a polygon, a corridor a line as wide as it is on the ground. Pure. */
export function fenceFeatures(fences: readonly DrawnFence[]): FeatureCollection {
  const features = fences.map((fence): Feature => {
    const { geofence_id: id, geometry, radius_m, width_m, name, color } = fence;
    const isSmall = (radius_m ?? 0) < smallRadiusMetres;
    if (geometry.type === "Point")
      return { type: "Feature", properties: { id, name, color, isSmall }, geometry: ring(geometry, radius_m ?? 0) };
    if (geometry.type === "Polygon") return { type: "Feature", properties: { id, name, color }, geometry };
    const latitude = geometry.coordinates[0]?.[1] ?? 0;
    const pixels = ((width_m ?? 0) * worldPixels) / (equatorMetres * Math.cos((latitude * Math.PI) / 180));
    return { type: "Feature", properties: { id, name, color, pixelsAtZoom0: pixels }, geometry };
  });
  return { type: "FeatureCollection", features };
}

/** Where the names of fences are drawn: at the northern edge of an area, in the middle of a corridor. Pure. */
export function fenceNamePoints(fences: readonly DrawnFence[]): FeatureCollection<Point> {
  const features = fenceFeatures(fences).features.map(({ geometry, properties }): Feature<Point> => {
    const corners = geometry.type === "Polygon" ? (geometry.coordinates[0] ?? []) : [];
    const line = geometry.type === "LineString" ? geometry.coordinates : [];
    const middle = line[Math.floor(line.length / 2)];
    const northernmost = corners.reduce(
      (best, corner) => ((corner[1] ?? 0) > (best[1] ?? 0) ? corner : best),
      [0, -90],
    );
    return { type: "Feature", properties, geometry: { type: "Point", coordinates: middle ?? northernmost } };
  });
  return { type: "FeatureCollection", features };
}

function ring({ coordinates }: Point, radiusMetres: number): Polygon {
  const [longitude = 0, latitude = 0] = coordinates;
  const north = ((radiusMetres / earthRadiusMetres) * 180) / Math.PI;
  const east = north / Math.cos((latitude * Math.PI) / 180);
  const corners = Array.from({ length: cornersOfCircle + 1 }, (_, index) => {
    const angle = (index / cornersOfCircle) * 2 * Math.PI;
    return [longitude + east * Math.sin(angle), latitude + north * Math.cos(angle)];
  });
  return { type: "Polygon", coordinates: [corners] };
}
