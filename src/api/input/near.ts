import { metresBetween, type Place } from "../../domain/geometry/distance.ts";
import { type Input, type Parameter, query, wholeNumber } from "./parameter.ts";

const fraction = "(\\.[0-9]{1,15})?";
const degreesTo90 = `-?(90(\\.0{1,15})?|[1-8]?[0-9]${fraction})`;
const degreesTo180 = `-?(180(\\.0{1,15})?|(1[0-7]|[1-9])?[0-9]${fraction})`;
const pattern = `^${degreesTo90},${degreesTo180}$`;

/** As it was written, so that a cursor can carry it: `placeNear` reads it. */
export const near: Parameter<string> = {
  ...query,
  name: "near",
  description:
    "A place, as latitude and longitude in degrees (WGS 84) with a comma between them. Rows get `distance_m` and are ordered " +
    "by it. There is one page then, the nearest `limit` devices, and `next_cursor` is null.",
  schema: { type: "string", pattern },
  example: "52.52,13.405",
  expected: "a latitude from -90 to 90 and a longitude from -180 to 180, such as 52.52,13.405",
  read: (text) => (new RegExp(pattern).test(text) ? text : undefined),
};

/** No two places on the Earth are further apart. */
const maxRadiusMetres = 20_040_000;

export const radius = wholeNumber({
  name: "radius_m",
  description: "With `near`: only devices within so many metres of it.",
  minimum: 1,
  maximum: maxRadiusMetres,
  example: 2000,
});

export function radiusProblems({ input }: { readonly input: Input }): string[] {
  return input.names(radius) && !input.names(near) ? ["radius_m: expected together with `near`"] : [];
}

/** Where to look from, and how far; null for any distance. */
export interface Nearby {
  readonly place: Place;
  readonly radiusMetres: number | null;
}

export function nearbyOf(text: string | null, radiusMetres: number | null): Nearby | null {
  if (text === null) return null;
  const [latitude = 0, longitude = 0] = text.split(",").map(Number);
  return { place: { latitude, longitude }, radiusMetres };
}

export type AtDistance<Row> = Row & { readonly distance_m: number };

/** Collects the rows nearest to a place. Of many it holds few: a row may hold a whole block of frames. */
export class Nearest<Row extends { readonly device_id: string }> {
  readonly #nearby: Nearby;
  readonly #count: number;
  #rows: AtDistance<Row>[] = [];

  constructor(nearby: Nearby, count: number) {
    this.#nearby = nearby;
    this.#count = count;
  }

  add(
    row: Row,
    { latitude, longitude }: { readonly latitude: number | null; readonly longitude: number | null },
  ): void {
    if (latitude === null || longitude === null) return;
    const { place, radiusMetres } = this.#nearby;
    // As it is shown, so that a reader finds the order and the bound to hold.
    const distance_m = Math.round(metresBetween(place, { latitude, longitude }) * 10) / 10;
    if (radiusMetres !== null && distance_m > radiusMetres) return;
    this.#rows.push({ ...row, distance_m });
    if (this.#rows.length >= 2 * this.#count) this.#rows = this.rows();
  }

  rows(): AtDistance<Row>[] {
    return this.#rows.sort(byDistance).slice(0, this.#count);
  }
}

function byDistance(
  one: { readonly distance_m: number; readonly device_id: string },
  other: { readonly distance_m: number; readonly device_id: string },
): number {
  return one.distance_m - other.distance_m || (one.device_id < other.device_id ? -1 : 1);
}
