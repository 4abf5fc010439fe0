import { collect } from "./pages.ts";
import type { Device } from "./records.ts";

/** More vehicles than anybody reads through; the others are found by search. */
const maxDevices = 10_000;

export type DevicesById = ReadonlyMap<string, Device>;

export async function loadDevices(signal?: AbortSignal): Promise<DevicesById> {
  const { rows } = await collect<Device>("devices", {}, maxDevices, signal);
  return new Map(rows.map((device) => [device.device_id, device]));
}
