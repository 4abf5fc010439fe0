import { metresBetween, type Place } from "../../domain/geometry/distance.ts";
import type { Random } from "../random.ts";

/** The shape of a road on the ground: straight between its points. */
export interface Shape {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** The way from the start to each point. */
  readonly metres: Float64Array;
}

const degreesPerMetre = 1 / 111_195;

export function placeAside(place: Place, metres: number, headingDeg: number): Place {
  const radians = (headingDeg * Math.PI) / 180;
  const shrink = Math.cos((place.latitude * Math.PI) / 180);
  return {
    latitude: place.latitude + Math.cos(radians) * metres * degreesPerMetre,
    longitude: place.longitude + (Math.sin(radians) * metres * degreesPerMetre) / shrink,
  };
}

export function headingBetween(fromLat: number, fromLon: number, toLat: number, toLon: number): number {
  const east = (toLon - fromLon) * Math.cos((fromLat * Math.PI) / 180);
  const degrees = (Math.atan2(east, toLat - fromLat) * 180) / Math.PI;
  return degrees < 0 ? degrees + 360 : degrees;
}

/** The middle of each half is moved aside by less and less. Each bend goes its own way: few ways are mirrored. */
export function windingRoad(from: Place, to: Place, winding: number, shapeMetres: number, random: Random): Shape {
  const places: Place[] = [from];
  const bend = (one: Place, other: Place, part: number) => {
    const metres = metresBetween(one, other);
    if (metres <= shapeMetres) {
      places.push(other);
      return;
    }
    const heading = headingBetween(one.latitude, one.longitude, other.latitude, other.longitude);
    const middle = {
      latitude: (one.latitude + other.latitude) / 2,
      longitude: (one.longitude + other.longitude) / 2,
    };
    // Long roads bend as much as short ones do, not more.
    const aside = placeAside(middle, random.between(-1, 1) * part * Math.min(metres, 4_000), heading + 90);
    bend(one, aside, part * 0.85);
    bend(aside, other, part * 0.85);
  };
  bend(from, to, winding);
  return shapeOf(places);
}

function shapeOf(places: readonly Place[]): Shape {
  const latitudes = Float64Array.from(places, ({ latitude }) => latitude);
  const longitudes = Float64Array.from(places, ({ longitude }) => longitude);
  const metres = new Float64Array(places.length);
  for (let index = 1; index < places.length; index++) {
    const step = metresBetween(places[index - 1] as Place, places[index] as Place);
    metres[index] = (metres[index - 1] as number) + step;
  }
  return { latitudes, longitudes, metres };
}

export function placesOf({ latitudes, longitudes }: Shape): Place[] {
  return Array.from(latitudes, (latitude, index) => ({ latitude, longitude: longitudes[index] as number }));
}

export function reversed(shape: Shape): Shape {
  return shapeOf(placesOf(shape).reverse());
}

/** The two parts of a road, and where it is cut: at a fraction of its length. */
export function splitShape(
  shape: Shape,
  fraction: number,
): { readonly at: Place; readonly parts: readonly [Shape, Shape] } {
  const places = placesOf(shape);
  const length = shape.metres.at(-1) ?? 0;
  const metres = length * fraction;
  const after = Math.max(
    1,
    shape.metres.findIndex((reached) => reached >= metres),
  );
  const before = places[after - 1] as Place;
  const next = places[after] as Place;
  const start = shape.metres[after - 1] as number;
  const part = (metres - start) / ((shape.metres[after] as number) - start);
  const at = {
    latitude: before.latitude + (next.latitude - before.latitude) * part,
    longitude: before.longitude + (next.longitude - before.longitude) * part,
  };
  return { at, parts: [shapeOf([...places.slice(0, after), at]), shapeOf([at, ...places.slice(after)])] };
}
