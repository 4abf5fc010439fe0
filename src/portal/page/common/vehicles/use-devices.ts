import { useMemo } from "react";
import { loadDevices } from "../../api/devices.ts";
import type { Device } from "../../api/records.ts";
import { useTexts } from "../../texts/use-texts.ts";
import { sharedLoad } from "../loading/shared-load.ts";

const devices = sharedLoad(() => loadDevices());

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
