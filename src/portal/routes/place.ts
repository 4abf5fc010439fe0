import { z } from "zod";
import { readFields } from "../read-body.ts";
import { portalRoute } from "../route.ts";
import { townOf } from "../towns/town-of.ts";

/** As many rows as a list begins with. */
const maxPlaces = 100;

const expected = `expected 1 to ${maxPlaces} places as degrees: latitude,longitude`;
const degrees = /^(-?\d{1,3}(?:\.\d{1,20})?),(-?\d{1,3}(?:\.\d{1,20})?)$/;

const place = z.string().transform((text, context) => {
  const [latitude = Number.NaN, longitude = Number.NaN] = (degrees.exec(text) ?? []).slice(1).map(Number);
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude };
  context.addIssue({ code: "custom", message: expected });
  return z.NEVER;
});

const query = z.object({ at: z.array(place).min(1, expected).max(maxPlaces, expected) });

/** Streets and towns of places. Without a geocoder and tiles, or if these fail, there are no streets: that is no error. */
export const showPlaces = portalRoute("GET /places", "signed in", async ({ parts: { placeNames }, query: text }) => {
  const { at } = readFields({ at: new URLSearchParams(text).getAll("at") }, query);
  const answers = at.map(async (place) => {
    const { name, mayChange } = await placeNames.nameOf(place.latitude, place.longitude);
    return { name, town: await townOf(place), may_change: mayChange };
  });
  return { body: { data: await Promise.all(answers) } };
});
