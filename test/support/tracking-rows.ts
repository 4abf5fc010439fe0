import fc from "fast-check";
import { exampleFrame, exampleNames, type FrameRow as ShownFrameRow } from "../../src/api/records/position.ts";
import { severities } from "../../src/domain/alert-types.ts";
import { formatReported, type Reported, timeSourceOf } from "../../src/domain/reported.ts";
import { accepted } from "../../src/domain/verdict.ts";
import { encodeFrames, FrameBlock } from "../../src/store/blocks/frame-block.ts";
import { frameLineOf } from "../../src/store/blocks/frame-line.ts";
import type { AlertRow } from "../../src/store/facts/alerts.ts";
import type { GeofenceEventRow } from "../../src/store/facts/geofence-events.ts";
import type { MileageRow } from "../../src/store/facts/mileage.ts";
import type { StopRow } from "../../src/store/facts/stops.ts";
import type { TripRow } from "../../src/store/facts/trips.ts";
import { type FoundFrame, FrameInBlock } from "../../src/store/frames/found-frames.ts";
import type { LatestPositionRow } from "../../src/store/frames/positions.ts";
import type { ReadingRow } from "../../src/store/frames/readings.ts";
import { verdicts } from "./any-frame.ts";
import { columnsOf, reportOf } from "./frame-rows.ts";
import { any, column, declareRow, hourMs, msPerDay, noon, shown } from "./seed-rows.ts";

const real = fc.double({ noNaN: true });
/** As JSON.stringify writes it: a tracker's numbers may be anything but infinite. */
const number = any.maybe(
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
  satellites: [any.maybe(any.int32), 11],
  hdop: [number, 0.9],
  ignition: [any.maybe(fc.boolean()), true],
  odometer_km: [number, 123.456],
  battery_percent: [number, 87],
  external_voltage_v: [number, 27.4],
  event: column.maybeLabel(null),
});

const timeSource = fc.constantFrom(undefined, "receipt" as const);

/** A stored frame, which is shown from a row of its own or from a block. */
const found: fc.Arbitrary<FoundFrame> = fc
  .tuple(
    report.any,
    fc.record({ recordedAt: any.instant, receivedAt: any.instant, digest: fc.maxSafeNat() }),
    fc.constantFrom(...verdicts),
    fc.boolean(),
    fc.constantFrom(undefined, exampleFrame.driver_id, 'nobody\'s "tag"'),
    timeSource,
  )
  .map(([reported, rest, verdict, isInBlock, driver_id, time_source]) => {
    const frame = { ...reported, ...rest, fix: null, source: null, sensors: [], driver_id, time_source };
    if (!isInBlock) return frameLineOf({ frame, verdict });
    // Beside others, so that its columns have more than one value.
    const earlier = { frame: { ...exampleFrame, recordedAt: frame.recordedAt - 1 }, verdict: accepted };
    return new FrameInBlock(new FrameBlock(encodeFrames([earlier, { frame, verdict }])), 1);
  });

