import type { Place } from "../../domain/geometry/distance.ts";
import { type Input, type Parameter, query, wholeNumber } from "./parameter.ts";

const fraction = "(\\.[0-9]{1,15})?";
const degreesTo90 = `-?(90(\\.0{1,15})?|[1-8]?[0-9]${fraction})`;
const degreesTo180 = `-?(180(\\.0{1,15})?|(1[0-7]|[1-9])?[0-9]${fraction})`;
const pattern = `^${degreesTo90},${degreesTo180}$`;

/** As it was written, so that a cursor can carry it: `placeNear` reads it. */
export const nearParameter: Parameter<string> = {
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
  return input.names(radius) && !input.names(nearParameter) ? ["radius_m: expected together with `near`"] : [];
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
