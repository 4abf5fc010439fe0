import { z } from "zod";
import { alertTypes } from "../../domain/alert-types.ts";
import type { AlertRow } from "../../store/facts/alerts.ts";
import { derivedId, deviceFields, severityText, timeOrNull, timeValue, uuidText } from "./fields.ts";
import { thousandths } from "./measures.ts";
import { apiRecord, field } from "./record.ts";
import { story, thatMorning } from "./story.ts";
import { degrees } from "./values.ts";

const alertId = "e94b20d7-3c8a-8f15-a6d2-51b7f0c3489e";
const number = z.number().nullable();

function lastChange({ updated_at, acknowledged_at }: AlertRow): number | null {
  return updated_at === null || acknowledged_at === null
    ? (updated_at ?? acknowledged_at)
    : Math.max(updated_at, acknowledged_at);
}

export const alert = apiRecord<AlertRow>({
  name: "Alert",
  description: "What a rule raised, or the tracker itself reported.",
  fields: {
    alert_id: derivedId("alert", "begins", alertId),
    ...deviceFields,
    alert_type: field(
      z.string(),
      `What it is about. At present one of ${alertTypes.map((type) => `\`${type}\``).join(", ")}.`,
      (row) => row.alert_type,
      ["speeding"],
    ),
    severity: field(severityText, "How bad it is.", (row) => row.severity),
    message: field(z.string(), "The alert in words, for a person. The wording is not stable.", (row) => row.message),
    occurred_at: timeValue("When it began.", (row) => row.occurred_at),
    ended_at: timeOrNull(
      "When it was over; null while it lasts. What happens in a moment is over at once.",
      (row) => row.ended_at,
    ),
    received_at: timeValue("When the frame that raised it was received.", (row) => row.received_at),
    latitude: field(number, "Where it began: WGS 84, in degrees. Null if not known.", (row) =>
      degrees(row.latitude_e7),
    ),
    longitude: field(number, "Where it began: WGS 84, in degrees. Null if not known.", (row) =>
      degrees(row.longitude_e7),
    ),
    speed_kmh: thousandths("The vehicle's speed when it began, in kilometres per hour.", (row) => row.speed_m_per_h),
    value: field(number, "What was measured, in `unit`; null where there is nothing to measure.", (row) => row.value),
    threshold: field(number, "The limit that it was held against, in `unit`.", (row) => row.threshold),
    unit: field(z.string().nullable(), "The unit of `value` and `threshold`.", (row) => row.unit, ["km/h", "V", "°C"]),
    geofence_id: field(
      uuidText.nullable(),
      "The geofence that it is about, or whose limit held.",
      (row) => row.geofence_id,
    ),
    trip_id: field(uuidText.nullable(), "The trip during which it began.", (row) => row.trip_id),
    acknowledged: field(z.boolean(), "Whether a user has acknowledged it.", (row) => row.acknowledged_at !== null),
    acknowledged_at: timeOrNull("When it was acknowledged.", (row) => row.acknowledged_at),
    acknowledged_by: field(
      uuidText.nullable(),
      "The id of the user who acknowledged it.",
      (row) => row.acknowledged_by,
    ),
    updated_at: timeOrNull(
      "When it last changed: when the last frame that changed it was received, or when it was acknowledged. Null of " +
        "one that a version before 1.2 derived from frames that are gone.",
      (row) => lastChange(row),
    ),
  },
  exampleRow: {
    id: alertId,
    device_id: story.deviceId,
    imei: story.imei,
    alert_type: "speeding",
    severity: "warning",
    message: "68 km/h where 50 km/h are allowed",
    occurred_at: thatMorning("07:56:40"),
    ended_at: thatMorning("07:57:20"),
    received_at: thatMorning("07:56:51") + 402,
    updated_at: thatMorning("07:57:21") + 115,
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
  },
});
