import { earthRadiusMetres, metresPerDegree, radiansPerDegree } from "./bounding-box.ts";
import type { LineString, Point, Polygon, Position, Ring } from "./geojson.ts";
import { unwrapLongitudes } from "./longitudes.ts";
import { crossingEdges } from "./ring.ts";

/** Fences as areas for programs that know polygons only, such as a GIS. To judge where a vehicle is, the shapes themselves count. */
export type AreaGeometry =
  | Polygon
  | { readonly type: "MultiPolygon"; readonly coordinates: readonly (readonly Ring[])[] };

const cornersOfCircle = 64;
/** Of a half circle: the end of a corridor. A bend has as many as its part of it. */
const cornersOfEnd = 16;

export function circlePolygon({ coordinates: [longitude, latitude] }: Point, radiusMetres: number): AreaGeometry {
  const ring = Array.from(
    { length: cornersOfCircle },
    (_, index): Position =>
      // Against the clock, as RFC 7946 wants outlines.
      destination([longitude, latitude], radiusMetres, -(index / cornersOfCircle) * 2 * Math.PI),
  );
  return asArea([ring]);
}

/**
 * All around a corridor. One that crosses or touches itself has no outline without holes: it is given as the areas of its pieces,
 * which overlap at its corners.
 */
export function corridorPolygon({ coordinates }: LineString, widthMetres: number): AreaGeometry {
  const half = widthMetres / 2;
  const line = unwrapLongitudes(coordinates).filter(
    ([x, y], index, all) => index === 0 || x !== all[index - 1]?.[0] || y !== all[index - 1]?.[1],
  );
  const around = outlineAround(line, half);
  if (crossingEdges([[...around, around[0] as Position]]) === null) return asArea([around]);
  return asArea(line.slice(1).map((to, index) => outlineAround([line[index] as Position, to], half)));
}

/** There on its right side and back on its left, with a half circle at both ends. */
function outlineAround(line: readonly Position[], half: number): Position[] {
  const back = line.toReversed();
  return [...sideOf(line, half), ...sideOf(back, half)];
}

/** The right side of a line, and the half circle around its end. */
function sideOf(line: readonly Position[], half: number): Position[] {
  const found: Position[] = [];
  const last = line.length - 1;
  for (let index = 0; index <= last; index++) {
    const at = line[index] as Position;
    const before = index === 0 ? null : directionOf(line[index - 1] as Position, at);
    const after = index === last ? null : directionOf(at, line[index + 1] as Position);
    if (before === null) {
      found.push(offset(at, (after ?? 0) - Math.PI / 2, half));
      continue;
    }
    // At the end it turns back to the left all the way.
    const turn = after === null ? Math.PI : normalised(after - before);
    const start = before - Math.PI / 2;
    if (turn < 0) {
      // The inner side of a bend: where both edges meet.
      found.push(offset(at, start + turn / 2, half / Math.cos(turn / 2)));
      continue;
    }
    const steps = Math.max(1, Math.ceil((turn / Math.PI) * cornersOfEnd));
    // The other side begins where the end is turned around.
    const until = after === null ? steps - 1 : steps;
    for (let step = 0; step <= until; step++) found.push(offset(at, start + (turn * step) / steps, half));
    if (turn === 0) found.splice(-1);
  }
  return found;
}

/** The angle from east, against the clock, on the ground around the first place. */
function directionOf([x, y]: Position, [toX, toY]: Position): number {
  const shrink = Math.cos((y + toY) * 0.5 * radiansPerDegree);
  return Math.atan2(toY - y, (toX - x) * shrink);
}

function normalised(angle: number): number {
  if (angle > Math.PI) return angle - 2 * Math.PI;
  return angle <= -Math.PI ? angle + 2 * Math.PI : angle;
}

function offset([x, y]: Position, angle: number, metres: number): Position {
  const degrees = metres / metresPerDegree;
  return [x + (degrees * Math.cos(angle)) / Math.cos(y * radiansPerDegree), y + degrees * Math.sin(angle)];
}

/** So far along the great circle. `bearing`: from north, with the clock, in radians. */
function destination([longitude, latitude]: Position, metres: number, bearing: number): Position {
  const distance = metres / earthRadiusMetres;
  const from = latitude * radiansPerDegree;
  const to = Math.asin(Math.sin(from) * Math.cos(distance) + Math.cos(from) * Math.sin(distance) * Math.cos(bearing));
  const east = Math.atan2(
    Math.sin(bearing) * Math.sin(distance) * Math.cos(from),
    Math.cos(distance) - Math.sin(from) * Math.sin(to),
  );
  return [longitude + east / radiansPerDegree, to / radiansPerDegree];
}

/** Closed, rounded to a centimetre, and cut where they cross 180 degrees (RFC 7946). */
function asArea(rings: readonly (readonly Position[])[]): AreaGeometry {
  const polygons = rings.flatMap((ring) => piecesOf(ring)).map((ring) => [closed(ring)]);
  const [only, ...others] = polygons;
  return only && others.length === 0
    ? { type: "Polygon", coordinates: only }
    : { type: "MultiPolygon", coordinates: polygons };
}

function piecesOf(ring: readonly Position[]): (readonly Position[])[] {
  const longitudes = ring.map(([x]) => x);
  const edge = Math.max(...longitudes) > 180 ? 180 : Math.min(...longitudes) < -180 ? -180 : null;
  if (edge === null) return [ring];
  const sides = [1, -1].map((sign) => cut(ring, edge, sign).map(([x, y]): Position => [inside(x, edge, sign), y]));
  return sides.filter((side) => side.length > 2);
}

/** What is on the other side of the edge is on the other side of the map. */
function inside(x: number, edge: number, sign: number): number {
  const isBeyond = sign * Math.sign(edge) > 0;
  return isBeyond ? x - 2 * edge : x;
}

/** The part of a ring east (1) or west (-1) of a meridian. */
function cut(ring: readonly Position[], edge: number, sign: number): Position[] {
  const found: Position[] = [];
  for (const [index, to] of ring.entries()) {
    const from = ring.at(index - 1) as Position;
    const [isFrom, isTo] = [from, to].map(([x]) => sign * (x - edge) >= 0);
    if (isFrom !== isTo) {
      const share = (edge - from[0]) / (to[0] - from[0]);
      found.push([edge, from[1] + share * (to[1] - from[1])]);
    }
    if (isTo) found.push(to);
  }
  return found;
}

function closed(ring: readonly Position[]): Ring {
  const rounded = ring.map(([x, y]): Position => [Math.round(x * 1e7) / 1e7, Math.round(y * 1e7) / 1e7]);
  return [...rounded, rounded[0] as Position];
}
