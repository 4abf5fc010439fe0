import { z } from "zod";
import type { LatestPositionRow } from "../../store/positions.ts";
import { presenter } from "./body.ts";
import { instant, placeFields, uuid } from "./fields.ts";
import type { JsonWriter } from "./json-writer.ts";
import { closeBrace, keys } from "./literal.ts";
import { examplePositionRow, positionFields, writeFrame, writeVerdict } from "./position.ts";
import { story, thatMorning } from "./story.ts";

const key = keys("name", "plate", "ignition_since", "trip_id", "geofence_ids");

export function writeLatestPosition(json: JsonWriter, row: LatestPositionRow): void {
  writeFrame(json, row);
  // What was rejected never becomes the live position.
  writeVerdict(json, true, null, row.discontinuity);
  json.literal(key.name);
  json.text(row.name);
  json.literal(key.plate);
  json.text(row.plate);
  json.literal(key.ignition_since);
  json.instant(row.ignition_since);
  json.literal(key.trip_id);
  json.plain(row.trip_id);
  json.literal(key.geofence_ids);
  json.json(row.geofence_ids_json ?? "[]");
  json.literal(closeBrace);
}

export const presentLatestPosition = presenter(writeLatestPosition);

const { digest, valid, reject_reason, ...frame } = examplePositionRow;
export const exampleLatestPositionRow: LatestPositionRow = {
  ...frame,
  name: story.name,
  plate: story.plate,
  ignition_since: thatMorning("07:41:55"),
  trip_id: story.tripId,
  geofence_ids_json: JSON.stringify([story.geofenceId]),
};
export const exampleLatestPositionRecord: unknown = JSON.parse(presentLatestPosition(exampleLatestPositionRow));

export const latestPositionSchema = z
  .strictObject({
    ...positionFields,
    latitude: placeFields.latitude.nullable().describe("WGS 84, in degrees, north is positive."),
    longitude: placeFields.longitude.nullable().describe("WGS 84, in degrees, east is positive."),
    valid: z.literal(true).describe("Always true: a rejected frame never becomes the live position."),
    reject_reason: z.null().describe("Always null."),
    name: z.string().meta({ description: "The device's name.", examples: [story.name] }),
    plate: z
      .string()
      .nullable()
      .meta({ description: "The vehicle's number plate.", examples: [story.plate] }),
    ignition_since: instant.nullable().describe("Since when the ignition has been as it is."),
    trip_id: uuid.nullable().describe("The trip under way; null while the vehicle is parked."),
    geofence_ids: z.array(uuid).describe("The geofences, of those assigned to the device, that it is inside of."),
  })
  .meta({
    id: "LatestPosition",
    description: "A device's newest valid frame. A device that never had one is not listed.",
    examples: [exampleLatestPositionRecord],
  });
