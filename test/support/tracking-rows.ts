import fc from "fast-check";
import { exampleFrame, type FrameRow as ShownFrameRow } from "../../src/api/records/position.ts";
import { severities } from "../../src/domain/alert-types.ts";
import { formatReported, type Reported } from "../../src/domain/reported.ts";
import { accepted, acceptedDiscontinuity, rejectReasons, type Verdict } from "../../src/domain/verdict.ts";
import type { AlertRow } from "../../src/store/alerts.ts";
import { encodeFrames, FrameBlock } from "../../src/store/blocks/frame-block.ts";
import { lineOf } from "../../src/store/blocks/frame-line.ts";
import { type FoundFrame, FrameInBlock } from "../../src/store/frame-reads.ts";
import type { GeofenceEventRow } from "../../src/store/geofence-events.ts";
import type { MileageRow } from "../../src/store/mileage.ts";
import type { LatestPositionRow } from "../../src/store/positions.ts";
import type { ReadingRow } from "../../src/store/reading-rows.ts";
import type { TripRow } from "../../src/store/trips.ts";
import { columnsOf, reportOf } from "./frame-rows.ts";
import {
  at,
  boolean,
  count,
  declareRow,
  degrees,
  hidden,
  hourMs,
  id,
  instant,
  instantText,
  int32,
  integer,
  json,
  label,
  latitude,
  longitude,
  maybe,
  maybeAt,
  maybeId,
  maybeLabel,
  micro,
  milli,
  msPerDay,
  noon,
  place,
  shownAs,
  size,
} from "./seed-rows.ts";

const real = fc.double({ noNaN: true });
/** As JSON.stringify writes it: a tracker's numbers may be anything but infinite. */
const number = maybe(
  fc
    .oneof(
      real,
      fc.integer({ min: -2000, max: 2_000_000 }).map((value) => value / 1000),
    )
    .filter(Number.isFinite),
);

const report = declareRow<Reported>({
  latitude: [number, 52.0123456],
  longitude: [number, 13.3654321],
  altitude_m: [number, 43],
  speed_kmh: [number, 51.3],
  heading_deg: [number, 271.5],
  accuracy_m: [number, 4],
  satellites: [maybe(int32), 11],
  hdop: [number, 0.9],
  ignition: [maybe(fc.boolean()), true],
  odometer_km: [number, 123.456],
  battery_percent: [number, 87],
  external_voltage_v: [number, 27.4],
  event: maybeLabel(null),
});

const verdicts: readonly Verdict[] = [
  accepted,
  acceptedDiscontinuity,
  ...rejectReasons.map((rejectReason) => ({ valid: false, rejectReason, discontinuity: false })),
];

