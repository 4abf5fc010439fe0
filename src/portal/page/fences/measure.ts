import { boundingBox, earthRadiusMetres, radiansPerDegree } from "../../../domain/geometry/bounding-box.ts";
import { metresBetween } from "../../../domain/geometry/distance.ts";
import type { FenceShape } from "../../../domain/geometry/fence-shape.ts";
import type { Position, Ring } from "../../../domain/geometry/geojson.ts";
import { unwrapLongitudes } from "../../../domain/geometry/longitudes.ts";
import type { Show } from "../../both-sides/reading/show.ts";

/** How large fences are, in words. Pure. */

const metresPerFoot = 0.3048;
const squareMetresPerAcre = 4046.8564224;

/** The unit of radius and width: what a person paces out. */
export function metresUnit(show: Pick<Show, "distanceUnit">): { readonly name: "m" | "ft"; readonly metres: number } {
  return show.distanceUnit === "km" ? { name: "m", metres: 1 } : { name: "ft", metres: metresPerFoot };
}

export function showMetres(metres: number, show: Pick<Show, "distanceUnit" | "number" | "distance">): string {
  if (metres >= 10_000) return show.distance(metres / 1000);
  const unit = metresUnit(show);
  return `${show.number(Math.round(metres / unit.metres))} ${unit.name}`;
}

export function showArea(squareMetres: number, show: Pick<Show, "distanceUnit" | "number">): string {
  if (show.distanceUnit === "km") {
    if (squareMetres < 10_000) return `${show.number(squareMetres)} m²`;
    return squareMetres < 1_000_000
      ? `${show.number(squareMetres / 10_000, 1)} ha`
      : `${show.number(squareMetres / 1_000_000, squareMetres < 100_000_000 ? 1 : 0)} km²`;
  }
  const acres = squareMetres / squareMetresPerAcre;
  if (acres < 1) return `${show.number(squareMetres / metresPerFoot ** 2)} ft²`;
  return acres < 640 ? `${show.number(acres, 1)} acres` : `${show.number(acres / 640, 1)} mi²`;
}

export function lengthMetres(line: readonly Position[]): number {
  let sum = 0;
  for (const [index, to] of line.entries()) {
    const from = line[index - 1];
    if (from) sum += metresBetween(placeOf(from), placeOf(to));
  }
  return sum;
}

/** Of the outline without its holes. */
export function areaSquareMetres([outline = [], ...holes]: readonly Ring[]): number {
  return holes.reduce((left, hole) => left - ringArea(hole), ringArea(outline));
}

/** On the sphere, by the trapezoids between each edge and the equator in a projection that keeps areas. */
function ringArea(ring: Ring): number {
  let twice = 0;
  const points = unwrapLongitudes(ring);
  for (const [index, to] of points.entries()) {
    const from = points[index - 1];
    if (!from) continue;
    const east = (to[0] - from[0]) * radiansPerDegree;
    twice += east * (Math.sin(from[1] * radiansPerDegree) + Math.sin(to[1] * radiansPerDegree));
  }
  return (Math.abs(twice) / 2) * earthRadiusMetres ** 2;
}

/** West, south, east, north; east beyond 180 where the fence lies across the antimeridian. */
export function fenceBounds(fence: FenceShape): [number, number, number, number] {
  const [west, south, east, north] = boundingBox(fence);
  return [west, south, east < west ? east + 360 : east, north];
}

export function metresApart(from: Position, to: Position): number {
  return metresBetween(placeOf(from), placeOf(to));
}

/** The point this far east: where the handle of a circle's radius is. */
export function eastOf([longitude, latitude]: Position, metres: number): Position {
  const degrees = metres / earthRadiusMetres / radiansPerDegree / Math.cos(latitude * radiansPerDegree);
  return [longitude + degrees, latitude];
}

function placeOf([longitude, latitude]: Position) {
  return { longitude, latitude };
}
