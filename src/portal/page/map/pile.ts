import { metresBetween, type Place } from "../../../domain/geometry/distance.ts";

/** Nearer to each other than this, vehicles cannot be told apart on a map: a position is right to some metres. */
const pileMetres = 25;

/** Whether all of them are in one place. Pure. */
export function isPile(places: readonly Place[]): boolean {
  const latitudes = places.map(({ latitude }) => latitude);
  const longitudes = places.map(({ longitude }) => longitude);
  const southWest = { latitude: Math.min(...latitudes), longitude: Math.min(...longitudes) };
  const northEast = { latitude: Math.max(...latitudes), longitude: Math.max(...longitudes) };
  return metresBetween(southWest, northEast) <= pileMetres;
}
