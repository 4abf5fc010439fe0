import { collect } from "../../api/pages.ts";
import type { Device } from "../../api/records.ts";

/** The vehicles that have one of the tags, and are one of the vehicles; no tag and no vehicle means any. Pure. */
export function devicesWith(
  devices: DevicesById,
  tags: readonly string[],
  vehicles: readonly string[],
): ReadonlySet<string> {
  const chosen = new Set<string>();
  for (const { device_id, tags: own } of devices.values()) {
    if (tags.length > 0 && !own.some((tag) => tags.includes(tag))) continue;
    if (vehicles.length > 0 && !vehicles.includes(device_id)) continue;
    chosen.add(device_id);
  }
  return chosen;
}

/** More vehicles than anybody reads through; the others are found by search. */
const maxDevices = 10_000;

export type DevicesById = ReadonlyMap<string, Device>;

export async function loadDevices(signal?: AbortSignal): Promise<DevicesById> {
  const { rows } = await collect<Device>("devices", {}, maxDevices, signal);
  return new Map(rows.map((device) => [device.device_id, device]));
}
