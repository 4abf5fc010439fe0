import { z } from "zod";
import { readFields } from "../read-body.ts";
import { portalRoute } from "../route.ts";

/** A geocoder answers one question after the other, and nobody waits for more. */
const maxPlaces = 10;

const expected = `expected 1 to ${maxPlaces} places as degrees: latitude,longitude`;
const degrees = /^(-?\d{1,3}(?:\.\d{1,20})?),(-?\d{1,3}(?:\.\d{1,20})?)$/;

const place = z.string().transform((text, context) => {
  const [latitude = Number.NaN, longitude = Number.NaN] = (degrees.exec(text) ?? []).slice(1).map(Number);
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude };
  context.addIssue({ code: "custom", message: expected });
  return z.NEVER;
});

const query = z.object({ at: z.array(place).min(1, expected).max(maxPlaces, expected) });

/** Names of places by their streets. Without a geocoder and tiles, or if these fail, there are none: that is no error. */
export const showPlaces = portalRoute("GET /places", "signed in", async ({ parts: { placeNames }, query: text }) => {
  const { at } = readFields({ at: new URLSearchParams(text).getAll("at") }, query);
  const names = at.map(({ latitude, longitude }) => placeNames.nameOf(latitude, longitude));
  const data = (await Promise.all(names)).map(({ name, mayChange }) => ({ name, may_change: mayChange }));
  return { body: { data } };
});
