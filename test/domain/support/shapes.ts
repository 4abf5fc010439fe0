import type { FenceShape } from "../../../src/domain/geometry/fence-shape.ts";
import type { Position, Ring } from "../../../src/domain/geometry/geojson.ts";

export function circleOf(coordinates: Position, radiusM: number): FenceShape {
  return { shape: "circle", geometry: { type: "Point", coordinates }, radiusM, widthM: null };
}

export function polygonOf(...coordinates: Ring[]): FenceShape {
  return { shape: "polygon", geometry: { type: "Polygon", coordinates }, radiusM: null, widthM: null };
}

export function corridorOf(coordinates: readonly Position[], widthM: number): FenceShape {
  return { shape: "corridor", geometry: { type: "LineString", coordinates }, radiusM: null, widthM };
}
