import { radiansPerDegree } from "./bounding-box.ts";
import { metresBetween, type Place } from "./distance.ts";
import type { Position } from "./geojson.ts";
import { degreesEast } from "./longitudes.ts";

/** The rings of a polygon, or a line, ready to be measured. Longitudes are east of the first vertex: no antimeridian. */
export interface Outline {
  readonly originLongitude: number;
  /** The middle between the westernmost and the easternmost vertex. */
  readonly middleX: number;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly runs: readonly EdgeRun[];
}

/** Consecutive edges with the box around them, so that most can be skipped eight at a time. */
export interface EdgeRun {
  readonly first: number;
  readonly last: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const edgesPerRun = 8;

export function outlineOf(chains: readonly (readonly Position[])[]): Outline {
  const originLongitude = chains[0]?.[0]?.[0] ?? 0;
  const positions = chains.flat();
  const xs = Float64Array.from(positions, ([longitude]) => degreesEast(originLongitude, longitude));
  const ys = Float64Array.from(positions, ([, latitude]) => latitude);
  const runs: EdgeRun[] = [];
  let start = 0;
  for (const chain of chains) {
    const end = start + chain.length - 1;
    for (let first = start; first < end; first += edgesPerRun) {
      runs.push(runOf(xs, ys, first, Math.min(first + edgesPerRun, end)));
    }
    start = end + 1;
  }
  const west = runs.reduce((least, run) => Math.min(least, run.west), Number.POSITIVE_INFINITY);
  const east = runs.reduce((most, run) => Math.max(most, run.east), Number.NEGATIVE_INFINITY);
  return { originLongitude, middleX: (west + east) / 2, xs, ys, runs };
}

function runOf(xs: Float64Array, ys: Float64Array, first: number, last: number): EdgeRun {
  const someXs = xs.subarray(first, last + 1);
  const someYs = ys.subarray(first, last + 1);
  return {
    first,
    last,
    west: Math.min(...someXs),
    south: Math.min(...someYs),
    east: Math.max(...someXs),
    north: Math.max(...someYs),
  };
}

/** Degrees east of the outline's first vertex, by the shorter way round the globe from its middle. */
export function eastOfOrigin(outline: Outline, longitude: number): number {
  const x = degreesEast(outline.originLongitude, longitude);
  if (x - outline.middleX > 180) return x - 360;
  return x - outline.middleX < -180 ? x + 360 : x;
}

/** Whether a place is within closed chains and not in a hole. On an edge, the answer may be either. */
export function encloses(outline: Outline, place: Place): boolean {
  const { xs, ys, runs } = outline;
  const x = eastOfOrigin(outline, place.longitude);
  const y = place.latitude;
  let isInside = false;
  for (const run of runs) {
    if (run.north <= y || run.south > y || run.east < x) continue;
    if (run.west > x) {
      // All of it is east of the place: it crosses the parallel an odd number of times if its ends are on opposite
      // sides.
      if ((ys[run.first] as number) > y !== (ys[run.last] as number) > y) isInside = !isInside;
      continue;
    }
    for (let index = run.first; index < run.last; index++) {
      const aY = ys[index] as number;
      const bY = ys[index + 1] as number;
      if (aY > y === bY > y) continue;
      const aX = xs[index] as number;
      if (x < aX + ((y - aY) / (bY - aY)) * ((xs[index + 1] as number) - aX)) isInside = !isInside;
    }
  }
  return isInside;
}

/**
 * How far a place is from the nearest edge. The nearest point is found on a plane around the place, where edges are
 * straight and a degree of longitude has its local length; the distance to it is then measured on the sphere. If two
 * edges are almost equally far, the wrong one may be chosen: tens of metres off at ten kilometres, millimetres within a
 * fence's buffer.
 */
export function metresToOutline(outline: Outline, place: Place): number {
  const { xs, ys, runs } = outline;
  const x = eastOfOrigin(outline, place.longitude);
  const y = place.latitude;
  const shrink = Math.cos(y * radiansPerDegree);
  let least = Number.POSITIVE_INFINITY;
  let nearestX = 0;
  let nearestY = 0;
  // The run whose box is nearest comes first: then few others have to be checked.
  const start = nearestRun(runs, x, y, shrink);
  for (let nth = 0; nth < runs.length; nth++) {
    const run = runs[nth === 0 ? start : nth <= start ? nth - 1 : nth] as EdgeRun;
    if (squaredDistanceToBox(run, x, y, shrink) >= least) continue;
    let aX = ((xs[run.first] as number) - x) * shrink;
    let aY = (ys[run.first] as number) - y;
    for (let index = run.first + 1; index <= run.last; index++) {
      const bX = ((xs[index] as number) - x) * shrink;
      const bY = (ys[index] as number) - y;
      const dX = bX - aX;
      const dY = bY - aY;
      const length = dX * dX + dY * dY;
      const along = length === 0 ? 0 : -(aX * dX + aY * dY) / length;
      const pX = along <= 0 ? aX : along >= 1 ? bX : aX + along * dX;
      const pY = along <= 0 ? aY : along >= 1 ? bY : aY + along * dY;
      const squared = pX * pX + pY * pY;
      if (squared < least) {
        least = squared;
        nearestX = pX;
        nearestY = pY;
      }
      aX = bX;
      aY = bY;
    }
  }
  if (least === 0) return 0;
  return metresBetween(place, { latitude: y + nearestY, longitude: place.longitude + nearestX / shrink });
}

function nearestRun(runs: readonly EdgeRun[], x: number, y: number, shrink: number): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < runs.length && least > 0; index++) {
    const squared = squaredDistanceToBox(runs[index] as EdgeRun, x, y, shrink);
    if (squared < least) {
      least = squared;
      nearest = index;
    }
  }
  return nearest;
}

/** The squared distance of a place from the run's box; 0 within it. */
function squaredDistanceToBox({ west, south, east, north }: EdgeRun, x: number, y: number, shrink: number): number {
  const besideX = (x < west ? west - x : x > east ? x - east : 0) * shrink;
  const besideY = y < south ? south - y : y > north ? y - north : 0;
  return besideX * besideX + besideY * besideY;
}
