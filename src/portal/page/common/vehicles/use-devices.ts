import { useMemo } from "react";
import type { Device } from "../../../both-sides/contract/data.ts";
import { type ChosenDevices, devicesWith, loadDevices } from "../../../both-sides/vehicles/devices.ts";
import { getJson } from "../../api/request.ts";
import { useTexts } from "../../texts/use-texts.ts";
import { sharedLoad } from "../loading/use-load.ts";
import { useAddress } from "../navigation/address.ts";

const devices = sharedLoad(() => loadDevices(getJson));

/** Some of them were changed here, or another person may sign in next. */
export const forgetDevices = devices.forget;

/** Every vehicle that the person sees, by its id; null until they are loaded. The page's own requests show a failure. */
export const useDevices = devices.useShared;

/** The vehicles as a list; empty until they are loaded. */
export function useVehiclesByName(): readonly Device[] {
  const devices = useDevices();
  const { compare } = useTexts().show;
  return useMemo(
    () => [...(devices?.values() ?? [])].sort((one, other) => compare(one.name, other.name)),
    [devices, compare],
  );
}

export function useChosenDevices(): ChosenDevices {
  const { query } = useAddress();
  const allDevices = useDevices();
  // Only tags need the list: which vehicles were chosen is known at once, and nothing changes when the list has come.
  const isTagged = new URLSearchParams(query).has("tag");
  const devices = isTagged ? allDevices : null;
  return useMemo(() => {
    const parameters = new URLSearchParams(query);
    const [tags, vehicles] = [parameters.getAll("tag"), parameters.getAll("vehicle")];
    if (!isTagged) return { tags, vehicles, ids: vehicles.length > 0 ? new Set(vehicles) : null, isWaiting: false };
    const ids = devices === null ? null : devicesWith(devices, tags, vehicles);
    return { tags, vehicles, ids, isWaiting: devices === null };
  }, [query, isTagged, devices]);
}
