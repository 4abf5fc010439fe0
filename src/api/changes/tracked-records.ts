import { mileageId, type Period, positionId, readingId, type TrackedType } from "../../domain/changes.ts";
import { frameLayout, parsePlace } from "../../domain/frame-text.ts";
import { dateOfDay } from "../../domain/time.ts";
import { alerts } from "../../store/alerts.ts";
import type { DeviceIdentity } from "../../store/devices.ts";
import { geofenceEvents } from "../../store/geofence-events.ts";
import { mileage } from "../../store/mileage.ts";
import type { TimeKey } from "../../store/pages.ts";
import { type FrameKey, history } from "../../store/positions.ts";
import { type ReadingKey, readings, type SensorKind } from "../../store/readings.ts";
import { tripsStarted } from "../../store/trips.ts";
import { alert } from "../records/alert.ts";
import { geofenceEvent } from "../records/geofence-event.ts";
import { mileageDay } from "../records/mileage.ts";
import { position } from "../records/position.ts";
import { reading } from "../records/reading.ts";
import { trip } from "../records/trip.ts";
import type { RouteCall } from "../route.ts";

export interface TrackedRecord {
  readonly id: string;
  /** As its list shows it. */
  readonly json: string;
  /** To read on after it. */
  readonly key: unknown;
}

/** Records of one device between two times. */
export interface RecordRange {
  readonly device: DeviceIdentity;
  readonly period: Period;
  /** The key of the record before. */
  readonly after: unknown;
  readonly count: number;
}

type Viewing = Pick<RouteCall, "database" | "visibility">;
type ReadRecords = (call: Viewing, range: RecordRange) => Promise<TrackedRecord[]>;

/** How the records that a change is about are read. Readings of a device are one list for each kind of sensor. */
export const trackedRecords: Readonly<Record<TrackedType, readonly ReadRecords[]>> = {
  position: [positionsOf],
  reading: [readingsOf("fuel"), readingsOf("temperature"), readingsOf("tyre")],
  trip: [
    async ({ database, visibility }, range) =>
      withIds(trip, await tripsStarted(database, visibility, pageOf<TimeKey>(range)), (row) => row.started_at),
  ],
  geofence_event: [
    async ({ database, visibility }, range) =>
      withIds(
        geofenceEvent,
        await geofenceEvents(database, visibility, pageOf<TimeKey>(range)),
        (row) => row.occurred_at,
      ),
  ],
  alert: [
    async ({ database, visibility }, range) =>
      withIds(
        alert,
        await alerts(database, visibility, { ...pageOf<TimeKey>(range), ...anyAlert }),
        (row) => row.occurred_at,
      ),
  ],
  mileage: [mileageOf],
};

const anyAlert = { acknowledged: null, severity: null, alertType: null };

function pageOf<Key>({ device, period: [from, until], after, count }: RecordRange) {
  return { device: device.device, fromMs: from, toMs: until + 1, after: after as Key | null, count };
}

function withIds<Row extends { readonly id: string }>(
  { json }: { readonly json: (rows: readonly Row[]) => string },
  rows: readonly Row[],
  timeOf: (row: Row) => number,
): TrackedRecord[] {
  return rows.map((row) => ({ id: row.id, json: json([row]), key: { at: timeOf(row), id: row.id } }));
}

async function positionsOf({ database, visibility }: Viewing, range: RecordRange): Promise<TrackedRecord[]> {
  const { id, imei } = range.device;
  const page = { ...pageOf<FrameKey>(range), device: range.device, validOnly: false };
  const frames = (await history(database, visibility, page)).split(frameLayout.end);
  return frames
    .filter((frame) => frame !== "")
    .map((frame) => {
      const place = parsePlace(frame);
      return {
        id: positionId(id, place),
        json: position.json([{ device_id: id, imei, packed: frame + frameLayout.end }]),
        key: { at: place.recordedAt, digest: place.digest },
      };
    });
}

function readingsOf(kind: SensorKind): ReadRecords {
  return async ({ database, visibility }, range) => {
    const rows = await readings(database, visibility, { ...pageOf<ReadingKey>(range), kind });
    return rows.map((row) => ({
      id: readingId(positionId(row.device_id, { recordedAt: row.recorded_at, digest: row.digest }), kind, row.sensor),
      json: reading.json([row]),
      key: { at: row.recorded_at, device: row.device, digest: row.digest, sensor: row.sensor },
    }));
  };
}

/** Later than any day: PostgreSQL compares days as small integers. */
const lastDay = 100_000_000;

async function mileageOf({ database, visibility }: Viewing, range: RecordRange): Promise<TrackedRecord[]> {
  const { device, period, after, count } = range;
  const days = { timeZone: "", fromDay: period[0], untilDay: Math.min(period[1], lastDay) + 1 };
  const page = { after: after === null ? null : { device_id: device.id, day: after as number }, count };
  const rows = await mileage(database, visibility, { device: device.device, days: [days] }, page);
  return rows.map((row) => ({
    id: mileageId(row.device_id, dateOfDay(row.day)),
    json: mileageDay.json([row]),
    key: row.day,
  }));
}
