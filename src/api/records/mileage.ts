import { z } from "zod";
import type { MileageRow } from "../../store/mileage.ts";
import { presenter } from "./body.ts";
import { amount, count, date, deviceFields, instant } from "./fields.ts";
import type { JsonWriter } from "./json-writer.ts";
import { closeBrace, keys, openBrace } from "./literal.ts";
import { story } from "./story.ts";

const key = {
  ...keys("name", "plate", "date", "distance_km", "distance_source", "start_odometer_km", "end_odometer_km"),
  ...keys("trip_count", "driving_s", "idle_s", "max_speed_kmh", "gap_distance_km", "updated_at"),
};

export function writeMileage(json: JsonWriter, row: MileageRow): void {
  json.literal(openBrace);
  json.device(row.device_id, row.imei);
  json.literal(key.name);
  json.text(row.name);
  json.literal(key.plate);
  json.text(row.plate);
  json.literal(key.date);
  json.date(row.day);
  json.literal(key.distance_km);
  json.decimal(row.distance_mm, 6);
  json.literal(key.distance_source);
  json.plain(row.distance_source);
  json.literal(key.start_odometer_km);
  json.decimal(row.start_odometer_m, 3);
  json.literal(key.end_odometer_km);
  json.decimal(row.end_odometer_m, 3);
  json.literal(key.trip_count);
  json.decimal(row.trip_count, 0);
  json.literal(key.driving_s);
  json.decimal(row.driving_ms, 3);
  json.literal(key.idle_s);
  json.decimal(row.idle_ms, 3);
  json.literal(key.max_speed_kmh);
  json.decimal(row.max_speed_m_per_h, 3);
  json.literal(key.gap_distance_km);
  json.decimal(row.gap_distance_mm, 6);
  json.literal(key.updated_at);
  json.instant(row.updated_at);
  json.literal(closeBrace);
}

export const presentMileage = presenter(writeMileage);

export const exampleMileageRow: MileageRow = {
  device_id: story.deviceId,
  imei: story.imei,
  name: story.name,
  plate: story.plate,
  day: Date.parse("2026-03-17T00:00:00Z") / 86_400_000,
  distance_mm: 86_412_000,
  distance_source: "odometer",
  start_odometer_m: 184_025_310,
  end_odometer_m: 184_111_722,
  trip_count: 5,
  driving_ms: 9_846_000,
  idle_ms: 1_104_000,
  max_speed_m_per_h: 93_000,
  gap_distance_mm: 0,
  updated_at: Date.parse("2026-03-17T16:41:18.254Z"),
};
export const exampleMileageRecord: unknown = JSON.parse(presentMileage(exampleMileageRow));

export const mileageSchema = z
  .strictObject({
    ...deviceFields,
    name: z.string().meta({ description: "The device's name, as it is now.", examples: [story.name] }),
    plate: z
      .string()
      .nullable()
      .meta({ description: "The number plate, as it is now.", examples: [story.plate] }),
    date: date.meta({ description: "The UTC day.", examples: ["2026-03-17"] }),
    distance_km: amount.describe("Kilometres driven on that day."),
    distance_source: z
      .enum(["odometer", "gps"])
      .describe("`odometer` where the vehicle's own is plausible and agrees with the positions, else `gps`."),
    start_odometer_km: z.number().nullable().describe("The odometer at the day's first valid position, in kilometres."),
    end_odometer_km: z.number().nullable().describe("The odometer at the day's last valid position, in kilometres."),
    trip_count: count.describe("Trips on that day."),
    driving_s: amount.describe("Seconds under way."),
    idle_s: amount.describe("Seconds at rest with the engine on."),
    max_speed_kmh: z.number().nullable().describe("The highest speed believed, in kilometres per hour."),
    gap_distance_km: amount.describe("Of the distance, kilometres over which the tracker was silent."),
    updated_at: instant.describe("When the row last changed. Late frames can change a day that is over."),
  })
  .meta({
    id: "MileageRow",
    description: "One device on one UTC day. A day without a valid position has no row.",
    examples: [exampleMileageRecord],
  });
