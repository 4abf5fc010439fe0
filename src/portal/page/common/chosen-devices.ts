import { useMemo } from "react";
import type { DevicesById } from "../api/devices.ts";
import { useAddress } from "./address.ts";
import { useDevices } from "./use-devices.ts";

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

/** What the filters for tags and vehicles in the address leave. */
export function useChosenDevices(): ChosenDevices {
  const { query } = useAddress();
  const devices = useDevices();
  return useMemo(() => {
    const parameters = new URLSearchParams(query);
    const [tags, vehicles] = [parameters.getAll("tag"), parameters.getAll("vehicle")];
    const isFiltered = tags.length > 0 || vehicles.length > 0;
    const ids = isFiltered && devices !== null ? devicesWith(devices, tags, vehicles) : null;
    return { tags, vehicles, ids, isWaiting: isFiltered && devices === null };
  }, [query, devices]);
}
