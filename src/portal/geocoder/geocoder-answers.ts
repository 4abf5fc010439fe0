import { z } from "zod";

/** The two kinds of geocoders that fleets run themselves. Pure: how each is asked, and what its answer names. */
export const geocoderKinds = ["photon", "nominatim"] as const;
export type GeocoderKind = (typeof geocoderKinds)[number];

/** The address to ask. The operator's own may be the server's or that of its `/reverse`, with parameters such as a key. */
export function questionOf(kind: GeocoderKind, base: URL, latitude: string, longitude: string): URL {
  const url = new URL(base);
  url.username = url.password = "";
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith("/reverse") ? path : `${path}/reverse`;
  // Photon refuses parameters that it does not know, Nominatim answers with XML without this one.
  if (kind === "nominatim") url.searchParams.set("format", "jsonv2");
  url.searchParams.set("lat", latitude);
  url.searchParams.set("lon", longitude);
  return url;
}

/**
 * Controls, line separators and half characters; and what turns the direction of writing, also of the words that follow a
 * name. Joiners stay: several scripts need them.
 */
const unwanted = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]+/gu;

/** A line break within a name separates words. */
function cleaned(name: string): string {
  return name.replace(unwanted, (found) => (/\s/.test(found) ? " " : "")).trim();
}

const text = z
  .string()
  // What is empty then is as good as absent.
  .transform((name) => cleaned(name) || undefined)
  .optional()
  .catch(undefined);

const photonAnswer = z.object({
  type: z.literal("FeatureCollection"),
  features: z.array(
    z.object({
      properties: z.object({
        name: text,
        housenumber: text,
        street: text,
        locality: text,
        district: text,
        city: text,
        county: text,
        countrycode: text,
      }),
    }),
  ),
});

const nominatimAnswer = z.union([
  z.object({
    display_name: z.string().transform(cleaned),
    name: text,
    address: z
      .object({
        house_number: text,
        road: text,
        hamlet: text,
        suburb: text,
        village: text,
        town: text,
        city: text,
        municipality: text,
        county: text,
        country_code: text,
      })
      .optional(),
  }),
  // Its answer for a place in the middle of the sea.
  z.object({ error: z.string() }),
]);

/** The name in an answer, null if the place has none, undefined if no geocoder of this kind answers so. */
export function nameIn(kind: GeocoderKind, answer: unknown): string | null | undefined {
  return kind === "photon" ? nameInPhoton(answer) : nameInNominatim(answer);
}

function nameInPhoton(answer: unknown): string | null | undefined {
  const { success, data } = photonAnswer.safeParse(answer);
  if (!success) return undefined;
  const found = data.features[0]?.properties;
  if (!found) return null;
  const { name, street, housenumber, countrycode } = found;
  // A feature is a house, or a street, which is then the name.
  const road = street === undefined ? name : inStreet(street, housenumber, countrycode);
  return joined(road, found.city ?? found.locality ?? found.district ?? found.county);
}

function nameInNominatim(answer: unknown): string | null | undefined {
  const { success, data } = nominatimAnswer.safeParse(answer);
  if (!success) return undefined;
  if (!("display_name" in data)) return null;
  const { name, display_name, address = {} } = data;
  const { road, house_number, country_code } = address;
  const street = road === undefined ? name || undefined : inStreet(road, house_number, country_code);
  const { city, town, village, municipality, hamlet, suburb, county } = address;
  const settlement = city ?? town ?? village ?? municipality ?? hamlet ?? suburb ?? county;
  return joined(street, settlement) ?? (shortened(display_name) || null);
}

/** Where the number of a house comes first. */
const numberFirst = new Set("us ca gb ie au nz za in fr lu my sg ph th".split(" "));

function inStreet(street: string, number: string | undefined, country: string | undefined): string {
  if (number === undefined) return street;
  return numberFirst.has((country ?? "").toLowerCase()) ? `${number} ${street}` : `${street} ${number}`;
}

const maxNameLength = 120;

function joined(first: string | undefined, second: string | undefined): string | null {
  const words = [first, second === first ? undefined : second].filter((word) => word !== undefined && word !== "");
  return words.length === 0 ? null : shortened(words.join(", "));
}

function shortened(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name;
}
