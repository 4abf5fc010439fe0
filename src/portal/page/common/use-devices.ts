import { useEffect, useMemo, useState } from "react";
import { type DevicesById, loadDevices } from "../api/devices.ts";
import type { Device } from "../api/records.ts";
import { useTexts } from "../texts/use-texts.ts";

/** A list this old is loaded again when a page opens: vehicles are hardly ever added or renamed. */
const freshMs = 60_000;

let cached: { readonly at: number; readonly devices: Promise<DevicesById> } | null = null;

function freshDevices(): Promise<DevicesById> {
  if (cached === null || Date.now() - cached.at > freshMs) {
    const devices = loadDevices();
    cached = { at: Date.now(), devices };
    devices.catch(() => {
      cached = null;
    });
  }
  return cached.devices;
}

/** Another person may sign in next. */
export function forgetDevices(): void {
  cached = null;
}

/** Every vehicle that the person sees, by its id; null until they are loaded. The page's own requests show a failure. */
export function useDevices(): DevicesById | null {
  const [devices, setDevices] = useState<DevicesById | null>(null);
  useEffect(() => {
    let isCurrent = true;
    freshDevices().then(
      (loaded) => isCurrent && setDevices(loaded),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  return devices;
}

/** The vehicles as a list; empty until they are loaded. */
export function useVehiclesByName(): readonly Device[] {
  const devices = useDevices();
  const { compare } = useTexts().show;
  return useMemo(
    () => [...(devices?.values() ?? [])].sort((one, other) => compare(one.name, other.name)),
    [devices, compare],
  );
}
