import fc from "fast-check";
import { exampleFrame, type FrameRow } from "../../../src/api/records/position.ts";
import { severities } from "../../../src/domain/alert-types.ts";
import { formatReported, type Reported } from "../../../src/domain/reported.ts";
import { accepted, acceptedDiscontinuity, rejectReasons, type Verdict } from "../../../src/domain/verdict.ts";
import { encodeFrames, FrameBlock } from "../../../src/store/blocks/frame-block.ts";
import { lineOf } from "../../../src/store/blocks/frame-line.ts";
import type { AlertRow } from "../../../src/store/facts/alerts.ts";
import type { GeofenceEventRow } from "../../../src/store/facts/geofence-events.ts";
import type { MileageRow } from "../../../src/store/facts/mileage.ts";
import type { TripRow } from "../../../src/store/facts/trips.ts";
import { type FoundFrame, FrameInBlock } from "../../../src/store/frames/frame-reads.ts";
import type { LatestPositionRow } from "../../../src/store/frames/positions.ts";
import type { ReadingRow } from "../../../src/store/frames/readings.ts";
import { count, device, flag, instant, int32, integer, json, maybe, text, uuid } from "./row-values.ts";

/** Whatever a row can hold that the ingest and the columns let through, and in free text more than that. */

const size = fc.oneof(fc.nat(), fc.nat({ max: 2000 }), fc.maxSafeNat());
const latitude = fc.oneof(fc.integer({ min: -9e8, max: 9e8 }), fc.integer({ min: -11, max: 11 }));
const longitude = fc.oneof(fc.integer({ min: -18e8, max: 18e8 }), fc.integer({ min: -11, max: 11 }));
const real = fc.double({ noNaN: true });

/** As JSON.stringify writes it: a tracker's numbers may be anything but infinite. */
const number = fc
  .oneof(
    real,
    fc.integer({ min: -2000, max: 2_000_000 }).map((milli) => milli / 1000),
  )
  .filter(Number.isFinite);
const report = (north: fc.Arbitrary<number>, east: fc.Arbitrary<number>) =>
  fc.record<Reported>({
    latitude: maybe(north),
    longitude: maybe(east),
    altitude_m: maybe(number),
    speed_kmh: maybe(number),
    heading_deg: maybe(number),
    accuracy_m: maybe(number),
    satellites: maybe(int32),
    hdop: maybe(number),
    ignition: maybe(fc.boolean()),
    odometer_km: maybe(number),
    battery_percent: maybe(number),
    external_voltage_v: maybe(number),
    event: maybe(text),
  });

const verdicts: readonly Verdict[] = [
  accepted,
  acceptedDiscontinuity,
  ...rejectReasons.map((rejectReason) => ({ valid: false, rejectReason, discontinuity: false })),
];

const frameCoordinates = { latitude_e7: maybe(int32), longitude_e7: maybe(int32) };

/** A stored frame, which is shown from a row of its own or from a block. */
const found: fc.Arbitrary<FoundFrame> = fc
  .tuple(
    report(number, number),
    fc.record({ recordedAt: instant, receivedAt: instant, digest: fc.maxSafeNat() }),
    fc.constantFrom(...verdicts),
    fc.boolean(),
  )
  .map(([reported, rest, verdict, isInBlock]) => {
    const frame = { ...reported, ...rest, fix: null, source: null, sensors: [] };
    if (!isInBlock) return lineOf({ frame, verdict });
    // Beside others, so that its columns have more than one value.
    const earlier = { frame: { ...exampleFrame, recordedAt: frame.recordedAt - 1 }, verdict: accepted };
    return new FrameInBlock(new FrameBlock(encodeFrames([earlier, { frame, verdict }])), 1);
  });

const position: fc.Arbitrary<FrameRow> = fc.record({ ...device, frame: found });

const latestPosition: fc.Arbitrary<LatestPositionRow> = fc.record({
  ...device,
  recorded_at: instant,
  received_at: instant,
  discontinuity: flag,
  fields_json: report(
    latitude.map((e7) => e7 / 1e7),
    longitude.map((e7) => e7 / 1e7),
  ).map(formatReported),
  name: text,
  plate: maybe(text),
  ignition_since: maybe(instant),
  trip_id: maybe(uuid),
  geofence_ids_json: maybe(json(fc.array(uuid))),
});

const trip: fc.Arbitrary<TripRow> = fc.record({
  ...device,
  id: uuid,
  started_at: instant,
  ended_at: maybe(instant),
  end_reason: fc.constantFrom("ignition_off", "stationary", "gap", "discontinuity", null),
  start_latitude_e7: latitude,
  start_longitude_e7: longitude,
  end_latitude_e7: maybe(latitude),
  end_longitude_e7: maybe(longitude),
  distance_mm: size,
  duration_ms: size,
  idle_ms: size,
  max_speed_m_per_h: maybe(int32),
  start_odometer_m: maybe(integer),
  end_odometer_m: maybe(integer),
  position_count: count,
  has_gap: flag,
  received_at: maybe(instant),
  updated_at: instant,
});

const alert: fc.Arbitrary<AlertRow> = fc.record({
  ...device,
  ...frameCoordinates,
  id: uuid,
  alert_type: text,
  severity: fc.constantFrom(...severities),
  message: text,
  occurred_at: instant,
  ended_at: maybe(instant),
  received_at: instant,
  updated_at: maybe(instant),
  speed_m_per_h: maybe(int32),
  value: maybe(real),
  threshold: maybe(real),
  unit: maybe(text),
  geofence_id: maybe(uuid),
  trip_id: maybe(uuid),
  acknowledged_at: maybe(instant),
  acknowledged_by: maybe(uuid),
});

const reading: fc.Arbitrary<ReadingRow> = fc.record({
  ...device,
  ...frameCoordinates,
  device: count,
  kind: fc.constantFrom("fuel", "temperature", "tyre"),
  sensor: text,
  recorded_at: instant,
  received_at: instant,
  digest: fc.maxSafeNat(),
  level_milli_percent: maybe(fc.oneof(int32, fc.integer({ min: 0, max: 100_000 }))),
  volume_ml: maybe(integer),
  tank_capacity_l: maybe(fc.integer({ min: 1, max: 100_000 })),
  temperature_mc: maybe(int32),
  humidity_milli_percent: maybe(int32),
  axle: maybe(int32),
  wheel: maybe(int32),
  pressure_pa: maybe(integer),
});

const geofenceEvent: fc.Arbitrary<GeofenceEventRow> = fc.record({
  ...device,
  id: uuid,
  geofence_id: uuid,
  geofence_name: text,
  event_type: fc.constantFrom("enter", "exit"),
  occurred_at: instant,
  latitude_e7: latitude,
  longitude_e7: longitude,
  speed_m_per_h: maybe(int32),
  interpolated: flag,
  received_at: maybe(instant),
  updated_at: maybe(instant),
  time_uncertainty_ms: size,
  dwell_ms: maybe(size),
});

const mileage: fc.Arbitrary<MileageRow> = fc.record({
  ...device,
  name: text,
  plate: maybe(text),
  day: instant.map((ms) => Math.floor(ms / 86_400_000)),
  time_zone: fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns"),
  distance_mm: size,
  distance_source: fc.constantFrom("odometer", "gps"),
  start_odometer_m: maybe(integer),
  end_odometer_m: maybe(integer),
  trip_count: count,
  driving_ms: size,
  idle_ms: size,
  max_speed_m_per_h: maybe(int32),
  gap_distance_mm: size,
  updated_at: instant,
});

export const trackingRows = { position, latestPosition, trip, alert, reading, geofenceEvent, mileage };
