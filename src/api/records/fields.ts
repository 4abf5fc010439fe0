import { z } from "zod";
import { severities } from "../../domain/alert-types.ts";
import { isUuid } from "../../domain/identifiers.ts";
import { parseInstant } from "../../domain/time.ts";
import { story } from "./story.ts";

/**
 * What the records have in common. Formats are checked by hand and told as `format`: the patterns that Zod would put
 * into the description in their place are long, and some refuse what we store.
 */

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const datePattern = /^\d{4}-\d\d-\d\d$/;

/** Ids are other people's as well as ours: of any version, in lower case. */
export const uuid = z
  .string()
  .refine((text) => isUuid(text))
  .meta({ format: "uuid" });

export const instant = z
  .string()
  .refine((text) => instantPattern.test(text) && parseInstant(text) !== null)
  .meta({ format: "date-time" });

export const date = z
  .string()
  .refine((text) => datePattern.test(text) && parseInstant(text) !== null)
  .meta({ format: "date" });

const largestInt32 = 2 ** 31 - 1;

export const int32 = z
  .int()
  .min(-largestInt32 - 1)
  .max(largestInt32)
  .meta({ format: "int32" });
export const count = z.int().min(0).max(largestInt32).meta({ format: "int32" });

/** Of something that Odograph measures itself; what a tracker reports may be anything. */
export const amount = z.number().min(0);

export const severity = z.enum(severities);

export const deviceFields = {
  device_id: uuid.meta({ description: "The device's id.", examples: [story.deviceId] }),
  imei: z
    .string()
    .regex(/^[0-9]{14,16}$/)
    .meta({ description: "The tracker's IMEI, 14 to 16 digits.", examples: [story.imei] }),
};

const north = "WGS 84, in degrees, north is positive.";
const east = "WGS 84, in degrees, east is positive.";

/** Of a place that the quality filter has accepted. */
export const placeFields = {
  latitude: z.number().min(-90).max(90).describe(north),
  longitude: z.number().min(-180).max(180).describe(east),
};

/** As a frame has it: null without a fix, and on a frame that was rejected for it out of all range. */
export const frameCoordinates = {
  latitude: z.number().nullable().describe(`${north} Null without a fix.`),
  longitude: z.number().nullable().describe(`${east} Null without a fix.`),
};

export const place = z.strictObject(placeFields).meta({ id: "Place", description: "A place on the Earth." });
