import { alertSettings as storedSettings } from "../../store/fleet/alert-settings.ts";
import { type AssignedGeofenceRow, deviceGeofences } from "../../store/fleet/geofences.ts";
import { listFormats } from "../formats/list-formats.ts";
import { deviceOfPath, noSuchDevice } from "../input/device-input.ts";
import { devicePath } from "../input/path-parameters.ts";
import { largeRowsPerPart, longListBody, maxBodyLength } from "../lists/long-list.ts";
import { alertSettings } from "../records/alert-settings.ts";
import { singleBody } from "../records/body.ts";
import { singleOf, wholeListOf } from "../records/envelope.ts";
import { assignedGeofence } from "../records/geofence.ts";
import { story } from "../records/story.ts";
import type { Route } from "../route.ts";
import { geofenceFeature } from "./geofences.ts";

export const getAlertSettings: Route = {
  path: "/devices/{device_id}/alert-settings",
  operationId: "getDeviceAlertSettings",
  tag: "Devices",
  summary: "Get a device's alert settings",
  description:
    "The alert rules in force for the device: the defaults, and those that are set for it, for one of its tags or for all " +
    "devices, each with its `source` and `set_for`. A rule for geofences of which the key sees none is left out.",
  scope: "devices:read",
  parameters: [devicePath],
  response: singleOf(alertSettings.schema, alertSettings.name),
  example: {
    request: `/devices/${story.deviceId}/alert-settings`,
    response: { data: alertSettings.example },
  },
  async answer(call) {
    const device = await deviceOfPath(call);
    const settings = await storedSettings(call.database, call.visibility, device.id);
    if (!settings) throw noSuchDevice();
    return { body: singleBody(alertSettings.json([settings])) };
  },
};

const formats = listFormats({ schema: assignedGeofence.schema, geojson: geofenceFeature });

export const listDeviceGeofences: Route = {
  path: "/devices/{device_id}/geofences",
  operationId: "listDeviceGeofences",
  tag: "Geofences",
  summary: "List a device's geofences",
  description: "The geofences assigned to the device, and whether it is inside. This list has no pages.",
  scope: "geofences:read",
  parameters: [devicePath, formats.parameter],
  response: wholeListOf(assignedGeofence.schema, assignedGeofence.name),
  formats,
  example: {
    request: `/devices/${story.deviceId}/geofences`,
    response: { data: [assignedGeofence.example], next_cursor: null },
  },
  async answer(call) {
    const device = await deviceOfPath(call);
    const read = (after: AssignedGeofenceRow | null, count: number) =>
      deviceGeofences(call.database, call.visibility, device.device, { after: after?.id ?? null, count });
    return longListBody(call, {
      read,
      rowsPerPart: largeRowsPerPart,
      maxBodyLength,
      json: assignedGeofence.json,
      pages: null,
    });
  },
};
