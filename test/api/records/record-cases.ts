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
import { stop } from "../../../src/api/records/stop.ts";
import { trip } from "../../../src/api/records/trip.ts";
import { user } from "../../../src/api/records/user.ts";
import { fleetRows } from "../../support/fleet-rows.ts";
import type { DeclaredRow } from "../../support/seed-rows.ts";
import { trackingRows } from "../../support/tracking-rows.ts";

/** All that there is to say of one kind of record, with the row's type kept inside. */
export interface RecordCase {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly examples: readonly object[];
  use<Result>(user: RecordUser<Result>): Result;
}

export interface RecordUse<Row> {
  readonly declared: DeclaredRow<Row>;
  readonly exampleRows: readonly Row[];
  readonly json: (rows: readonly Row[]) => string;
}

type RecordUser<Result> = <Row>(record: RecordUse<Row>) => Result;

function recordCase<Row>(
  record: ApiRecord<Row>,
  declared: DeclaredRow<Row>,
  shown: readonly Pick<ApiRecord<Row>, "example" | "exampleRow">[] = [record],
): RecordCase {
  const { name, schema, json } = record;
  const exampleRows = shown.map(({ exampleRow }) => exampleRow);
  const examples = shown.map(({ example }) => example as object);
  return { name, schema, examples, use: (use) => use({ declared, exampleRows, json }) };
}

export const recordCases: readonly RecordCase[] = [
  recordCase(position, trackingRows.position),
  recordCase(latestPosition, trackingRows.latestPosition),
  recordCase(device, fleetRows.device),
  recordCase(trip, trackingRows.trip),
  recordCase(stop, trackingRows.stop),
  recordCase(alert, trackingRows.alert),
  recordCase(reading, trackingRows.reading, Object.values(readingsByKind)),
  recordCase(geofence, fleetRows.geofence),
  recordCase(assignedGeofence, fleetRows.assignedGeofence),
  recordCase(geofenceEvent, trackingRows.geofenceEvent),
  recordCase(user, fleetRows.user),
  recordCase(alertSettings, fleetRows.alertSettings),
  recordCase(mileageDay, trackingRows.mileage),
];
