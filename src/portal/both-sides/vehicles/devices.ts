import type { Device } from "../contract/data.ts";
import { collectRows, type ReadJson } from "../lists.ts";

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

export interface ChosenDevices {
  readonly tags: readonly string[];
  readonly vehicles: readonly string[];
  /** The ids of what is left; null: everything, or the list is not loaded yet. */
  readonly ids: ReadonlySet<string> | null;
  /** Whether a filter is set, but which vehicles it leaves is not known yet. */
  readonly isWaiting: boolean;
}

/** More vehicles than anybody reads through; the others are found by search. */
const maxDevices = 10_000;

export type DevicesById = ReadonlyMap<string, Device>;

export async function loadDevices(read: ReadJson, signal?: AbortSignal): Promise<DevicesById> {
  const { rows } = await collectRows(read, "devices", {}, maxDevices, signal);
  return new Map(rows.map((device) => [device.device_id, device]));
}
