import { z } from "zod";
import type { AssignedGeofenceRow } from "../../store/geofences.ts";
import { presenter } from "./body.ts";
import { instant } from "./fields.ts";
import { exampleGeofenceRow, geofenceFields, writeFence } from "./geofence.ts";
import type { JsonWriter } from "./json-writer.ts";
import { closeBrace, keys } from "./literal.ts";

const key = keys("assigned_at", "inside");

export function writeAssignedGeofence(json: JsonWriter, row: AssignedGeofenceRow): void {
  writeFence(json, row);
  json.literal(key.assigned_at);
  json.instant(row.assigned_at);
  json.literal(key.inside);
  json.boolean(row.inside);
  json.literal(closeBrace);
}

export const presentAssignedGeofence = presenter(writeAssignedGeofence);

export const exampleAssignedGeofenceRow: AssignedGeofenceRow = {
  ...exampleGeofenceRow,
  assigned_at: Date.parse("2025-11-03T09:30:12.508Z"),
  inside: true,
};
export const exampleAssignedGeofenceRecord: unknown = JSON.parse(presentAssignedGeofence(exampleAssignedGeofenceRow));

export const assignedGeofenceSchema = z
  .strictObject({
    ...geofenceFields,
    assigned_at: instant.describe("When it was assigned to the device."),
    inside: z.boolean().nullable().describe("Whether the device is inside; null while it has no position."),
  })
  .meta({
    id: "AssignedGeofence",
    description: "A geofence with what it is to one device.",
    examples: [exampleAssignedGeofenceRecord],
  });
