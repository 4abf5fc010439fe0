import { z } from "zod";
import { field, type RecordFields } from "./record.ts";
import { degrees } from "./values.ts";

export const north = "WGS 84, in degrees, north is positive.";
export const east = "WGS 84, in degrees, east is positive.";

/** Of a place that the quality filter has accepted. */
export const latitude = z.number().min(-90).max(90);
export const longitude = z.number().min(-180).max(180);

export const placeFields: RecordFields<{ readonly latitude_e7: number; readonly longitude_e7: number }> = {
  latitude: field(latitude, north, (row) => degrees(row.latitude_e7)),
  longitude: field(longitude, east, (row) => degrees(row.longitude_e7)),
};

/** A frame's place: null without a fix. On a rejected frame it may be out of range. */
export const frameCoordinates: RecordFields<{
  readonly latitude_e7: number | null;
  readonly longitude_e7: number | null;
}> = {
  latitude: field(z.number().nullable(), `${north} Null without a fix.`, (row) => degrees(row.latitude_e7)),
  longitude: field(z.number().nullable(), `${east} Null without a fix.`, (row) => degrees(row.longitude_e7)),
};

export const placeObject = z
  .strictObject({ latitude: latitude.describe(north), longitude: longitude.describe(east) })
  .meta({ id: "Place", description: "A place on the Earth." });
