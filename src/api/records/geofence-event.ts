import { z } from "zod";
import type { GeofenceEventRow } from "../../store/geofence-events.ts";
import { presenter } from "./body.ts";
import { amount, deviceFields, instant, placeFields, uuid } from "./fields.ts";
import type { JsonWriter } from "./json-writer.ts";
import { closeBrace, firstKey, keys, Literal } from "./literal.ts";
import { story, thatMorning } from "./story.ts";

const eventId = firstKey("event_id");
const comma = new Literal(",");
const key = {
  ...keys("geofence_id", "geofence_name", "event_type", "occurred_at", "latitude", "longitude", "speed_kmh"),
  ...keys("interpolated", "time_uncertainty_s", "dwell_s"),
};

export function writeGeofenceEvent(json: JsonWriter, row: GeofenceEventRow): void {
  json.literal(eventId);
  json.plain(row.id);
  json.literal(comma);
  json.device(row.device_id, row.imei);
  json.literal(key.geofence_id);
  json.plain(row.geofence_id);
  json.literal(key.geofence_name);
  json.text(row.geofence_name);
  json.literal(key.event_type);
  json.plain(row.event_type);
  json.literal(key.occurred_at);
  json.instant(row.occurred_at);
  json.literal(key.latitude);
  json.decimal(row.latitude_e7, 7);
  json.literal(key.longitude);
  json.decimal(row.longitude_e7, 7);
  json.literal(key.speed_kmh);
  json.decimal(row.speed_m_per_h, 3);
  json.literal(key.interpolated);
  json.boolean(row.interpolated);
  json.literal(key.time_uncertainty_s);
  json.decimal(row.time_uncertainty_ms, 3);
  json.literal(key.dwell_s);
  json.decimal(row.dwell_ms, 3);
  json.literal(closeBrace);
}

export const presentGeofenceEvent = presenter(writeGeofenceEvent);

export const exampleGeofenceEventRow: GeofenceEventRow = {
  id: "47a0d3f6-9e15-8b72-8c4d-e2f60b91a358",
  device_id: story.deviceId,
  imei: story.imei,
  geofence_id: story.geofenceId,
  geofence_name: story.geofenceName,
  event_type: "enter",
  occurred_at: thatMorning("07:51:23") + 640,
  latitude_e7: 524757204,
  longitude_e7: 133940416,
  speed_m_per_h: 43_000,
  interpolated: false,
  time_uncertainty_ms: 0,
  dwell_ms: null,
};
export const exampleGeofenceEventRecord: unknown = JSON.parse(presentGeofenceEvent(exampleGeofenceEventRow));

export const geofenceEventSchema = z
  .strictObject({
    event_id: uuid.meta({
      description: "Stays the same when the crossing is derived again.",
      examples: [exampleGeofenceEventRow.id],
    }),
    ...deviceFields,
    geofence_id: uuid.meta({ description: "The geofence that was crossed.", examples: [story.geofenceId] }),
    geofence_name: z.string().meta({ description: "What it is called now.", examples: [story.geofenceName] }),
    event_type: z.enum(["enter", "exit"]).describe("Which way."),
    occurred_at: instant.describe("When the line was crossed, between the two positions on either side of it."),
    ...placeFields,
    speed_kmh: z.number().nullable().describe("The vehicle's speed, in kilometres per hour."),
    interpolated: z
      .boolean()
      .describe("Whether the vehicle crossed the whole geofence between two positions, so that none lies inside."),
    time_uncertainty_s: amount.describe("Seconds by which the crossing may have been earlier; 0 where it is known."),
    dwell_s: amount
      .nullable()
      .describe("Of an exit: seconds since the entry. Null on entering, or if that was not seen."),
  })
  .meta({
    id: "GeofenceEvent",
    description: "A device's crossing of a geofence's line.",
    examples: [exampleGeofenceEventRecord],
  });
