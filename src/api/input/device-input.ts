import { Failure } from "../../domain/errors.ts";
import { isImei, isUuid } from "../../domain/identifiers.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import { type DeviceIdentity, type DeviceRow, visibleDevice, visibleDeviceByImei } from "../../store/devices.ts";
import type { Kept } from "../cache/cached.ts";
import type { Input } from "./parameter.ts";
import { deviceId, imei } from "./parameters.ts";
import { devicePath } from "./path-parameters.ts";

/** Who looks, and what was asked. */
interface Asking {
  readonly visibility: Visibility;
  readonly input: Input;
}

/** The same words for a device that is not there and one that the key cannot see. */
export function noSuchDevice(): Failure {
  return new Failure("NOT_FOUND", "there is no such device");
}

/** The one device that `device_id` and `imei` narrow to; null if the request names none. */
export async function narrowedDevice(call: Asking & { readonly kept: Kept }): Promise<DeviceIdentity | null> {
  const { kept, visibility, input } = call;
  const wantedId = input.get(deviceId);
  const wantedImei = input.get(imei);
  if (wantedId === null && wantedImei === null) return null;
  const device = wantedId === null ? await byImei(call, wantedImei ?? "") : await kept.device(visibility, wantedId);
  if (!device) throw noSuchDevice();
  if (wantedId !== null && wantedImei !== null && device.imei !== wantedImei) {
    // Only if the other one is the viewer's to see, it may be told that they differ.
    if (!(await byImei(call, wantedImei))) throw noSuchDevice();
    throw new Failure("INVALID_REQUEST", "device_id and imei: expected the same device, or one of them");
  }
  return device;
}

/** Any text may be asked for. Only what could be an IMEI is looked up: some other texts no store takes. */
async function byImei({ kept, visibility }: Asking & { readonly kept: Kept }, text: string) {
  return isImei(text) ? kept.deviceByImei(visibility, text) : null;
}

/** The device of the path, by UUID or IMEI. */
export async function deviceOfPath(call: Asking & { readonly database: Reader }): Promise<DeviceRow> {
  const { database, visibility, input } = call;
  const text = input.get(devicePath) ?? "";
  const device = isUuid(text)
    ? await visibleDevice(database, visibility, text.toLowerCase())
    : isImei(text)
      ? await visibleDeviceByImei(database, visibility, text)
      : null;
  if (!device) throw noSuchDevice();
  return device;
}
