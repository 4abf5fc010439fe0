import { z } from "zod";
import { readFields } from "../read-body.ts";
import { portalRoute } from "../route.ts";
import { townOf } from "../towns/town-of.ts";

/** As many rows as a list begins with. */
const maxPlaces = 100;

const noStreet = { name: null, mayChange: false };

const expected = `expected 1 to ${maxPlaces} places as degrees: latitude,longitude`;
const degrees = /^(-?\d{1,3}(?:\.\d{1,20})?),(-?\d{1,3}(?:\.\d{1,20})?)$/;

const place = z.string().transform((text, context) => {
  const [latitude = Number.NaN, longitude = Number.NaN] = (degrees.exec(text) ?? []).slice(1).map(Number);
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude };
  context.addIssue({ code: "custom", message: expected });
  return z.NEVER;
});

const query = z.object({
  at: z.array(place).min(1, expected).max(maxPlaces, expected),
  streets: z.literal("false", 'expected "false" or nothing').optional(),
});

/**
 * Streets and towns of places. Without a geocoder and tiles, or if these fail, there are no streets: that is no error. With
 * `streets=false` nobody is asked for them.
 */
export const showPlaces = portalRoute("GET /places", "signed in", async ({ parts: { placeNames }, query: text }) => {
  const given = new URLSearchParams(text);
  const { at, streets } = readFields({ at: given.getAll("at"), streets: given.get("streets") ?? undefined }, query);
  const answers = at.map(async (place) => {
    const street = streets === "false" ? noStreet : await placeNames.nameOf(place.latitude, place.longitude);
    return { name: street.name, town: await townOf(place), may_change: street.mayChange };
  });
  return { body: { data: await Promise.all(answers) } };
});