const position = declareRow<ShownFrameRow>({
  ...column.place,
  frame: [
    found,
    frameLineOf({
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
      const { driverId: driver_id = null } = frame;
      const driver_name = driver_id === null ? null : (exampleNames.get(driver_id) ?? null);
      const time_source = frame.timeSource ?? "tracker";
      return { ...shownReport(row), valid, reject_reason, discontinuity, driver_id, driver_name, time_source };
    },
  ],
  names: [fc.constant(exampleNames), exampleNames, shown.nowhere],
});

function shownReport(row: Pick<LatestPositionRow, "recorded_at" | "received_at" | "fields_json">) {
  return {
    recorded_at: shown.instant(row.recorded_at),
    received_at: shown.instant(row.received_at),
    ...report.record(reportOf(row)),
  };
}

const placedReport = fc
  .tuple(report.any, any.maybe(any.latitude), any.maybe(any.longitude), timeSource)
  .map(([reported, north, east, time_source]) =>
    formatReported({ ...reported, latitude: shown.degrees(north), longitude: shown.degrees(east), time_source }),
  );

const latestPosition = declareRow<LatestPositionRow>({
  ...column.place,
  recorded_at: [any.instant, noon, (_, row) => ({ ...shownReport(row), valid: true, reject_reason: null })],
  received_at: [any.instant, noon + 1_000, shown.nowhere],
  fields_json: [placedReport, formatReported(report.ordinary), shown.nowhere],
  discontinuity: column.boolean,
  driver_id: column.maybeLabel(null),
  driver_name: [
    any.maybe(any.text),
    null,
    (driver_name, row) => ({ driver_name, time_source: timeSourceOf(row.fields_json) ?? "tracker" }),
  ],
  name: column.label(""),
  plate: column.maybeLabel(null),
  ignition_since: column.maybeAt(noon - hourMs),
  trip_id: column.maybeId,
  geofence_ids_json: [
    any.maybe(any.json(fc.array(fc.uuid()))),
    "[]",
    shown.as("geofence_ids", (ids) => JSON.parse(ids ?? "[]")),
  ],
});

const point = (north: number | null, east: number | null) =>
  north === null || east === null ? null : { latitude: shown.degrees(north), longitude: shown.degrees(east) };

const averageSpeed = ({ distance_mm, duration_ms }: TripRow) =>
  duration_ms === 0 ? null : Math.round((distance_mm * 36) / duration_ms) / 10;

/** Each until the next; the only one is not written down once more. */
function shownDrivers(json: string | null, { started_at, ended_at, driver_id, driver_names }: TripRow) {
  const only = driver_id === null ? [] : [[driver_id, started_at] as const];
  const all = json === null ? only : (JSON.parse(json) as [string, number][]);
  const ends = [...all.slice(1).map(([, from]) => from), ended_at];
  return all.map(([id, from], index) => {
    const until = ends[index] ?? null;
    return {
      driver_id: id,
      driver_name: driver_names.get(id) ?? null,
      from: shown.instant(from),
      until: until === null ? null : shown.instant(until),
    };
  });
}

const trip = declareRow<TripRow>({
  id: column.id("trip_id"),
  ...column.place,
  started_at: [
    any.instant,
    noon,
    (start, { ended_at }) => ({
      status: ended_at === null ? "in_progress" : "completed",
      started_at: shown.instant(start),
    }),
  ],
  ended_at: column.maybeAt(noon + hourMs),
  start_latitude_e7: [any.latitude, 520_000_000, (north, row) => ({ start: point(north, row.start_longitude_e7) })],
  start_longitude_e7: [any.longitude, 133_000_000, shown.nowhere],
  end_latitude_e7: [
    any.maybe(any.latitude),
    521_000_000,
    (north, row) => ({ end: point(north, row.end_longitude_e7) }),
  ],
  end_longitude_e7: [any.maybe(any.longitude), 134_000_000, shown.nowhere],
  distance_mm: [any.size, 12_345_678, shown.as("distance_km", shown.micro)],
  carried_mm: [
    any.maybe(any.size),
    0,
    (mm) => ({ is_carried: (mm ?? 0) > 0, carried_km: mm === null ? null : shown.micro(mm) }),
  ],
  duration_ms: [any.size, hourMs, shown.as("duration_s", shown.milli)],
  idle_ms: [any.size, 60_000, shown.as("idle_s", shown.milli)],
  max_speed_m_per_h: [
    any.maybe(any.int32),
    89_500,
    (speed, row) => ({ max_speed_kmh: shown.milli(speed), avg_speed_kmh: averageSpeed(row) }),
  ],
  start_odometer_m: [any.maybe(any.integer), 100_000, shown.as("start_odometer_km", shown.milli)],
  end_odometer_m: [any.maybe(any.integer), 112_345, shown.as("end_odometer_km", shown.milli)],
  position_count: [any.count, 120],
  has_gap: column.boolean,
  end_reason: [fc.constantFrom("ignition_off", "stationary", "gap", "discontinuity", null), "ignition_off"],
  received_at: column.maybeAt(noon - 1_000),
  updated_at: column.at(noon),
  driver_id: column.maybeLabel(null),
  driver_name: column.maybeLabel(null),
  drivers_json: [
    any.maybe(any.json(fc.array(fc.tuple(any.text, any.instant), { minLength: 2 }))),
    null,
    (json, row) => ({ drivers: shownDrivers(json, row) }),
  ],
  driver_names: [fc.constant(exampleNames), exampleNames, shown.nowhere],
});

const stop = declareRow<StopRow>({
  id: column.id("stop_id"),
  ...column.place,
  started_at: [
    any.instant,
    noon,
    (start, { ended_at }) => ({
      status: ended_at === null ? "open" : "ended",
      started_at: shown.instant(start),
    }),
  ],
  ended_at: column.maybeAt(noon + hourMs),
  duration_ms: [any.size, hourMs, shown.as("duration_s", shown.milli)],
  latitude_e7: [any.latitude, 520_000_000, shown.as("latitude", shown.degrees)],
  longitude_e7: [any.longitude, 133_000_000, shown.as("longitude", shown.degrees)],
  geofence_ids: [
    fc.array(fc.uuid()).map((ids) => ids.join(" ")),
    "",
    shown.as("geofence_ids", (ids) => ids.split(" ").filter((id) => id !== "")),
  ],
  ignition_on_ms: [any.maybe(any.size), 60_000, shown.as("ignition_on_s", shown.milli)],
  trip_before_id: column.id("trip_before_id"),
  trip_after_id: column.maybeId,
  updated_at: column.at(noon),
});

const frameCoordinates = {
  latitude_e7: [any.maybe(any.int32), 520_000_000, shown.as("latitude", shown.degrees)],
  longitude_e7: [any.maybe(any.int32), 133_000_000, shown.as("longitude", shown.degrees)],
} as const;

/** The later of two moments, of which either may be unknown. */
const laterOf = (one: number | null, other: number | null) =>
  one === null && other === null ? null : shown.instant(Math.max(one ?? -Infinity, other ?? -Infinity));

const alert = declareRow<AlertRow>({
  id: column.id("alert_id"),
  ...column.place,
  alert_type: column.label("speeding"),
  severity: [fc.constantFrom(...severities), "warning"],
  message: column.label("97 km/h where 80 are allowed"),
  occurred_at: column.at(noon),
  ended_at: column.maybeAt(noon + 30_000),
  received_at: column.at(noon + 1_000),
  ...frameCoordinates,
  speed_m_per_h: [any.maybe(any.int32), 97_000, shown.as("speed_kmh", shown.milli)],
  value: [any.maybe(real), 97],
  threshold: [any.maybe(real), 80],
  unit: column.maybeLabel("km/h"),
  geofence_id: column.maybeId,
  trip_id: column.maybeId,
  acknowledged_at: [
    any.maybe(any.instant),
    null,
    (moment) => ({ acknowledged: moment !== null, acknowledged_at: laterOf(moment, null) }),
  ],
  acknowledged_by: column.maybeId,
  updated_at: [
    any.maybe(any.instant),
    noon + 31_000,
    (moment, { acknowledged_at }) => ({ updated_at: laterOf(moment, acknowledged_at) }),
  ],
});

/** The value of a kind of sensor beside what only that kind measures. */
function shownReading(row: ReadingRow) {
  const of = (value: number | null, unit: string) => ({ value: shown.milli(value), unit });
  const temperature_c = shown.milli(row.temperature_mc);
  switch (row.kind) {
    case "fuel": {
      const level = row.level_milli_percent;
      const capacity = row.tank_capacity_l ?? 0;
      const isLevel = level !== null && level >= 0 && level <= 100_000 && capacity > 0;
      const volume = row.volume_ml ?? (isLevel ? Math.round((level * capacity) / 100) : null);
      const common = level === null && volume !== null ? of(row.volume_ml, "L") : of(level, "%");
      return { common, own: { level_percent: shown.milli(level), volume_l: shown.milli(volume) } };
    }
    case "temperature":
      return {
        common: of(row.temperature_mc, "°C"),
        own: { temperature_c, humidity_percent: shown.milli(row.humidity_milli_percent) },
      };
    case "tyre": {
      const { axle, wheel, pressure_pa } = row;
      return {
        common: of(pressure_pa, "kPa"),
        own: { axle, wheel, pressure_kpa: shown.milli(pressure_pa), temperature_c },
      };
    }
  }
}

const reading = declareRow<ReadingRow>({
  ...column.place,
  device: [any.count, 0, shown.nowhere],
  digest: [fc.maxSafeNat(), 0, shown.nowhere],
  kind: [fc.constantFrom("fuel", "temperature", "tyre"), "temperature"],
  sensor: column.label("cargo"),
  recorded_at: column.at(noon),
  received_at: [
    any.instant,
    noon + 1_000,
    (moment, row) => ({ received_at: shown.instant(moment), ...shownReading(row).common }),
  ],
  ...frameCoordinates,
  level_milli_percent: [
    any.maybe(fc.oneof(any.int32, fc.integer({ min: 0, max: 100_000 }))),
    null,
    (_, row) => shownReading(row).own,
  ],
  volume_ml: [any.maybe(any.integer), null, shown.nowhere],
  tank_capacity_l: [any.maybe(fc.integer({ min: 1, max: 100_000 })), undefined, shown.nowhere],
  temperature_mc: [any.maybe(any.int32), null, shown.nowhere],
  humidity_milli_percent: [any.maybe(any.int32), null, shown.nowhere],
  axle: [any.maybe(any.int32), null, shown.nowhere],
  wheel: [any.maybe(any.int32), null, shown.nowhere],
  pressure_pa: [any.maybe(any.integer), null, shown.nowhere],
});

const geofenceEvent = declareRow<GeofenceEventRow>({
  id: column.id("event_id"),
  ...column.place,
  geofence_id: column.id("geofence_id"),
  geofence_name: column.label(""),
  event_type: [fc.constantFrom("enter", "exit"), "enter"],
  occurred_at: column.at(noon),
  latitude_e7: [any.latitude, 520_000_000, shown.as("latitude", shown.degrees)],
  longitude_e7: [any.longitude, 133_000_000, shown.as("longitude", shown.degrees)],
  speed_m_per_h: [any.maybe(any.int32), 32_000, shown.as("speed_kmh", shown.milli)],
  interpolated: column.boolean,
  time_uncertainty_ms: [any.size, 0, shown.as("time_uncertainty_s", shown.milli)],
  dwell_ms: [any.maybe(any.size), null, shown.as("dwell_s", shown.milli)],
  received_at: column.maybeAt(noon + 1_000),
  updated_at: column.maybeAt(noon + 1_000),
});

const mileage = declareRow<MileageRow>({
  ...column.place,
  name: column.label(""),
  plate: column.maybeLabel(null),
  day: [
    any.instant.map((ms) => Math.floor(ms / msPerDay)),
    Math.floor(noon / msPerDay),
    shown.as("date", (day) => shown.instant(day * msPerDay).slice(0, 10)),
  ],
  time_zone: [fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns"), "UTC"],
  distance_mm: [any.size, 245_000_000, shown.as("distance_km", shown.micro)],
  distance_source: [fc.constantFrom("odometer", "gps"), "odometer"],
  start_odometer_m: [any.maybe(any.integer), 100_000, shown.as("start_odometer_km", shown.milli)],
  end_odometer_m: [any.maybe(any.integer), 345_000, shown.as("end_odometer_km", shown.milli)],
  trip_count: [any.count, 3],
  driving_ms: [any.size, 4 * hourMs, shown.as("driving_s", shown.milli)],
  idle_ms: [any.size, 900_000, shown.as("idle_s", shown.milli)],
  max_speed_m_per_h: [any.maybe(any.int32), 89_500, shown.as("max_speed_kmh", shown.milli)],
  gap_distance_mm: [any.size, 0, shown.as("gap_distance_km", shown.micro)],
  carried_mm: [any.maybe(any.size), 0, (mm) => ({ carried_km: mm === null ? null : shown.micro(mm) })],
  updated_at: column.at(noon),
});

export const trackingRows = { report, position, latestPosition, trip, stop, alert, reading, geofenceEvent, mileage };
