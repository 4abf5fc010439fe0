import { type BoundingBox, boundingBox } from "./bounding-box.ts";
import { metresBetween, type Place } from "./distance.ts";
import type { FenceShape } from "./fence-shape.ts";
import { polygonInradiusMetres } from "./inradius.ts";
import { degreesEast } from "./longitudes.ts";
import { encloses, metresToOutline, type Outline, outlineOf } from "./outline.ts";

/** A fence's shape, prepared once to be measured against many places. */
export type FenceArea = CircleArea | PolygonArea | CorridorArea;

interface Bounds {
  readonly extent: Extent;
}

interface CircleArea extends Bounds {
  readonly shape: "circle";
  readonly centre: Place;
  readonly radiusMetres: number;
}

interface PolygonArea extends Bounds {
  readonly shape: "polygon";
  readonly outline: Outline;
  readonly inradiusMetres: number;
}

interface CorridorArea extends Bounds {
  readonly shape: "corridor";
  readonly line: Outline;
  readonly halfWidthMetres: number;
}

export function prepareFence(fence: FenceShape): FenceArea {
  const extent = extentOf(boundingBox(fence));
  switch (fence.shape) {
    case "circle": {
      const [longitude, latitude] = fence.geometry.coordinates;
      return { shape: "circle", extent, centre: { latitude, longitude }, radiusMetres: fence.radiusM };
    }
    case "polygon": {
      const outline = outlineOf(fence.geometry.coordinates);
      const inradiusMetres = polygonInradiusMetres(outline, fence.geometry.coordinates.length - 1);
      return { shape: "polygon", extent, outline, inradiusMetres };
    }
    case "corridor": {
      const line = outlineOf([fence.geometry.coordinates]);
      return { shape: "corridor", extent, line, halfWidthMetres: fence.widthM / 2 };
    }
  }
}

/** How far a place is from the fence's edge: negative inside, 0 on the edge, positive outside. */
export function signedDistanceMetres(area: FenceArea, place: Place): number {
  switch (area.shape) {
    case "circle":
      return metresBetween(area.centre, place) - area.radiusMetres;
    case "polygon": {
      const metres = metresToOutline(area.outline, place);
      return metres > 0 && encloses(area.outline, place) ? -metres : metres;
    }
    case "corridor":
      return metresToOutline(area.line, place) - area.halfWidthMetres;
  }
}

/** Whether a place is inside the fence or on its edge. */
export function contains(area: FenceArea, place: Place): boolean {
  return mayMeet(area.extent, place, place) && signedDistanceMetres(area, place) <= 0;
}

/** The radius of the largest circle that fits: of a polygon exact to a few per cent, of a sliver perhaps only half. */
export function inradiusMetres(area: FenceArea): number {
  switch (area.shape) {
    case "circle":
      return area.radiusMetres;
    case "polygon":
      return area.inradiusMetres;
    case "corridor":
      return area.halfWidthMetres;
  }
}

/** A bounding box by its middle, so that it has no seam at the antimeridian. */
interface Extent {
  readonly middleLongitude: number;
  readonly halfWidthDegrees: number;
  readonly south: number;
  readonly north: number;
}

/** A tenth of a millimetre: far above rounding errors, far below what a fix resolves. */
const roundingDegrees = 1e-9;

export function extentOf([west, south, east, north]: BoundingBox): Extent {
  const width = east >= west ? east - west : east - west + 360;
  return {
    middleLongitude: degreesEast(0, west + width / 2),
    halfWidthDegrees: width / 2 + roundingDegrees,
    south: south - roundingDegrees,
    north: north + roundingDegrees,
  };
}

/** False only if the straight way between the two places stays outside the box. Both may be the same place. */
export function mayMeet(extent: Extent, from: Place, to: Place): boolean {
  if (from.latitude < extent.south && to.latitude < extent.south) return false;
  if (from.latitude > extent.north && to.latitude > extent.north) return false;
  const halfWay = degreesEast(from.longitude, to.longitude) / 2;
  const apart = degreesEast(extent.middleLongitude, degreesEast(0, from.longitude + halfWay));
  return Math.abs(apart) <= extent.halfWidthDegrees + Math.abs(halfWay);
}
