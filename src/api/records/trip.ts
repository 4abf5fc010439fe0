import { z } from "zod";
import type { TripRow } from "../../store/trips.ts";
import { presenter } from "./body.ts";
import { amount, count, deviceFields, instant, place, uuid } from "./fields.ts";
import type { JsonWriter } from "./json-writer.ts";
import { closeBrace, firstKey, keys, Literal } from "./literal.ts";
import { story, thatMorning } from "./story.ts";

const tripId = firstKey("trip_id");
const comma = new Literal(",");
const inProgress = new Literal(',"status":"in_progress"');
const completed = new Literal(',"status":"completed"');
const startPlace = new Literal(',"start":{"latitude":');
const endPlace = new Literal(',"end":{"latitude":');
const noEndPlace = new Literal(',"end":null');
const key = {
  ...keys("started_at", "ended_at", "longitude", "distance_km", "duration_s", "idle_s", "max_speed_kmh"),
  ...keys("avg_speed_kmh", "start_odometer_km", "end_odometer_km", "position_count", "has_gap"),
  ...keys("end_reason", "updated_at"),
};

export function writeTrip(json: JsonWriter, row: TripRow): void {
  json.literal(tripId);
  json.plain(row.id);
  json.literal(comma);
  json.device(row.device_id, row.imei);
  json.literal(row.ended_at === null ? inProgress : completed);
  json.literal(key.started_at);
  json.instant(row.started_at);
  json.literal(key.ended_at);
  json.instant(row.ended_at);
  writePlace(json, startPlace, row.start_latitude_e7, row.start_longitude_e7);
  if (row.end_latitude_e7 === null || row.end_longitude_e7 === null) json.literal(noEndPlace);
  else writePlace(json, endPlace, row.end_latitude_e7, row.end_longitude_e7);
  json.literal(key.distance_km);
  json.decimal(row.distance_mm, 6);
  json.literal(key.duration_s);
  json.decimal(row.duration_ms, 3);
  json.literal(key.idle_s);
  json.decimal(row.idle_ms, 3);
  json.literal(key.max_speed_kmh);
  json.decimal(row.max_speed_m_per_h, 3);
  json.literal(key.avg_speed_kmh);
  // A millimetre per millisecond is 3.6 km/h.
  json.decimal(row.duration_ms === 0 ? null : Math.round((row.distance_mm * 36) / row.duration_ms), 1);
  json.literal(key.start_odometer_km);
  json.decimal(row.start_odometer_m, 3);
  json.literal(key.end_odometer_km);
  json.decimal(row.end_odometer_m, 3);
  json.literal(key.position_count);
  json.decimal(row.position_count, 0);
  json.literal(key.has_gap);
  json.boolean(row.has_gap);
  json.literal(key.end_reason);
  json.plain(row.end_reason);
  json.literal(key.updated_at);
  json.instant(row.updated_at);
  json.literal(closeBrace);
}

function writePlace(json: JsonWriter, start: Literal, latitudeE7: number, longitudeE7: number): void {
  json.literal(start);
  json.decimal(latitudeE7, 7);
  json.literal(key.longitude);
  json.decimal(longitudeE7, 7);
  json.literal(closeBrace);
}

export const presentTrip = presenter(writeTrip);

export const exampleTripRow: TripRow = {
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
  duration_ms: 2_250_000,
  idle_ms: 312_000,
  max_speed_m_per_h: 71_000,
  start_odometer_m: 184_025_310,
  end_odometer_m: 184_046_702,
  position_count: 226,
  has_gap: false,
  updated_at: thatMorning("08:19:51") + 73,
};
export const exampleTripRecord: unknown = JSON.parse(presentTrip(exampleTripRow));

export const tripSchema = z
  .strictObject({
    trip_id: uuid.meta({ description: "Stays the same when the trip is derived again.", examples: [story.tripId] }),
    ...deviceFields,
    status: z.enum(["in_progress", "completed"]).describe("`in_progress` until the trip has ended."),
    started_at: instant.describe("When the vehicle set off."),
    ended_at: instant.nullable().describe("When it came to rest; null while the trip is in progress."),
    start: place.describe("Where it set off."),
    end: place.nullable().describe("Where it came to rest; null while the trip is in progress."),
    distance_km: amount.describe("Kilometres driven, along the valid positions."),
    duration_s: amount.describe("Seconds from the start to the end, or to the newest position while in progress."),
    idle_s: amount.describe("Seconds of these with the engine on and the vehicle at rest."),
    max_speed_kmh: z.number().nullable().describe("The highest speed believed, in kilometres per hour."),
    avg_speed_kmh: amount
      .nullable()
      .describe("`distance_km` over `duration_s`, rounded to 0.1 km/h; null for a duration of 0."),
    start_odometer_km: z.number().nullable().describe("The odometer at the start, in kilometres."),
    end_odometer_km: z.number().nullable().describe("The odometer at the end, in kilometres."),
    position_count: count.describe("Valid positions that the trip is made of."),
    has_gap: z.boolean().describe("Whether the tracker was silent for a part of the way."),
    end_reason: z
      .enum(["ignition_off", "stationary", "gap", "discontinuity"])
      .nullable()
      .describe("What ended the trip; null while it is in progress."),
    updated_at: instant.describe("When the record last changed. Late frames can change a trip after its end."),
  })
  .meta({ id: "Trip", description: "A drive from one stop to the next.", examples: [exampleTripRecord] });
