import type { DeviceStatus } from "../../domain/fleet.ts";
import { deviceSearchText, foldCase, matchesNoText } from "../../domain/search-text.ts";
import { type Visibility, viewerKey } from "../../domain/visibility.ts";
import { type Database, isEmbedded } from "../../store/database.ts";
import {
  type DeviceRow,
  visibleDevice,
  visibleDeviceAfter,
  visibleDeviceStates,
  visibleDevices,
} from "../../store/devices.ts";
import type { IdPage } from "../../store/pages.ts";
import { deviceOfPath } from "../input/device-input.ts";
import { search, status } from "../input/filters.ts";
import { imei } from "../input/parameters.ts";
import { devicePath } from "../input/path-parameters.ts";
import { idList } from "../lists/id-list.ts";
import { keep, singleBody } from "../records/body.ts";
import {
  deviceSchema,
  exampleDeviceRecord,
  type KnownDevice,
  writeDevice,
  writeKnownDevice,
} from "../records/device.ts";
import { singleOf } from "../records/envelope.ts";
import { story } from "../records/story.ts";
import type { Route, RouteCall } from "../route.ts";
import { nextTurn } from "../turns.ts";

type Filters = { readonly status: DeviceStatus | null; readonly search: string | null };

export const listDevices: Route = idList<DeviceRow | KnownDevice>({
  path: "/devices",
  operationId: "listDevices",
  tag: "Devices",
  summary: "List devices",
  description: "The vehicles that the key can see, in ascending id.",
  scope: "devices:read",
  name: "Device",
  record: deviceSchema,
  example: {
    request: "/devices?search=sprinter&limit=1",
    response: { data: [exampleDeviceRecord], next_cursor: null },
  },
  parameters: [imei],
  filters: [
    { parameter: status, otherwise: null },
    { parameter: search, otherwise: null },
  ],
  async query(call, page, count) {
    const { database, visibility } = call;
    const filters: Filters = {
      status: page.filters[status.name] as DeviceStatus | null,
      search: page.filters[search.name] as string | null,
    };
    if (page.device) {
      const device = page.after === null ? await visibleDevice(database, visibility, page.device.id) : null;
      return device && fits(device, filters) ? [device] : [];
    }
    return devicesOf(call, { after: page.after, count, ...filters });
  },
  idOf: (row) => ("text" in row ? row.text.id : row.id),
  write: (json, row) => ("text" in row ? writeKnownDevice(json, row) : writeDevice(json, row)),
  async ready({ visibility, kept }, page, make) {
    // Whoever searches is after something else each time.
    if (page.device || page.filters[search.name] !== null) return make();
    // The revision is read before the rows: what is written in between makes the page newer than it says, never older.
    const { devices, livePositions } = await kept.revisions(visibility);
    // Both only grow: as long as neither does, the sum stays.
    const revision = devices + livePositions;
    const wanted = page.filters[status.name] as DeviceStatus | null;
    const key = `${viewerKey(visibility)} ${wanted ?? ""} ${page.limit} ${page.after ?? ""}`;
    return kept.devicePages.page(key, revision, async () => keep(await make()));
  },
});

/** From the texts that are known. Where one is missing, the whole page is read, and then they are all known. */
async function devicesOf(
  { database, visibility, kept }: RouteCall,
  page: IdPage & Filters,
): Promise<(DeviceRow | KnownDevice)[]> {
  if (!isEmbedded(database)) return visibleDevices(database, visibility, page);
  if (page.search !== null) return searchInParts(database, visibility, page);
  const { devices: revision } = await kept.revisions(visibility);
  const texts = kept.deviceTexts.at(visibility, revision);
  const states = await visibleDeviceStates(database, visibility, page);
  const known: KnownDevice[] = [];
  for (const state of states) {
    const text = texts.get(state.device);
    if (text) known.push({ text, state });
  }
  if (known.length === states.length) return known;
  const rows = await visibleDevices(database, visibility, page);
  kept.deviceTexts.add(visibility, revision, rows);
  return rows;
}

/** Long names, all of which are read: some milliseconds for these. */
const devicesPerPart = 500;

/** No index finds parts of words, so all devices may have to be looked at: some in each turn of the event loop. */
async function searchInParts(database: Database, visibility: Visibility, page: IdPage & Filters): Promise<DeviceRow[]> {
  const rows: DeviceRow[] = [];
  for (let after = page.after; ; ) {
    await nextTurn();
    const until = await visibleDeviceAfter(database, visibility, { after, count: devicesPerPart });
    const count = page.count - rows.length;
    rows.push(...(await visibleDevices(database, visibility, { ...page, after, until, count })));
    if (until === null || rows.length >= page.count) return rows;
    after = until;
  }
}

/** The list of one device, by its IMEI, still answers to the other filters. */
function fits(device: DeviceRow, filters: Filters): boolean {
  if (filters.status !== null && device.status !== filters.status) return false;
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
  response: singleOf(deviceSchema, "Device"),
  example: { request: `/devices/${story.deviceId}`, response: { data: exampleDeviceRecord } },
  conditional: false,
  windowed: false,
  answer: async (call) => ({ body: singleBody(await deviceOfPath(call), writeDevice) }),
};
