import { Failure } from "../../domain/errors.ts";
import { isImei, isUuid } from "../../domain/text/identifiers.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { ViewerCounters } from "../../store/changes/viewer-counters.ts";
import type { Reader } from "../../store/database.ts";
import { type DeviceIdentity, type DeviceRow, visibleDevice } from "../../store/fleet/devices.ts";
import type { ApiCache } from "../cache/api-cache.ts";
import type { Input } from "./parameter.ts";
import { deviceId, imeiParameter } from "./parameters.ts";
import { devicePath } from "./path-parameters.ts";

interface ViewerInput {
  readonly visibility: Visibility;
  readonly input: Input;
}

/** The same message for a device that does not exist and one that the key cannot see. */
export function noSuchDevice(): Failure {
  return new Failure("NOT_FOUND", "there is no such device");
}

interface NamingCall extends ViewerInput {
  readonly cache: ApiCache;
  readonly counters: () => Promise<ViewerCounters>;
}

/** The one device named by `device_id` and `imei`; null if the request names none. */
export async function narrowedDevice(call: NamingCall): Promise<DeviceIdentity | null> {
  const { cache, visibility, input, counters } = call;
  const givenId = input.get(deviceId);
  const givenImei = input.get(imeiParameter);
  if (givenId === null && givenImei === null) return null;
  const device = await (givenId === null
    ? byImei(call, givenImei ?? "")
    : cache.device(visibility, { id: givenId }, counters));
  if (!device) throw noSuchDevice();
  if (givenId !== null && givenImei !== null && device.imei !== givenImei) {
    // Only a viewer who sees the other one as well may learn that they differ.
    if (!(await byImei(call, givenImei))) throw noSuchDevice();
    throw new Failure("INVALID_REQUEST", "device_id and imei: expected the same device, or one of them");
  }
  return device;
}

/** Only a possible IMEI is looked up: the store refuses some other texts. */
function byImei({ cache, visibility, counters }: NamingCall, text: string) {
  return isImei(text) ? cache.device(visibility, { imei: text }, counters) : null;
}

export async function deviceOfPath(call: ViewerInput & { readonly database: Reader }): Promise<DeviceRow> {
  const { database, visibility, input } = call;
  const text = input.get(devicePath) ?? "";
  const name = isUuid(text) ? { id: text.toLowerCase() } : isImei(text) ? { imei: text } : null;
  const device = name && (await visibleDevice(database, visibility, name));
  if (!device) throw noSuchDevice();
  return device;
}
