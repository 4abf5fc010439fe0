import type fc from "fast-check";
import type { z } from "zod";
import { alert } from "../../../src/api/records/alert.ts";
import { alertSettings } from "../../../src/api/records/alert-settings.ts";
import { device } from "../../../src/api/records/device.ts";
import { assignedGeofence, geofence } from "../../../src/api/records/geofence.ts";
import { geofenceEvent } from "../../../src/api/records/geofence-event.ts";
import { latestPosition } from "../../../src/api/records/latest-position.ts";
import { mileageDay } from "../../../src/api/records/mileage.ts";
import { position } from "../../../src/api/records/position.ts";
import { reading, readingsByKind } from "../../../src/api/records/reading.ts";
import type { ApiRecord } from "../../../src/api/records/record.ts";
import { trip } from "../../../src/api/records/trip.ts";
import { user } from "../../../src/api/records/user.ts";
import { fleetRows } from "./fleet-rows.ts";
import { naiveFleet } from "./naive-fleet.ts";
import { naiveTracking } from "./naive-tracking.ts";
import { trackingRows } from "./tracking-rows.ts";

/** All that there is to say of one kind of record, with the row's type kept inside. */
export interface RecordCase {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly examples: readonly unknown[];
  use<Result>(user: RecordUser<Result>): Result;
}

export interface RecordParts<Row> {
  readonly rows: fc.Arbitrary<Row>;
  readonly exampleRows: readonly Row[];
  readonly json: (rows: readonly Row[]) => string;
  readonly naive: (row: Row) => unknown;
}

type RecordUser<Result> = <Row>(parts: RecordParts<Row>) => Result;

function recordCase<Row>(
  record: ApiRecord<Row>,
  rows: fc.Arbitrary<Row>,
  naive: (row: Row) => unknown,
  shown: readonly Pick<ApiRecord<Row>, "example" | "exampleRow">[] = [record],
): RecordCase {
  const { name, schema, json } = record;
  const exampleRows = shown.map(({ exampleRow }) => exampleRow);
  const examples = shown.map(({ example }) => example);
  return { name, schema, examples, use: (use) => use({ rows, exampleRows, json, naive }) };
}

export const recordCases: readonly RecordCase[] = [
  recordCase(position, trackingRows.position, naiveTracking.position),
  recordCase(latestPosition, trackingRows.latestPosition, naiveTracking.latestPosition),
  recordCase(device, fleetRows.device, naiveFleet.device),
  recordCase(trip, trackingRows.trip, naiveTracking.trip),
  recordCase(alert, trackingRows.alert, naiveTracking.alert),
  recordCase(reading, trackingRows.reading, naiveTracking.reading, Object.values(readingsByKind)),
  recordCase(geofence, fleetRows.geofence, naiveFleet.geofence),
  recordCase(assignedGeofence, fleetRows.assignedGeofence, naiveFleet.assignedGeofence),
  recordCase(geofenceEvent, trackingRows.geofenceEvent, naiveTracking.geofenceEvent),
  recordCase(user, fleetRows.user, naiveFleet.user),
  recordCase(alertSettings, fleetRows.alertSettings, naiveFleet.alertSettings),
  recordCase(mileageDay, trackingRows.mileage, naiveTracking.mileage),
];
