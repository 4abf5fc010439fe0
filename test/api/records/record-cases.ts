import type fc from "fast-check";
import type { z } from "zod";
import * as alert from "../../../src/api/records/alert.ts";
import * as alertSettings from "../../../src/api/records/alert-settings.ts";
import * as assignedGeofence from "../../../src/api/records/assigned-geofence.ts";
import * as device from "../../../src/api/records/device.ts";
import * as geofence from "../../../src/api/records/geofence.ts";
import * as geofenceEvent from "../../../src/api/records/geofence-event.ts";
import type { WriteRecord } from "../../../src/api/records/json-writer.ts";
import * as latestPosition from "../../../src/api/records/latest-position.ts";
import * as mileage from "../../../src/api/records/mileage.ts";
import * as position from "../../../src/api/records/position.ts";
import * as reading from "../../../src/api/records/reading.ts";
import * as readingSchema from "../../../src/api/records/reading-schema.ts";
import * as trip from "../../../src/api/records/trip.ts";
import * as user from "../../../src/api/records/user.ts";
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
  readonly write: WriteRecord<Row>;
  readonly present: (row: Row) => string;
  readonly naive: (row: Row) => unknown;
}

type RecordUser<Result> = <Row>(parts: RecordParts<Row>) => Result;

function recordCase<Row>(
  name: string,
  schema: z.ZodType,
  examples: readonly unknown[],
  parts: RecordParts<Row>,
): RecordCase {
  return { name, schema, examples, use: (use) => use(parts) };
}

const readingKinds = ["fuel", "temperature", "tyre"] as const;

export const recordCases: readonly RecordCase[] = [
  recordCase("Position", position.positionSchema, [position.examplePositionRecord], {
    rows: trackingRows.position,
    exampleRows: [position.examplePositionRow],
    write: position.writePosition,
    present: position.presentPosition,
    naive: naiveTracking.position,
  }),
  recordCase("LatestPosition", latestPosition.latestPositionSchema, [latestPosition.exampleLatestPositionRecord], {
    rows: trackingRows.latestPosition,
    exampleRows: [latestPosition.exampleLatestPositionRow],
    write: latestPosition.writeLatestPosition,
    present: latestPosition.presentLatestPosition,
    naive: naiveTracking.latestPosition,
  }),
  recordCase("Device", device.deviceSchema, [device.exampleDeviceRecord], {
    rows: fleetRows.device,
    exampleRows: [device.exampleDeviceRow],
    write: device.writeDevice,
    present: device.presentDevice,
    naive: naiveFleet.device,
  }),
  recordCase("Trip", trip.tripSchema, [trip.exampleTripRecord], {
    rows: trackingRows.trip,
    exampleRows: [trip.exampleTripRow],
    write: trip.writeTrip,
    present: trip.presentTrip,
    naive: naiveTracking.trip,
  }),
  recordCase("Alert", alert.alertSchema, [alert.exampleAlertRecord], {
    rows: trackingRows.alert,
    exampleRows: [alert.exampleAlertRow],
    write: alert.writeAlert,
    present: alert.presentAlert,
    naive: naiveTracking.alert,
  }),
  recordCase(
    "SensorReading",
    readingSchema.readingSchema,
    readingKinds.map((kind) => readingSchema.exampleReadingRecords[kind]),
    {
      rows: trackingRows.reading,
      exampleRows: readingKinds.map((kind) => readingSchema.exampleReadingRows[kind]),
      write: reading.writeReading,
      present: reading.presentReading,
      naive: naiveTracking.reading,
    },
  ),
  recordCase("Geofence", geofence.geofenceSchema, [geofence.exampleGeofenceRecord], {
    rows: fleetRows.geofence,
    exampleRows: [geofence.exampleGeofenceRow],
    write: geofence.writeGeofence,
    present: geofence.presentGeofence,
    naive: naiveFleet.geofence,
  }),
  recordCase(
    "AssignedGeofence",
    assignedGeofence.assignedGeofenceSchema,
    [assignedGeofence.exampleAssignedGeofenceRecord],
    {
      rows: fleetRows.assignedGeofence,
      exampleRows: [assignedGeofence.exampleAssignedGeofenceRow],
      write: assignedGeofence.writeAssignedGeofence,
      present: assignedGeofence.presentAssignedGeofence,
      naive: naiveFleet.assignedGeofence,
    },
  ),
  recordCase("GeofenceEvent", geofenceEvent.geofenceEventSchema, [geofenceEvent.exampleGeofenceEventRecord], {
    rows: trackingRows.geofenceEvent,
    exampleRows: [geofenceEvent.exampleGeofenceEventRow],
    write: geofenceEvent.writeGeofenceEvent,
    present: geofenceEvent.presentGeofenceEvent,
    naive: naiveTracking.geofenceEvent,
  }),
  recordCase("User", user.userSchema, [user.exampleUserRecord], {
    rows: fleetRows.user,
    exampleRows: [user.exampleUserRow],
    write: user.writeUser,
    present: user.presentUser,
    naive: naiveFleet.user,
  }),
  recordCase("AlertSettings", alertSettings.alertSettingsSchema, [alertSettings.exampleAlertSettingsRecord], {
    rows: fleetRows.alertSettings,
    exampleRows: [alertSettings.exampleAlertSettingsRow],
    write: alertSettings.writeAlertSettings,
    present: alertSettings.presentAlertSettings,
    naive: naiveFleet.alertSettings,
  }),
  recordCase("MileageRow", mileage.mileageSchema, [mileage.exampleMileageRecord], {
    rows: trackingRows.mileage,
    exampleRows: [mileage.exampleMileageRow],
    write: mileage.writeMileage,
    present: mileage.presentMileage,
    naive: naiveTracking.mileage,
  }),
];
