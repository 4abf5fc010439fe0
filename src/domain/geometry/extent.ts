import type { BoundingBox } from "./bounding-box.ts";
import type { Place } from "./distance.ts";
import { degreesEast } from "./longitudes.ts";

/** A bounding box by its middle, so that it has no seam at the antimeridian. */
export interface Extent {
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
