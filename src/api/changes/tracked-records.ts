import type { ChangedPeriod } from "../../domain/changes/device-change.ts";
import { mileageId, positionId, readingId, type TrackedType } from "../../domain/changes/types.ts";
import { sensorKinds } from "../../domain/frame.ts";
import { dateOfDay } from "../../domain/time/time.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import { alerts, alertsAt } from "../../store/facts/alerts.ts";
import { geofenceEvents, geofenceEventsAt } from "../../store/facts/geofence-events.ts";
import { type MileageRow, mileageAt, mileageDays } from "../../store/facts/mileage.ts";
import { type StopRow, stopsAt, stopsStarted } from "../../store/facts/stops.ts";
import { type TripRow, tripsAt, tripsStarted } from "../../store/facts/trips.ts";
import type { DeviceIdentity } from "../../store/fleet/devices.ts";
import type { DriverNames } from "../../store/fleet/drivers.ts";
import type { FoundFrame } from "../../store/frames/found-frames.ts";
import { framesAtMoments } from "../../store/frames/frames-at.ts";
import type { FrameKey } from "../../store/frames/positions.ts";
import {
  type ReadingKey,
  type ReadingRow,
  readingKey,
  readingsAt,
  type SensorKind,
} from "../../store/frames/readings.ts";
import type { TimeKey, TimePage } from "../../store/pages.ts";
import type { DeviceMoment } from "../../store/timed-rows.ts";
import { historyFrames, namesIn } from "../lists/history-frames.ts";
import { sensorReadings } from "../lists/sensor-readings.ts";
import { alert } from "../records/alert.ts";
import { geofenceEvent } from "../records/geofence-event.ts";
import { mileageDay } from "../records/mileage.ts";
import { position } from "../records/position.ts";
import { reading } from "../records/reading.ts";
import type { ApiRecord } from "../records/record.ts";
import { stop } from "../records/stop.ts";
import { trip } from "../records/trip.ts";
import type { RouteCall } from "../route.ts";

export interface TrackedRecord {
  readonly id: string;
  readonly json: string;
  /** Where it is in the list, to read on after it. */
  readonly key: unknown;
}

export interface RecordRange {
  readonly device: DeviceIdentity;
  readonly period: ChangedPeriod;
  readonly after: unknown;
  readonly count: number;
}

type Viewing = Pick<RouteCall, "database" | "visibility">;
export type RecordAt = TrackedRecord & DeviceMoment;

interface TrackedList {
  /** In the order of the list: up to `count` after one. */
  readonly within: (call: Viewing, range: RecordRange) => Promise<TrackedRecord[]>;
  /** Those at exactly these moments, of many devices at once; of one moment in the order of the list. */
  readonly at: (call: Viewing, moments: readonly DeviceMoment[]) => Promise<RecordAt[]>;
}

export const trackedLists: Readonly<Record<TrackedType, TrackedList>> = {
  position: { within: positionsWithin, at: positionsAt },
  reading: { within: readingsWithin, at: readingsOfMoments },
  trip: timedList(trip, (row: TripRow) => row.started_at, tripsStarted, tripsAt),
  stop: timedList(stop, (row: StopRow) => row.started_at, stopsStarted, stopsAt),
  geofence_event: timedList(geofenceEvent, occurredAt, geofenceEvents, geofenceEventsAt),
  alert: timedList(
    alert,
    occurredAt,
    (reader, visibility, page) => alerts(reader, visibility, { ...page, ...anyAlert }),
    alertsAt,
  ),
  mileage: {
    within: mileageWithin,
    at: async ({ database, visibility }, moments) => withMoments(await mileageAt(database, visibility, moments), ofDay),
  },
};

function occurredAt(row: { readonly occurred_at: number }): number {
  return row.occurred_at;
}

function timedList<Row extends { readonly id: string }>(
  { json }: Pick<ApiRecord<Row>, "json">,
  timeOf: (row: Row) => number,
  within: (reader: Reader, visibility: Visibility, page: TimePage<TimeKey>) => Promise<Row[]>,
  at: (reader: Reader, visibility: Visibility, moments: readonly DeviceMoment[]) => Promise<(Row & DeviceMoment)[]>,
): TrackedList {
  const trackedRecord = (row: Row) => ({ id: row.id, json: json([row]), key: { at: timeOf(row), id: row.id } });
  return {
    within: async ({ database, visibility }, range) =>
      (await within(database, visibility, pageOf<TimeKey>(range))).map(trackedRecord),
    at: async ({ database, visibility }, moments) =>
      withMoments(await at(database, visibility, moments), trackedRecord),
  };
}

