import { alertSettings } from "../../store/alert-settings.ts";
import { type AssignedGeofenceRow, deviceGeofences } from "../../store/geofences.ts";
import { deviceOfPath, noSuchDevice } from "../input/device-input.ts";
import { devicePath } from "../input/path-parameters.ts";
import { listInParts } from "../lists/row-parts.ts";
import { alertSettingsSchema, exampleAlertSettingsRecord, writeAlertSettings } from "../records/alert-settings.ts";
import {
  assignedGeofenceSchema,
  exampleAssignedGeofenceRecord,
  writeAssignedGeofence,
} from "../records/assigned-geofence.ts";
import { singleBody } from "../records/body.ts";
import { singleOf, wholeListOf } from "../records/envelope.ts";
import { story } from "../records/story.ts";
import type { Route } from "../route.ts";

export const getAlertSettings: Route = {
  path: "/devices/{device_id}/alert-settings",
  operationId: "getDeviceAlertSettings",
  tag: "Devices",
  summary: "Get a device's alert settings",
  description:
    "The alert rules that are set for the device. A rule that is not listed works by its defaults. A rule for geofences of " +
    "which the key sees none is left out.",
  scope: "devices:read",
  parameters: [devicePath],
  response: singleOf(alertSettingsSchema, "AlertSettings"),
  example: {
    request: `/devices/${story.deviceId}/alert-settings`,
    response: { data: exampleAlertSettingsRecord },
  },
  conditional: false,
  windowed: false,
  async answer(call) {
    const device = await deviceOfPath(call);
    const settings = await alertSettings(call.database, call.visibility, device.id);
    if (!settings) throw noSuchDevice();
    return { body: singleBody(settings, writeAlertSettings) };
  },
};

export const listDeviceGeofences: Route = {
  path: "/devices/{device_id}/geofences",
  operationId: "listDeviceGeofences",
  tag: "Geofences",
  summary: "List a device's geofences",
  description: "The geofences assigned to the device, and whether it is inside. This list has no pages.",
  scope: "geofences:read",
  parameters: [devicePath],
  response: wholeListOf(assignedGeofenceSchema, "AssignedGeofence"),
  example: {
    request: `/devices/${story.deviceId}/geofences`,
    response: { data: [exampleAssignedGeofenceRecord], next_cursor: null },
  },
  conditional: false,
  windowed: false,
  async answer(call) {
    const device = await deviceOfPath(call);
    const read = (after: AssignedGeofenceRow | null, count: number) =>
      deviceGeofences(call.database, call.visibility, device.device, { after: after?.id ?? null, count });
    const body = await listInParts(call, {
      read,
      limit: Number.POSITIVE_INFINITY,
      write: writeAssignedGeofence,
      bytesOf: (row) => row.geometry_json.length,
      cursorAfter: () => null,
    });
    return { body };
  },
};
