import type { DeviceStatus } from "../../domain/fleet.ts";
import { deviceSearchText, foldCase, matchesNoText } from "../../domain/text/search-text.ts";
import { type Visibility, withTag } from "../../domain/visibility.ts";
import type { Database } from "../../store/database.ts";
import { alertSettingsOf as storedSettings } from "../../store/fleet/alert-settings.ts";
import {
  type DeviceRow,
  visibleDevice,
  visibleDeviceAfter,
  visibleDeviceStates,
  visibleDevices,
} from "../../store/fleet/devices.ts";
import { type AssignedGeofenceRow, deviceGeofences } from "../../store/fleet/geofences.ts";
import type { IdPage } from "../../store/pages.ts";
import { listFormats } from "../formats/list-formats.ts";
import { deviceOfPath, noSuchDevice } from "../input/device-input.ts";
import { searchParameter, statusParameter, tag } from "../input/filters.ts";
import { geometryForm, geometryProblems } from "../input/geometry-form.ts";
import { imeiParameter } from "../input/parameters.ts";
import { devicePath } from "../input/path-parameters.ts";
import { idList } from "../lists/id-list.ts";
import { largeRowsPerPart, longListBody, maxBodyLength } from "../lists/long-list.ts";
import { filterValue } from "../lists/paging.ts";
import { firstRows } from "../lists/parts.ts";
import { alertSettings } from "../records/alert-settings.ts";
import { singleBody, singleOf, wholeListOf } from "../records/body.ts";
import { device, type KnownDevice } from "../records/device.ts";
import { assignedGeofence } from "../records/geofence.ts";
import { story } from "../records/story.ts";
import type { Route, RouteCall } from "../route.ts";
import { nextTurn } from "../turns.ts";
import { geofenceFormats } from "./geofences.ts";

type Filters = { readonly status: DeviceStatus | null; readonly search: string | null; readonly tag: string | null };

export const listDevices: Route = idList<DeviceRow | KnownDevice>({
  path: "/devices",
  operationId: "listDevices",
  tag: "Devices",
  summary: "List devices",
  description: "The vehicles that the key can see, in ascending id.",
  scope: "devices:read",
  record: { ...device, json: (rows) => rows.map(jsonOfRow).join(",") },
  example: "/devices?search=sprinter&limit=1",
  parameters: [imeiParameter, statusParameter, searchParameter, tag],
  async query(call, page, count) {
    const { database, visibility } = call;
    const [ofStatus, ofSearch, ofTag] = [
      filterValue(page, statusParameter),
      filterValue(page, searchParameter),
      filterValue(page, tag),
    ];
    const filters: Filters = { status: ofStatus, search: ofSearch, tag: ofTag };
    if (page.device) {
      const found = page.after === null ? await visibleDevice(database, visibility, { id: page.device.id }) : null;
      return found && fits(found, filters) ? [found] : [];
    }
    const narrowed = { ...call, visibility: withTag(visibility, filters.tag) };
    return devicesOf(narrowed, { after: page.after, count, ...filters });
  },
  idOf: (row) => ("text" in row ? row.text.id : row.id),
  cached: {
    pages: "devicePages",
    // Both only grow: the sum is unchanged as long as both are.
    revisionOf: ({ devices, livePositions }) => devices + livePositions,
    // Searches are rarely repeated.
    isRepeated: (page) => page.device === null && filterValue(page, searchParameter) === null,
  },
});

function jsonOfRow(row: DeviceRow | KnownDevice): string {
  return "text" in row ? row.text.json(row.state) : device.json([row]);
}

/** From the cached texts. If one is missing, the whole page is read, and then all are cached. */
async function devicesOf(
  { database, visibility, cache }: RouteCall,
  page: IdPage & Filters,
): Promise<(DeviceRow | KnownDevice)[]> {
  if (page.search !== null) return searchInParts(database, visibility, page);
  // If commits are not visible, revisions must be queried: two queries more than for the page itself.
  if (database.commits() === null) return visibleDevices(database, visibility, page);
  const { devices: revision } = await cache.counters(visibility);
  const texts = cache.deviceTexts.at(visibility, revision);
  const states = await visibleDeviceStates(database, visibility, page);
  const known: KnownDevice[] = [];
  for (const state of states) {
    const text = texts.get(state.device);
    if (text) known.push({ text, state });
  }
  if (known.length === states.length) return known;
  const rows = await visibleDevices(database, visibility, page);
  cache.deviceTexts.add(visibility, revision, rows);
  return rows;
}

/** Every name is read: some milliseconds for this many long ones. */
const devicesPerPart = 500;

/** No index finds parts of words, so all devices may have to be searched. */
async function searchInParts(database: Database, visibility: Visibility, page: IdPage & Filters): Promise<DeviceRow[]> {
  await nextTurn();
  return firstRows(page.count, async (place: string | null) => {
    const after = place ?? page.after;
    const until = await visibleDeviceAfter(database, visibility, { after, count: devicesPerPart });
    return { rows: await visibleDevices(database, visibility, { ...page, after, until }), next: until };
  });
}

/** The list of one device, by its IMEI, still respects the other filters. */
function fits(device: DeviceRow, filters: Filters): boolean {
  if (filters.status !== null && device.status !== filters.status) return false;
  if (filters.tag !== null && !(JSON.parse(device.tags_json) as string[]).includes(filters.tag)) return false;
  if (filters.search === null) return true;
  return !matchesNoText(filters.search) && deviceSearchText(device).includes(foldCase(filters.search));
}

export const getDevice: Route = {
  path: "/devices/{device_id}",
  operationId: "getDevice",
  tag: "Devices",
  summary: "Get one device",
  description: "One vehicle, by its id or its IMEI.",
  scope: "devices:read",
  parameters: [devicePath],
  response: singleOf(device.schema, device.name),
  example: { request: `/devices/${story.deviceId}`, response: { data: device.example } },
  answer: async (call) => ({ body: singleBody(device.json([await deviceOfPath(call)])) }),
};

export const getAlertSettings: Route = {
  path: "/devices/{device_id}/alert-settings",
  operationId: "getDeviceAlertSettings",
  tag: "Devices",
  summary: "Get a device's alert settings",
  description:
    "The alert rules in force for the device: the defaults, and those that are set for it, for one of its tags or for all " +
    "devices, each with its `source` and `set_for`. A rule for geofences of which the key sees none is left out. " +
    "They are of the newest version, also if it begins within the next five minutes.",
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

const formats = listFormats({ schema: assignedGeofence.schema, ...geofenceFormats });

export const listDeviceGeofences: Route = {
  path: "/devices/{device_id}/geofences",
  operationId: "listDeviceGeofences",
  tag: "Geofences",
  summary: "List a device's geofences",
  description: "The geofences assigned to the device, and whether it is inside. This list has no pages.",
  scope: "geofences:read",
  parameters: [devicePath, geometryForm, ...formats.parameters],
  problems: geometryProblems,
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
