import type { GeometryProblem, Path, Position } from "./geojson.ts";

/** A fence as wide as half the globe does not show which side is inside: the other way round is as short. */
const widestDegrees = 180;

/** How far east one meridian is of another by the shorter way: from -180 to 180. */
export function degreesEast(fromLongitude: number, toLongitude: number): number {
  const east = toLongitude - fromLongitude;
  if (east > 180) return east - 360;
  return east < -180 ? east + 360 : east;
}

/** The same meridian, as near to the origin as possible, and so perhaps beyond ±180. */
function unwrapLongitude(longitude: number, originLongitude: number): number {
  const east = longitude - originLongitude;
  if (east > 180) return longitude - 360;
  if (east < -180) return longitude + 360;
  return longitude;
}

/** The positions without the cut at the antimeridian: each within 180 degrees of the origin, usually the first. */
export function unwrapLongitudes(positions: readonly Position[], originLongitude = positions[0]?.[0] ?? 0): Position[] {
  return positions.map(([longitude, latitude]) => [unwrapLongitude(longitude, originLongitude), latitude]);
}

/** From the westernmost to the easternmost of positions that are unwrapped. */
function widthDegrees(unwrapped: readonly Position[]): number {
  let west = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  for (const [longitude] of unwrapped) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
  }
  return Math.max(0, east - west);
}

export function widthProblem(unwrapped: readonly Position[], path: Path): GeometryProblem | null {
  const width = widthDegrees(unwrapped);
  if (width < widestDegrees) return null;
  return { kind: "too wide", path, expected: `less than ${widestDegrees} degrees of longitude`, found: `got ${width}` };
}
