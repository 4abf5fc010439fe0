import { z } from "zod";
import type { GeofenceEventRow } from "../../store/facts/geofence-events.ts";
import { derivedId, deviceFields, timeOrNull, timeValue, uuidText } from "./fields.ts";
import { seconds, secondsOrNull, thousandths } from "./measures.ts";
import { placeFields } from "./place-fields.ts";
import { apiRecord, field } from "./record.ts";
import { story, thatMorning } from "./story.ts";

const eventId = "47a0d3f6-9e15-8b72-8c4d-e2f60b91a358";

export const geofenceEvent = apiRecord<GeofenceEventRow>({
  name: "GeofenceEvent",
  description: "A device's crossing of a geofence's line.",
  fields: {
    event_id: derivedId("crossing", "is found", eventId),
    ...deviceFields,
    geofence_id: field(uuidText, "The geofence that was crossed.", (row) => row.geofence_id, [story.geofenceId]),
    geofence_name: field(z.string(), "What it is called now.", (row) => row.geofence_name, [story.geofenceName]),
    event_type: field(z.enum(["enter", "exit"]), "Which way.", (row) => row.event_type),
    occurred_at: timeValue(
      "When the line was crossed, between the two positions on either side of it.",
      (row) => row.occurred_at,
    ),
    ...placeFields,
    speed_kmh: thousandths("The vehicle's speed, in kilometres per hour.", (row) => row.speed_m_per_h),
    interpolated: field(
      z.boolean(),
      "Whether the vehicle crossed the whole geofence between two positions, so that none lies inside.",
      (row) => Boolean(row.interpolated),
    ),
    time_uncertainty_s: seconds(
      "Seconds by which the crossing may have been earlier; 0 where it is known.",
      (row) => row.time_uncertainty_ms,
    ),
    dwell_s: secondsOrNull(
      "Of an exit: seconds since the entry. Null on entering, or if that was not seen.",
      (row) => row.dwell_ms,
    ),
    received_at: timeOrNull(
      "When the crossing was known: when the frame that confirmed it was received. Null of one that a " +
        "version before 1.2 derived from frames that are gone.",
      (row) => row.received_at,
    ),
    updated_at: timeOrNull(
      "When the last of the frames that it is made from was received: a late one can change a crossing. Null as " +
        "`received_at` is.",
      (row) => row.updated_at,
    ),
  },
  exampleRow: {
    id: eventId,
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
    received_at: thatMorning("07:51:41") + 377,
    updated_at: thatMorning("07:51:41") + 377,
  },
});
