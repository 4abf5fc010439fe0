import type { Visibility } from "../../domain/visibility.ts";
import { type DeviceRow, visibleDevices } from "../../store/fleet/devices.ts";
import type { RouteDeps } from "../route-deps.ts";
import { nextTurn } from "../turns.ts";
import { maxAskedByDevice, partsByDevice, type WantedDevice } from "./by-device.ts";
import type { FileCall, FileTexts } from "./file.ts";
import { type ExportPart, type ExportRequest, exportParts, openDocument } from "./pages.ts";

/** A whole list for a user who is authenticated elsewhere. */
export interface ViewerExport extends Omit<ExportRequest, "deviceIds">, FileCall {
  /** Only these devices; empty: all. */
  readonly deviceIds: readonly string[];
  /** Only devices with one of these tags; empty: all. */
  readonly tags: readonly string[];
}

const beginning = { window: 0, cursor: null };

/** The text of the whole list, in parts of about a page. */
export async function* exportTexts(deps: RouteDeps, call: ViewerExport): FileTexts {
  const document = openDocument(call.path, call.format);
  let ahead = document.start;
  for await (const { records } of partsOf(deps, call)) {
    yield records.length > 0 ? ahead + document.records(records.join(",")) : ahead;
    ahead = "";
  }
  yield ahead + document.end(null);
}

async function* partsOf(deps: RouteDeps, call: ViewerExport): AsyncGenerator<ExportPart, void, void> {
  const { visibility, tags } = call;
  const deviceIds = new Set(call.deviceIds);
  const [only, ...others] = deviceIds;
  // One device is what the API can be asked for; if it cannot be seen, that is the answer.
  if (only !== undefined && others.length === 0 && tags.length === 0) {
    const filters = { ...call.filters, device_id: only };
    yield* exportParts(deps, visibility, { ...call, filters, deviceIds: null }, beginning);
    return;
  }
  const wanted = await wantedDevices(deps, visibility, { deviceIds, tags: new Set(tags) });
  if (wanted === null) yield* exportParts(deps, visibility, { ...call, deviceIds: null }, beginning);
  else if (wanted.length > maxAskedByDevice) {
    const ids = new Set(wanted.map(({ id }) => id));
    yield* exportParts(deps, visibility, { ...call, deviceIds: ids }, beginning);
  } else if (wanted.length > 0) yield* partsByDevice(deps, visibility, { ...call, deviceIds: null }, wanted);
}

interface Selection {
  readonly deviceIds: ReadonlySet<string>;
  readonly tags: ReadonlySet<string>;
}

const devicesPerTurn = 500;

/** Those in sight that fit; null: all in sight, and they are many. */
async function wantedDevices(
  { database }: RouteDeps,
  visibility: Visibility,
  { deviceIds, tags }: Selection,
): Promise<readonly WantedDevice[] | null> {
  if (deviceIds.size === 0 && tags.size === 0) return null;
  const found: WantedDevice[] = [];
  let seen = 0;
  let after: string | null = null;
  do {
    const page = { after, count: devicesPerTurn, status: null, search: null };
    const rows: DeviceRow[] = await visibleDevices(database, visibility, page);
    for (const { id, device, tags_json } of rows) {
      const isNamed = deviceIds.size === 0 || deviceIds.has(id);
      const hasTag = tags.size === 0 || (JSON.parse(tags_json) as string[]).some((tag) => tags.has(tag));
      if (isNamed && hasTag) found.push({ id, number: device });
    }
    seen += rows.length;
    after = rows.length < devicesPerTurn ? null : (rows.at(-1)?.id ?? null);
    await nextTurn();
  } while (after !== null);
  return found.length === seen && seen > maxAskedByDevice ? null : found;
}
