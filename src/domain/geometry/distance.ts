import { earthRadiusMetres, radiansPerDegree } from "./bounding-box.ts";

/** A place on the ground, in degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** To the last digit. Two that are missing are the same. */
export function isSamePlace(one: Place | null, other: Place | null): boolean {
  return one?.latitude === other?.latitude && one?.longitude === other?.longitude;
}

/** Along the great circle, by the haversine. It does not matter whether a longitude is given as 181 or as -179. */
export function metresBetween(from: Place, to: Place): number {
  const halfLatitude = Math.sin(((to.latitude - from.latitude) * radiansPerDegree) / 2);
  const halfLongitude = Math.sin(((to.longitude - from.longitude) * radiansPerDegree) / 2);
  const cosines = Math.cos(from.latitude * radiansPerDegree) * Math.cos(to.latitude * radiansPerDegree);
  const chord = halfLatitude * halfLatitude + cosines * halfLongitude * halfLongitude;
  return 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Distances are added up in whole millimetres, so that a sum is the same in any order. */
export function toMm(metres: number): number {
  return Math.round(metres * 1000);
}