/** A stored frame, which is shown from a row of its own or from a block. */
const found: fc.Arbitrary<FoundFrame> = fc
  .tuple(
    report.any,
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

const position = declareRow<ShownFrameRow>({
  ...place,
  frame: [
    found,
    lineOf({
      frame: {
        ...report.ordinary,
        recordedAt: noon,
        receivedAt: noon + 1_000,
        digest: 0,
        fix: true,
        source: "gps",
        sensors: [],
      },
      verdict: accepted,
    }),
    (frame) => {
      const row = columnsOf(frame.stored());
      const { valid, reject_reason, discontinuity } = row;
      return { ...shownReport(row), valid, reject_reason, discontinuity };
    },
  ],
});

function shownReport(row: Pick<LatestPositionRow, "recorded_at" | "received_at" | "fields_json">) {
  return {
    recorded_at: instantText(row.recorded_at),
    received_at: instantText(row.received_at),
    ...report.record(reportOf(row)),
  };
}

const placedReport = fc
  .tuple(report.any, maybe(latitude), maybe(longitude))
  .map(([reported, north, east]) =>
    formatReported({ ...reported, latitude: degrees(north), longitude: degrees(east) }),
  );

const latestPosition = declareRow<LatestPositionRow>({
  ...place,
  recorded_at: [instant, noon, (_, row) => ({ ...shownReport(row), valid: true, reject_reason: null })],
  received_at: [instant, noon + 1_000, hidden],
  fields_json: [placedReport, formatReported(report.ordinary), hidden],
  discontinuity: boolean,
  name: label(""),
  plate: maybeLabel(null),
  ignition_since: maybeAt(noon - hourMs),
  trip_id: maybeId,
  geofence_ids_json: [
    maybe(json(fc.array(fc.uuid()))),
    "[]",
    shownAs("geofence_ids", (ids) => JSON.parse(ids ?? "[]")),
  ],
});

const point = (north: number | null, east: number | null) =>
  north === null || east === null ? null : { latitude: degrees(north), longitude: degrees(east) };

const averageSpeed = ({ distance_mm, duration_ms }: TripRow) =>
  duration_ms === 0 ? null : Math.round((distance_mm * 36) / duration_ms) / 10;

const trip = declareRow<TripRow>({
  id: id("trip_id"),
  ...place,
  started_at: [
    instant,
    noon,
    (start, { ended_at }) => ({
      status: ended_at === null ? "in_progress" : "completed",
      started_at: instantText(start),
    }),
  ],
  ended_at: maybeAt(noon + hourMs),
  start_latitude_e7: [latitude, 520_000_000, (north, row) => ({ start: point(north, row.start_longitude_e7) })],
  start_longitude_e7: [longitude, 133_000_000, hidden],
  end_latitude_e7: [maybe(latitude), 521_000_000, (north, row) => ({ end: point(north, row.end_longitude_e7) })],
  end_longitude_e7: [maybe(longitude), 134_000_000, hidden],
  distance_mm: [size, 12_345_678, shownAs("distance_km", micro)],
  duration_ms: [size, hourMs, shownAs("duration_s", milli)],
  idle_ms: [size, 60_000, shownAs("idle_s", milli)],
  max_speed_m_per_h: [
    maybe(int32),
    89_500,
    (speed, row) => ({ max_speed_kmh: milli(speed), avg_speed_kmh: averageSpeed(row) }),
  ],
  start_odometer_m: [maybe(integer), 100_000, shownAs("start_odometer_km", milli)],
  end_odometer_m: [maybe(integer), 112_345, shownAs("end_odometer_km", milli)],
  position_count: [count, 120],
  has_gap: boolean,
  end_reason: [fc.constantFrom("ignition_off", "stationary", "gap", "discontinuity", null), "ignition_off"],
  received_at: maybeAt(noon - 1_000),
  updated_at: at(noon),
});

const frameCoordinates = {
  latitude_e7: [maybe(int32), 520_000_000, shownAs("latitude", degrees)],
  longitude_e7: [maybe(int32), 133_000_000, shownAs("longitude", degrees)],
} as const;

/** The later of two moments, of which either may be unknown. */
const laterOf = (one: number | null, other: number | null) =>
  one === null && other === null ? null : instantText(Math.max(one ?? -Infinity, other ?? -Infinity));

const alert = declareRow<AlertRow>({
  id: id("alert_id"),
  ...place,
  alert_type: label("speeding"),
  severity: [fc.constantFrom(...severities), "warning"],
  message: label("97 km/h where 80 are allowed"),
  occurred_at: at(noon),
  ended_at: maybeAt(noon + 30_000),
  received_at: at(noon + 1_000),
  ...frameCoordinates,
  speed_m_per_h: [maybe(int32), 97_000, shownAs("speed_kmh", milli)],
  value: [maybe(real), 97],
  threshold: [maybe(real), 80],
  unit: maybeLabel("km/h"),
  geofence_id: maybeId,
  trip_id: maybeId,
  acknowledged_at: [
    maybe(instant),
    null,
    (moment) => ({ acknowledged: moment !== null, acknowledged_at: laterOf(moment, null) }),
  ],
  acknowledged_by: maybeId,
  updated_at: [
    maybe(instant),
    noon + 31_000,
    (moment, { acknowledged_at }) => ({ updated_at: laterOf(moment, acknowledged_at) }),
  ],
});

/** The value of a kind of sensor beside what only that kind measures. */
function shownReading(row: ReadingRow) {
  const of = (value: number | null, unit: string) => ({ value: milli(value), unit });
  const temperature_c = milli(row.temperature_mc);
  switch (row.kind) {
    case "fuel": {
      const level = row.level_milli_percent;
      const capacity = row.tank_capacity_l ?? 0;
      const isLevel = level !== null && level >= 0 && level <= 100_000 && capacity > 0;
      const volume = row.volume_ml ?? (isLevel ? Math.round((level * capacity) / 100) : null);
      const common = level === null && volume !== null ? of(row.volume_ml, "L") : of(level, "%");
      return { common, own: { level_percent: milli(level), volume_l: milli(volume) } };
    }
    case "temperature":
      return {
        common: of(row.temperature_mc, "°C"),
        own: { temperature_c, humidity_percent: milli(row.humidity_milli_percent) },
      };
    case "tyre": {
      const { axle, wheel, pressure_pa } = row;
      return { common: of(pressure_pa, "kPa"), own: { axle, wheel, pressure_kpa: milli(pressure_pa), temperature_c } };
    }
  }
}

const reading = declareRow<ReadingRow>({
  ...place,
  device: [count, 0, hidden],
  digest: [fc.maxSafeNat(), 0, hidden],
  kind: [fc.constantFrom("fuel", "temperature", "tyre"), "temperature"],
  sensor: label("cargo"),
  recorded_at: at(noon),
  received_at: [
    instant,
    noon + 1_000,
    (moment, row) => ({ received_at: instantText(moment), ...shownReading(row).common }),
  ],
  ...frameCoordinates,
  level_milli_percent: [
    maybe(fc.oneof(int32, fc.integer({ min: 0, max: 100_000 }))),
    null,
    (_, row) => shownReading(row).own,
  ],
  volume_ml: [maybe(integer), null, hidden],
  tank_capacity_l: [maybe(fc.integer({ min: 1, max: 100_000 })), undefined, hidden],
  temperature_mc: [maybe(int32), null, hidden],
  humidity_milli_percent: [maybe(int32), null, hidden],
  axle: [maybe(int32), null, hidden],
  wheel: [maybe(int32), null, hidden],
  pressure_pa: [maybe(integer), null, hidden],
});

const geofenceEvent = declareRow<GeofenceEventRow>({
  id: id("event_id"),
  ...place,
  geofence_id: id("geofence_id"),
  geofence_name: label(""),
  event_type: [fc.constantFrom("enter", "exit"), "enter"],
  occurred_at: at(noon),
  latitude_e7: [latitude, 520_000_000, shownAs("latitude", degrees)],
  longitude_e7: [longitude, 133_000_000, shownAs("longitude", degrees)],
  speed_m_per_h: [maybe(int32), 32_000, shownAs("speed_kmh", milli)],
  interpolated: boolean,
  time_uncertainty_ms: [size, 0, shownAs("time_uncertainty_s", milli)],
  dwell_ms: [maybe(size), null, shownAs("dwell_s", milli)],
  received_at: maybeAt(noon + 1_000),
  updated_at: maybeAt(noon + 1_000),
});

const mileage = declareRow<MileageRow>({
  ...place,
  name: label(""),
  plate: maybeLabel(null),
  day: [
    instant.map((ms) => Math.floor(ms / msPerDay)),
    Math.floor(noon / msPerDay),
    shownAs("date", (day) => instantText(day * msPerDay).slice(0, 10)),
  ],
  time_zone: [fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns"), "UTC"],
  distance_mm: [size, 245_000_000, shownAs("distance_km", micro)],
  distance_source: [fc.constantFrom("odometer", "gps"), "odometer"],
  start_odometer_m: [maybe(integer), 100_000, shownAs("start_odometer_km", milli)],
  end_odometer_m: [maybe(integer), 345_000, shownAs("end_odometer_km", milli)],
  trip_count: [count, 3],
  driving_ms: [size, 4 * hourMs, shownAs("driving_s", milli)],
  idle_ms: [size, 900_000, shownAs("idle_s", milli)],
  max_speed_m_per_h: [maybe(int32), 89_500, shownAs("max_speed_kmh", milli)],
  gap_distance_mm: [size, 0, shownAs("gap_distance_km", micro)],
  updated_at: at(noon),
});

export const trackingRows = { report, position, latestPosition, trip, alert, reading, geofenceEvent, mileage };