const anyAlert = { acknowledged: null, severity: null, alertType: null };

function pageOf<Key>({ device, period: [from, until], after, count }: RecordRange) {
  return { device: device.device, fromMs: from, toMs: until + 1, after: after as Key | null, count };
}

/** Of one moment ids decide the order, as in the lists. */
function withMoments<Row extends DeviceMoment>(rows: readonly Row[], of: (row: Row) => TrackedRecord): RecordAt[] {
  const records = rows.map((row) => ({ ...of(row), device: row.device, at: row.at }));
  return records.sort((one, other) => (one.id < other.id ? -1 : 1));
}

function ofDay(row: MileageRow): TrackedRecord {
  return { id: mileageId(row.device_id, dateOfDay(row.day)), json: mileageDay.json([row]), key: row.day };
}

function ofFrame(
  { id, imei }: Pick<DeviceIdentity, "id" | "imei">,
  frame: FoundFrame,
  names: DriverNames,
): TrackedRecord {
  const { recordedAt, digest } = frame;
  return {
    id: positionId(id, { recordedAt, digest }),
    json: position.json([{ device_id: id, imei, frame, names }]),
    key: { at: recordedAt, digest },
  };
}

async function positionsWithin(call: Viewing, range: RecordRange): Promise<TrackedRecord[]> {
  const page = { ...pageOf<FrameKey>(range), device: range.device, validOnly: false };
  const frames = await historyFrames(call.database, call.visibility, page);
  const names = await namesIn(call, frames);
  return frames.map((frame) => ofFrame(range.device, frame, names));
}

async function positionsAt(call: Viewing, moments: readonly DeviceMoment[]): Promise<RecordAt[]> {
  const rows = await framesAtMoments(call.database, call.visibility, moments);
  const names = await namesIn(
    call,
    rows.map(({ frame }) => frame),
  );
  const digest = ({ key }: TrackedRecord) => (key as FrameKey).digest;
  return rows
    .map(({ device_id: id, imei, frame, device, at }) => ({ ...ofFrame({ id, imei }, frame, names), device, at }))
    .sort((one, other) => digest(one) - digest(other));
}

function ofReading(row: ReadingRow): TrackedRecord {
  const frame = positionId(row.device_id, { recordedAt: row.recorded_at, digest: row.digest });
  const { kind, sensor } = row;
  return { id: readingId(frame, kind, sensor), json: reading.json([row]), key: { kind, ...readingKey(row) } };
}

/** One kind of sensor after the other: each is a list of its own. */
async function readingsWithin({ database, visibility }: Viewing, range: RecordRange): Promise<TrackedRecord[]> {
  const after = range.after as (ReadingKey & { readonly kind: SensorKind }) | null;
  const found: TrackedRecord[] = [];
  for (const kind of sensorKinds.slice(after === null ? 0 : sensorKinds.indexOf(after.kind))) {
    const page = pageOf<ReadingKey>({ ...range, after: after?.kind === kind ? after : null });
    const rows = await sensorReadings(database, visibility, { ...page, count: range.count - found.length, kind });
    found.push(...rows.map(ofReading));
    if (found.length === range.count) break;
  }
  return found;
}

async function readingsOfMoments(
  { database, visibility }: Viewing,
  moments: readonly DeviceMoment[],
): Promise<RecordAt[]> {
  const order = (row: ReadingRow) => `${sensorKinds.indexOf(row.kind)} ${String(row.digest).padStart(16, "0")}`;
  const rows = (await readingsAt(database, visibility, moments)).map((row) => ({ row, order: order(row) }));
  rows.sort((one, other) => (one.order + one.row.sensor < other.order + other.row.sensor ? -1 : 1));
  return rows.map(({ row }) => ({ ...ofReading(row), device: row.device, at: row.recorded_at }));
}

/** Later than any day, and within an `integer` of PostgreSQL. */
const lastDay = 100_000_000;

async function mileageWithin({ database, visibility }: Viewing, range: RecordRange): Promise<TrackedRecord[]> {
  const { device, period, after, count } = range;
  const days = { timeZone: "", fromDay: period[0], untilDay: Math.min(period[1], lastDay) + 1 };
  const page = { after: after === null ? null : { device_id: device.id, day: after as number }, count };
  return (await mileageDays(database, visibility, { device: device.device, days: [days] }, page)).map(ofDay);
}
