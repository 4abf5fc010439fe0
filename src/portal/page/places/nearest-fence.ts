import type { Place } from "../../../domain/geometry/distance.ts";
import type { Geofence } from "../api/records.ts";
import { leastMetresToFence, metresToFence } from "./fence-distance.ts";
import { FenceGrid } from "./fence-grid.ts";

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
  const near = new FenceGrid(fences, 0.05, nearMetres);
  const far = new FenceGrid(fences, 0.25, reachMetres);
  const find = (grid: FenceGrid, place: Place, withinMetres: number) => {
    let inside: Geofence | null = null;
    let nearest: NearestFence | null = null;
    for (const fence of grid.near(place.latitude, place.longitude)) {
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

/** For comparing only. */
function size({ bbox: [west = 0, south = 0, east = 0, north = 0] }: Geofence): number {
  return (north - south) * (east < west ? east + 360 - west : east - west);
}
