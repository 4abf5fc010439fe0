import { z } from "zod";
import type { StopRow } from "../../store/facts/stops.ts";
import { derivedId, deviceFields, timeOrNull, timeValue, uuidText } from "./fields.ts";
import { seconds, secondsOrNull } from "./measures.ts";
import { placeFields } from "./place-fields.ts";
import { apiRecord, field } from "./record.ts";
import { story, thatMorning } from "./story.ts";

const stopId = "2f6c81d9-04be-8a37-9b5e-71d8c03af264";
const nextTripId = "b95e20f4-c761-8d0a-a3f8-1e42d97c6b03";

export const stop = apiRecord<StopRow>({
  name: "Stop",
  description: "Where a vehicle stood between two trips, or has stood since the last one.",
  fields: {
    stop_id: derivedId("stop", "follows a trip that is first seen under way", stopId),
    ...deviceFields,
    status: field(z.enum(["open", "ended"]), "`open` until the next trip has begun.", (row) =>
      row.ended_at === null ? "open" : "ended",
    ),
    started_at: timeValue("When the trip before it ended.", (row) => row.started_at),
    ended_at: timeOrNull("When the next trip started; null while the stop is open.", (row) => row.ended_at),
    duration_s: seconds(
      "Seconds from the start to the end, or to the newest frame while it is open.",
      (row) => row.duration_ms,
    ),
    ...placeFields,
    geofence_ids: field(
      z.array(uuidText),
      "The geofences that the vehicle was in, as they were then and as its crossings were found.",
      (row) => (row.geofence_ids === "" ? [] : row.geofence_ids.split(" ")),
      [[story.geofenceId]],
    ),
    ignition_on_s: secondsOrNull(
      "Seconds of these with the ignition on. Null if the tracker does not report it, or some frames of the stop are gone.",
      (row) => row.ignition_on_ms,
    ),
    trip_before_id: field(uuidText, "The trip that ended here.", (row) => row.trip_before_id, [story.tripId]),
    trip_after_id: field(
      uuidText.nullable(),
      "The trip that began here; null while the stop is open.",
      (row) => row.trip_after_id,
      [nextTripId],
    ),
    updated_at: timeValue(
      "When the record last changed. Late frames can change a stop after its end.",
      (row) => row.updated_at,
    ),
  },
  exampleRow: {
    id: stopId,
    device_id: story.deviceId,
    imei: story.imei,
    started_at: thatMorning("08:19:40"),
    ended_at: thatMorning("08:41:05"),
    latitude_e7: 525466218,
    longitude_e7: 133416905,
    duration_ms: 1_285_000,
    ignition_on_ms: 45_000,
    geofence_ids: story.geofenceId,
    trip_before_id: story.tripId,
    trip_after_id: nextTripId,
    updated_at: thatMorning("08:43:26") + 145,
  },
});
