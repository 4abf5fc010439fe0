import { z } from "zod";
import { formatInstant } from "../../domain/time/time.ts";
import type { TripRow } from "../../store/facts/trips.ts";
import { driversOfTrip } from "../../store/trip-drivers.ts";
import { driverFields } from "./driver-fields.ts";
import { amount, count, derivedId, deviceFields, instantText, timeOrNull, timeValue } from "./fields.ts";
import { kilometresField, kilometresOrNull, seconds, thousandths } from "./measures.ts";
import { placeObject } from "./place-fields.ts";
import { exampleNames } from "./position.ts";
import { apiRecord, field } from "./record.ts";
import { story, thatMorning } from "./story.ts";
import { coordinatePair, instantOrNull, placeOrNull } from "./values.ts";

const driverOfTrip = z
  .strictObject({
    driver_id: z.string().describe("What the driver's tag or card said."),
    driver_name: z
      .string()
      .nullable()
      .describe("What the owner of the account calls this driver now; null if no driver is named."),
    from: instantText.describe("Since when; of the first, the start of the trip."),
    until: instantText
      .nullable()
      .describe("Until when: the next one's `from`, or the end of the trip; null while in progress."),
  })
  .meta({ id: "TripDriver", description: "A driver of a trip." });

export const trip = apiRecord<TripRow>({
  name: "Trip",
  description: "A drive from one stop to the next.",
  fields: {
    trip_id: derivedId("trip", "is first seen under way", story.tripId),
    ...deviceFields,
    status: field(z.enum(["in_progress", "completed"]), "`in_progress` until the trip has ended.", (row) =>
      row.ended_at === null ? "in_progress" : "completed",
    ),
    started_at: timeValue("When the vehicle set off.", (row) => row.started_at),
    ended_at: timeOrNull("When it came to rest; null while the trip is in progress.", (row) => row.ended_at),
    start: field(placeObject, "Where it set off.", (row) =>
      coordinatePair(row.start_latitude_e7, row.start_longitude_e7),
    ),
    end: field(placeObject.nullable(), "Where it came to rest; null while the trip is in progress.", (row) =>
      placeOrNull(row.end_latitude_e7, row.end_longitude_e7),
    ),
    distance_km: kilometresField("Kilometres driven, along the valid positions.", (row) => row.distance_mm),
    is_carried: field(
      z.boolean(),
      "Whether the vehicle was moved without being driven: towed or on a ferry, say. Then `distance_km` is 0.",
      (row) => (row.carried_mm ?? 0) > 0,
    ),
    carried_km: kilometresOrNull(
      "Kilometres that it was carried instead; null of a trip that a version before 2.0 derived from frames that are gone.",
      (row) => row.carried_mm,
    ),
    duration_s: seconds(
      "Seconds from the start to the end, or to the newest position while in progress.",
      (row) => row.duration_ms,
    ),
    idle_s: seconds("Seconds of these with the engine on and the vehicle at rest.", (row) => row.idle_ms),
    max_speed_kmh: thousandths(
      "The highest speed believed, in kilometres per hour. Where the tracker reports none, by its positions over 20 to 30 s.",
      (row) => row.max_speed_m_per_h,
    ),
    avg_speed_kmh: field(
      amount.nullable(),
      "`distance_km` over `duration_s`, rounded to 0.1 km/h; null for a duration of 0.",
      // A millimetre per millisecond is 3.6 km/h.
      (row) => (row.duration_ms === 0 ? null : Math.round((row.distance_mm * 36) / row.duration_ms) / 10),
    ),
    start_odometer_km: thousandths("The odometer at the start, in kilometres.", (row) => row.start_odometer_m),
    end_odometer_km: thousandths("The odometer at the end, in kilometres.", (row) => row.end_odometer_m),
    position_count: field(count, "Valid positions that the trip is made of.", (row) => row.position_count),
    has_gap: field(z.boolean(), "Whether the tracker was silent for a part of the way.", (row) => Boolean(row.has_gap)),
    end_reason: field(
      z.enum(["ignition_off", "stationary", "gap", "discontinuity"]).nullable(),
      "What ended the trip; null while it is in progress.",
      (row) => row.end_reason,
    ),
    received_at: timeOrNull(
      "When the trip was known: when the frame was received from which on it is listed. Null of a trip that a " +
        "version before 1.2 derived from frames that are gone.",
      (row) => row.received_at,
    ),
    updated_at: timeValue(
      "When the record last changed. Late frames can change a trip after its end.",
      (row) => row.updated_at,
    ),
    ...driverFields,
    drivers: field(
      z.array(driverOfTrip),
      "Who drove, first to last: more than one after a handover, none where no tag or card was sent.",
      (row) =>
        driversOfTrip(row).map(({ driverId, from, until }) => ({
          driver_id: driverId,
          driver_name: row.driver_names.get(driverId) ?? null,
          from: formatInstant(from),
          until: instantOrNull(until),
        })),
    ),
  },
  exampleRow: {
    id: story.tripId,
    device_id: story.deviceId,
    imei: story.imei,
    started_at: thatMorning("07:42:10"),
    ended_at: thatMorning("08:19:40"),
    end_reason: "ignition_off",
    start_latitude_e7: 524675312,
    start_longitude_e7: 133903147,
    end_latitude_e7: 525466218,
    end_longitude_e7: 133416905,
    distance_mm: 21_384_520,
    carried_mm: 0,
    duration_ms: 2_250_000,
    idle_ms: 312_000,
    max_speed_m_per_h: 71_000,
    start_odometer_m: 184_025_310,
    end_odometer_m: 184_046_702,
    position_count: 226,
    has_gap: false,
    received_at: thatMorning("07:44:31") + 218,
    updated_at: thatMorning("08:19:51") + 73,
    driver_id: story.driverId,
    driver_name: story.driverName,
    drivers_json: null,
    driver_names: exampleNames,
  },
});
