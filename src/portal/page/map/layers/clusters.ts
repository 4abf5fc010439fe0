import { metresBetween, type Place } from "../../../../domain/geometry/distance.ts";
import { motions, type ShownMotion } from "../../common/vehicles/motion.ts";

/** Vehicles that lie on one another on the map. Pure. */

export const ringParts = 12;

interface Arc {
  readonly motion: ShownMotion;
  /** Of the whole ring, from 0 to 1. */
  readonly from: number;
  readonly to: number;
}

/** An arc for each state in a cluster, from the top clockwise. The parts are rounded up: the ring may have fewer. */
export function arcsOf(parts: readonly number[]): Arc[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  let from = 0;
  return motions.flatMap((motion, index) => {
    const share = (parts[index] ?? 0) / (total || 1);
    if (share === 0) return [];
    const arc = { motion, from, to: from + share };
    from = arc.to;
    return [arc];
  });
}

/** Nearer to each other than this, vehicles cannot be seen apart on a map: a position is right to some metres. */
const pileMetres = 25;

export function isPile(places: readonly Place[]): boolean {
  const latitudes = places.map(({ latitude }) => latitude);
  const longitudes = places.map(({ longitude }) => longitude);
  const southWest = { latitude: Math.min(...latitudes), longitude: Math.min(...longitudes) };
  const northEast = { latitude: Math.max(...latitudes), longitude: Math.max(...longitudes) };
  return metresBetween(southWest, northEast) <= pileMetres;
}
