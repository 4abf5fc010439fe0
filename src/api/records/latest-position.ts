import { z } from "zod";
import { packReported, reportedFields } from "../../domain/reported.ts";
import type { LatestPositionRow } from "../../store/positions.ts";
import { presenter } from "./body.ts";
import { instant, placeFields, uuid } from "./fields.ts";
import type { JsonWriter } from "./json-writer.ts";
import { closeBrace, keys, Literal, openBrace } from "./literal.ts";
import { exampleFrame, positionFields } from "./position.ts";
import { story, thatMorning } from "./story.ts";

const key = keys("recorded_at", "received_at", "name", "plate", "ignition_since", "trip_id", "geofence_ids");
const reportedKeys = Object.values(keys(...reportedFields));
// What was rejected never becomes the live position.
const verdict = new Literal(',"valid":true,"reject_reason":null,"discontinuity":');

export function writeLatestPosition(json: JsonWriter, row: LatestPositionRow): void {
  json.literal(openBrace);
  json.device(row.device_id, row.imei);
  json.literal(key.recorded_at);
  json.instant(row.recorded_at);
  json.literal(key.received_at);
  json.instant(row.received_at);
  json.values(reportedKeys, row.fields_json);
  json.literal(verdict);
  json.boolean(row.discontinuity);
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

export const exampleLatestPositionRow: LatestPositionRow = {
  device_id: story.deviceId,
  imei: story.imei,
  recorded_at: exampleFrame.recordedAt,
  received_at: exampleFrame.receivedAt,
  fields_json: packReported(exampleFrame),
  discontinuity: false,
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
