import { radiansPerDegree } from "../../../domain/geometry/bounding-box.ts";
import { metresBetween, type Place } from "../../../domain/geometry/distance.ts";
import { degreesEast } from "../../../domain/geometry/longitudes.ts";
import { encloses, metresToOutline, type Outline, outlineOf } from "../../../domain/geometry/outline.ts";
import type { Geofence } from "../contract/data.ts";

/** Farther away, a fence says nothing about a place. */
const reachMetres = 20_000;
/** Most places are this near to some fence, and then few have to be measured. */
const nearMetres = 2_000;

export interface NearestFence {
  readonly fence: Geofence;
  /** To its edge; 0 inside. */
  readonly metres: number;
}

/** The fence that a place is in, the smallest if there are several; or else the nearest one. */
export type FindFence = (place: Place) => NearestFence | null;

export interface Fences {
  readonly rows: readonly Geofence[];
  readonly byId: ReadonlyMap<string, Geofence>;
  readonly find: FindFence;
}

/** Prepares thousands of fences once, to be asked for thousands of places. Pure. */
export function fenceFinder(fences: readonly Geofence[]): FindFence {
  if (fences.length === 0) return () => null;
  const near = fenceGrid(fences, 0.05, nearMetres);
  const far = fenceGrid(fences, 0.25, reachMetres);
  const find = (fencesAround: FencesAround, place: Place, withinMetres: number) => {
    let inside: Geofence | null = null;
    let nearest: NearestFence | null = null;
    for (const fence of fencesAround(place)) {
      const limit = inside ? 0 : Math.min(withinMetres, nearest?.metres ?? Number.POSITIVE_INFINITY);
      if (leastMetresToFence(fence, place) > limit) continue;
      const metres = metresToFence(fence, place);
      if (metres <= 0) inside = inside === null || size(fence) < size(inside) ? fence : inside;
      else if (metres <= limit && (nearest === null || metres < nearest.metres)) nearest = { fence, metres };
    }
    return inside ? { fence: inside, metres: 0 } : nearest;
  };
  // A vehicle at rest is asked for again with every poll.
  const known = new WeakMap<Place, NearestFence | null>();
  return (place) => {
    const before = known.get(place);
    if (before !== undefined) return before;
    const found = find(near, place, nearMetres) ?? find(far, place, reachMetres);
    known.set(place, found);
    return found;
  };
}

/** In degrees. East is beyond 180 where the fence lies across the antimeridian. */
function boxAround({ bbox: [west = 0, south = 0, east = 0, north = 0] }: Geofence) {
  return { west, south, east: east < west ? east + 360 : east, north };
}

/** For comparing only. */
function size(fence: Geofence): number {
  const { west, south, east, north } = boxAround(fence);
  return (north - south) * (east - west);
}

/** A fence that is all over the place is looked at always, rather than from thousands of cells. */
const maxCells = 400;
/** Shorter than any degree of latitude, so that no fence in reach is missed. */
const metresPerDegree = 110_000;
/** Nearer to a pole there are no roads, and degrees of longitude have no length. */
const smallestCosine = 0.02;

type FencesAround = (place: Place) => Iterable<Geofence>;

/** Which fences may be within reach of a place: those of one cell, found without looking at the others. */
function fenceGrid(fences: readonly Geofence[], cellDegrees: number, reachMetres: number): FencesAround {
  const columns = Math.round(360 / cellDegrees);
  const cells = new Map<number, Geofence[]>();
  const wide: Geofence[] = [];
  const reach = reachMetres / metresPerDegree;
  const index = (degrees: number) => Math.floor(degrees / cellDegrees);
  const cellAt = (row: number, column: number) => row * columns + (((column % columns) + columns) % columns);
  for (const fence of fences) {
    const { west, south, east, north } = boxAround(fence);
    const farthest = Math.max(Math.abs(south), Math.abs(north)) + reach;
    const cosine = Math.max(smallestCosine, Math.cos(Math.min(90, farthest) * radiansPerDegree));
    const [firstRow, lastRow] = [index(south - reach), index(north + reach)];
    const [firstColumn, lastColumn] = [index(west - reach / cosine), index(east + reach / cosine)];
    if ((lastRow - firstRow + 1) * (lastColumn - firstColumn + 1) > maxCells) {
      wide.push(fence);
      continue;
    }
    for (let row = firstRow; row <= lastRow; row++) {
      for (let column = firstColumn; column <= lastColumn; column++) {
        const cell = cellAt(row, column);
        const known = cells.get(cell);
        if (known) known.push(fence);
        else cells.set(cell, [fence]);
      }
    }
  }
  return function* ({ latitude, longitude }) {
    yield* cells.get(cellAt(index(latitude), index(longitude))) ?? [];
    yield* wide;
  };
}

/** Outlines take longest to make, and few fences are ever near a vehicle: so each is made when it is first needed. */
const outlines = new WeakMap<Geofence, Outline>();

/** How far a place is from the edge of a fence, in metres; 0 or less inside. Crossings are measured like this, too. */
function metresToFence(fence: Geofence, place: Place): number {
  const { geometry, radius_m, width_m } = fence;
  if (geometry.type === "Point") {
    const [longitude = 0, latitude = 0] = geometry.coordinates;
    return metresBetween({ latitude, longitude }, place) - (radius_m ?? 0);
  }
  let outline = outlines.get(fence);
  if (!outline) {
    const chains = geometry.type === "Polygon" ? geometry.coordinates : [geometry.coordinates];
    outline = outlineOf(chains as [number, number][][]);
    outlines.set(fence, outline);
  }
  const metres = metresToOutline(outline, place);
  if (geometry.type === "LineString") return metres - (width_m ?? 0) / 2;
  return encloses(outline, place) ? -metres : metres;
}

/** The distance is at least this: that to the box around the fence, a little shortened because degrees are not flat. */
function leastMetresToFence(fence: Geofence, { latitude, longitude }: Place): number {
  const { west, south, east, north } = boxAround(fence);
  const halfWidth = (east - west) / 2;
  const beside = Math.max(0, Math.abs(degreesEast(west + halfWidth, longitude)) - halfWidth);
  const above = latitude > north ? latitude - north : latitude < south ? south - latitude : 0;
  const degrees = Math.hypot(above, beside * Math.cos(latitude * radiansPerDegree));
  return degrees * metresPerDegree * 0.97;
}
