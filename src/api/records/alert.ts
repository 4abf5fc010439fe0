import { z } from "zod";
import { alertTypes } from "../../domain/alert-types.ts";
import type { AlertRow } from "../../store/alerts.ts";
import { presenter } from "./body.ts";
import { deviceFields, frameCoordinates, instant, severity, uuid } from "./fields.ts";
import type { JsonWriter } from "./json-writer.ts";
import { closeBrace, firstKey, keys, Literal } from "./literal.ts";
import { story, thatMorning } from "./story.ts";

const alertId = firstKey("alert_id");
const comma = new Literal(",");
const key = {
  ...keys("alert_type", "severity", "message", "occurred_at", "ended_at", "received_at", "latitude", "longitude"),
  ...keys("speed_kmh", "value", "threshold", "unit", "geofence_id", "trip_id"),
  ...keys("acknowledged", "acknowledged_at", "acknowledged_by"),
};

export function writeAlert(json: JsonWriter, row: AlertRow): void {
  json.literal(alertId);
  json.plain(row.id);
  json.literal(comma);
  json.device(row.device_id, row.imei);
  json.literal(key.alert_type);
  json.text(row.alert_type);
  json.literal(key.severity);
  json.plain(row.severity);
  json.literal(key.message);
  json.text(row.message);
  json.literal(key.occurred_at);
  json.instant(row.occurred_at);
  json.literal(key.ended_at);
  json.instant(row.ended_at);
  json.literal(key.received_at);
  json.instant(row.received_at);
  json.literal(key.latitude);
  json.decimal(row.latitude_e7, 7);
  json.literal(key.longitude);
  json.decimal(row.longitude_e7, 7);
  json.literal(key.speed_kmh);
  json.decimal(row.speed_m_per_h, 3);
  json.literal(key.value);
  json.number(row.value);
  json.literal(key.threshold);
  json.number(row.threshold);
  json.literal(key.unit);
  json.text(row.unit);
  json.literal(key.geofence_id);
  json.plain(row.geofence_id);
  json.literal(key.trip_id);
  json.plain(row.trip_id);
  json.literal(key.acknowledged);
  json.boolean(row.acknowledged_at !== null);
  json.literal(key.acknowledged_at);
  json.instant(row.acknowledged_at);
  json.literal(key.acknowledged_by);
  json.plain(row.acknowledged_by);
  json.literal(closeBrace);
}

export const presentAlert = presenter(writeAlert);

export const exampleAlertRow: AlertRow = {
  id: "e94b20d7-3c8a-8f15-a6d2-51b7f0c3489e",
  device_id: story.deviceId,
  imei: story.imei,
  alert_type: "speeding",
  severity: "warning",
  message: "68 km/h where 50 km/h are allowed",
  occurred_at: thatMorning("07:56:40"),
  ended_at: thatMorning("07:57:20"),
  received_at: thatMorning("07:56:51") + 402,
  latitude_e7: 524993871,
  longitude_e7: 133961820,
  speed_m_per_h: 68_000,
  value: 68,
  threshold: 50,
  unit: "km/h",
  geofence_id: story.geofenceId,
  trip_id: story.tripId,
  acknowledged_at: thatMorning("09:14:05") + 620,
  acknowledged_by: story.userId,
};
export const exampleAlertRecord: unknown = JSON.parse(presentAlert(exampleAlertRow));

export const alertSchema = z
  .strictObject({
    alert_id: uuid.meta({
      description: "Stays the same when the alert is derived again.",
      examples: [exampleAlertRow.id],
    }),
    ...deviceFields,
    alert_type: z.string().meta({
      description: `What it is about. At present one of ${alertTypes.map((type) => `\`${type}\``).join(", ")}.`,
      examples: ["speeding"],
    }),
    severity: severity.describe("How bad it is."),
    message: z.string().describe("The alert in words, for a person. The wording is not stable."),
    occurred_at: instant.describe("When it began."),
    ended_at: instant
      .nullable()
      .describe("When it was over; null while it lasts. What happens in a moment is over at once."),
    received_at: instant.describe("When the frame that raised it was received."),
    latitude: frameCoordinates.latitude.describe("Where it began: WGS 84, in degrees. Null if not known."),
    longitude: frameCoordinates.longitude.describe("Where it began: WGS 84, in degrees. Null if not known."),
    speed_kmh: z.number().nullable().describe("The vehicle's speed when it began, in kilometres per hour."),
    value: z.number().nullable().describe("What was measured, in `unit`; null where there is nothing to measure."),
    threshold: z.number().nullable().describe("The limit that it was held against, in `unit`."),
    unit: z
      .string()
      .nullable()
      .meta({ description: "The unit of `value` and `threshold`.", examples: ["km/h", "V", "°C"] }),
    geofence_id: uuid.nullable().describe("The geofence that it is about, or whose limit held."),
    trip_id: uuid.nullable().describe("The trip during which it began."),
    acknowledged: z.boolean().describe("Whether somebody has acknowledged it."),
    acknowledged_at: instant.nullable().describe("When it was acknowledged."),
    acknowledged_by: uuid.nullable().describe("The id of the user who acknowledged it."),
  })
  .meta({
    id: "Alert",
    description: "Something that a rule or the tracker itself found worth telling.",
    examples: [exampleAlertRecord],
  });
