import { useMemo } from "react";
import { useAddress } from "./address.ts";
import { devicesWith } from "./devices-with.ts";
import { useDevices } from "./use-devices.ts";

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
