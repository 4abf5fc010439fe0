import { z } from "zod";
import { dateOfDay, dayMs } from "../../domain/time/time.ts";
import type { MileageRow } from "../../store/facts/mileage.ts";
import { count, date, deviceFields, timeValue } from "./fields.ts";
import { kilometresField, kilometresOrNull, seconds, thousandths } from "./measures.ts";
import { apiRecord, field } from "./record.ts";
import { story } from "./story.ts";

export const mileageDay = apiRecord<MileageRow>({
  name: "MileageRow",
  description: "One device on one day of a time zone. A day without a valid position has no row.",
  fields: {
    ...deviceFields,
    name: field(z.string(), "The device's name, as it is now.", (row) => row.name, [story.name]),
    plate: field(z.string().nullable(), "The number plate, as it is now.", (row) => row.plate, [story.plate]),
    date: field(date, "The day.", (row) => dateOfDay(row.day), ["2026-03-17"]),
    time_zone: field(
      z.string(),
      "The IANA time zone that the date is of: the account's, `UTC` unless it has one. Days whose positions were no longer " +
        "stored when the account got another zone stay days of the earlier one.",
      (row) => row.time_zone,
    ),
    distance_km: kilometresField("Kilometres driven on that day.", (row) => row.distance_mm),
    distance_source: field(
      z.enum(["odometer", "gps"]),
      "`odometer` where the vehicle's own is plausible and agrees with the positions, else `gps`.",
      (row) => row.distance_source,
    ),
    start_odometer_km: thousandths(
      "The odometer at the day's first valid position, in kilometres.",
      (row) => row.start_odometer_m,
    ),
    end_odometer_km: thousandths(
      "The odometer at the day's last valid position, in kilometres.",
      (row) => row.end_odometer_m,
    ),
    trip_count: field(count, "Trips on that day.", (row) => row.trip_count),
    driving_s: seconds("Seconds under way.", (row) => row.driving_ms),
    idle_s: seconds("Seconds at rest with the engine on.", (row) => row.idle_ms),
    max_speed_kmh: thousandths(
      "The highest speed believed, in kilometres per hour. Where the tracker reports none, by its positions over 20 to 30 s.",
      (row) => row.max_speed_m_per_h,
    ),
    gap_distance_km: kilometresField(
      "Of the distance, kilometres over which the tracker was silent.",
      (row) => row.gap_distance_mm,
    ),
    carried_km: kilometresOrNull(
      "Kilometres that the vehicle was moved without being driven: towed or on a ferry, say. No part of `distance_km`. Null of " +
        "days that a version before 2.0 derived from frames that are gone.",
      (row) => row.carried_mm,
    ),
    updated_at: timeValue(
      "When the row last changed. Late frames can change a day that is over.",
      (row) => row.updated_at,
    ),
  },
  exampleRow: {
    device_id: story.deviceId,
    imei: story.imei,
    name: story.name,
    plate: story.plate,
    day: Date.parse("2026-03-17T00:00:00Z") / dayMs,
    time_zone: "Europe/Berlin",
    distance_mm: 86_412_000,
    distance_source: "odometer",
    start_odometer_m: 184_025_310,
    end_odometer_m: 184_111_722,
    trip_count: 5,
    driving_ms: 9_846_000,
    idle_ms: 1_104_000,
    max_speed_m_per_h: 93_000,
    gap_distance_mm: 0,
    carried_mm: 0,
    updated_at: Date.parse("2026-03-17T16:41:18.254Z"),
  },
});
