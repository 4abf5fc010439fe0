import type { FenceShape } from "./fence-shape.ts";
import type { Position } from "./geojson.ts";
import { unwrapLongitudes } from "./longitudes.ts";

/** The mean radius of the Earth: every distance in Odograph is one on this sphere. */
export const earthRadiusMetres = 6_371_008.8;

/** GeoJSON's bbox. West is greater than east if the box spans the antimeridian. */
export type BoundingBox = readonly [west: number, south: number, east: number, north: number];

export const radiansPerDegree = Math.PI / 180;
export const metresPerDegree = earthRadiusMetres * radiansPerDegree;
const degreesPerRadian = 180 / Math.PI;

export function middleOf([west, south, east, north]: BoundingBox): Position {
  const middle = (west + east + (west > east ? 360 : 0)) / 2;
  return [middle > 180 ? middle - 360 : middle, (south + north) / 2];
}

/** The smallest box around a polygon or circle. Around a corridor it may be larger, by less than the corridor's width. */
export function boundingBox(fence: FenceShape): BoundingBox {
  switch (fence.shape) {
    case "circle":
      return boxAround([fence.geometry.coordinates], fence.radiusM);
    case "polygon":
      return boxAround(fence.geometry.coordinates[0] ?? [], 0);
    case "corridor":
      return boxAround(fence.geometry.coordinates, fence.widthM / 2);
  }
}

function boxAround(positions: readonly Position[], marginMetres: number): BoundingBox {
  const unwrapped = unwrapLongitudes(positions);
  const longitudes = unwrapped.map(([longitude]) => longitude);
  const latitudes = unwrapped.map(([, latitude]) => latitude);
  const marginRadians = marginMetres / earthRadiusMetres;
  const south = Math.min(...latitudes) - marginRadians * degreesPerRadian;
  const north = Math.max(...latitudes) + marginRadians * degreesPerRadian;
  const touchesPole = marginMetres > 0 && (south <= -90 || north >= 90);
  if (touchesPole) return [-180, Math.max(south, -90), 180, Math.min(north, 90)];

  // The meridians that touch a circle do so nearer the pole than its centre, where a degree is shorter.
  const highestLatitude = Math.max(...latitudes.map(Math.abs));
  const cosine = Math.cos(highestLatitude / degreesPerRadian);
  const marginDegrees =
    marginMetres > 0 ? Math.asin(Math.min(1, Math.sin(marginRadians) / cosine)) * degreesPerRadian : 0;
  return wrapped(Math.min(...longitudes) - marginDegrees, south, Math.max(...longitudes) + marginDegrees, north);
}

/** Brings unwrapped edges back to ±180. A box that only touches the antimeridian does not span it. */
function wrapped(west: number, south: number, east: number, north: number): BoundingBox {
  if (east - west >= 360) return [-180, south, 180, north];
  if (east <= -180) return [west + 360, south, east + 360, north];
  if (west >= 180) return [west - 360, south, east - 360, north];
  return [west < -180 ? west + 360 : west, south, east > 180 ? east - 360 : east, north];
}
