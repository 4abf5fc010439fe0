import { useMemo } from "react";
import { devicesWith } from "../../both-sides/vehicles/devices.ts";
import { useAddress } from "../common/navigation/address.ts";
import { useDevices } from "../common/vehicles/use-devices.ts";
import { type MapVehicleFilter, type VehicleState, vehicleStates } from "./layers/vehicle.ts";

export interface MapFilter extends MapVehicleFilter {
  readonly setSearch: (search: string) => void;
  readonly setMotion: (motion: VehicleState | null) => void;
}

/** What the address says to show: `search`, `state`, `tag`. In it, `vehicle` is the one that is selected. */
export function useMapFilter(): MapFilter {
  const { get, all, set } = useAddress();
  const devices = useDevices();
  const search = get("search") ?? "";
  const state = get("state");
  const tags = all("tag").join("\n");
  const ids = useMemo(
    () => (tags === "" || devices === null ? null : devicesWith(devices, tags.split("\n"), [])),
    [tags, devices],
  );
  return useMemo(
    () => ({
      search,
      motion: vehicleStates.find((motion) => motion === state) ?? null,
      ids,
      setSearch: (text) => set({ search: text === "" ? null : text }),
      setMotion: (motion) => set({ state: motion }),
    }),
    [search, state, ids, set],
  );
}
