import { z } from "zod";
import { readQuery } from "../read-body.ts";
import { portalRoute } from "../route.ts";

const degrees = (limit: number) => {
  const error = `expected degrees from -${limit} to ${limit}`;
  return z
    .string({ error })
    .regex(/^-?\d{1,3}(\.\d{1,20})?$/, error)
    .transform(Number)
    .refine((value) => Math.abs(value) <= limit, { error });
};

const query = z.object({ lat: degrees(90), lon: degrees(180) });

/** The name of a place, from the operator's geocoder. Without one, or if it fails, there is none: that is no error. */
export const showPlace = portalRoute("GET", "/place", "signed in", async ({ parts: { geocoder }, query: text }) => {
  const { lat, lon } = readQuery(text, query);
  const { name, mayChange } = (await geocoder?.nameOf(lat, lon)) ?? { name: null, mayChange: false };
  return { body: { name, may_change: mayChange } };
});
