import { useEffect, useState } from "react";
import { dataPath } from "../api/pages.ts";
import type { LatestPosition } from "../api/records.ts";
import { getJson, PortalError } from "../api/request.ts";
import type { FleetVehicle } from "../vehicles/vehicle-records.ts";

/** Somebody sits before the page and waits. */
const lookEveryMs = 2_000;

export interface Arrival {
  readonly position: LatestPosition | null;
  /** Whether anything came from it, if only without a position. */
  readonly hasReported: boolean;
  readonly error: unknown;
}

const nothingYet: Arrival = { position: null, hasReported: false, error: null };

/** Looks for reports of the vehicle, again and again while the page is visible. */
export function useArrival(vehicle: FleetVehicle | null): Arrival {
  const [arrival, setArrival] = useState<Arrival>(nothingYet);
  const id = vehicle?.device_id ?? null;
  const imei = vehicle?.imei ?? null;
  useEffect(() => {
    setArrival(nothingYet);
    if (id === null || imei === null) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      clearTimeout(timer);
      try {
        const found = await lookFor(id, imei, abort.signal);
        setArrival(found);
      } catch (error) {
        if (abort.signal.aborted || (error instanceof PortalError && error.status === 401)) return;
        setArrival((before) => ({ ...before, error }));
      }
      if (!abort.signal.aborted && !document.hidden) timer = setTimeout(look, lookEveryMs);
    };
    const onVisible = () => (document.hidden ? clearTimeout(timer) : void look());
    document.addEventListener("visibilitychange", onVisible);
    void look();
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [id, imei]);
  return arrival;
}

async function lookFor(id: string, imei: string, signal: AbortSignal): Promise<Arrival> {
  const { data } = await getJson<{ data: readonly LatestPosition[] }>(dataPath("positions/latest", { imei }), signal);
  const position = data[0] ?? null;
  if (position !== null) return { position, hasReported: true, error: null };
  const device = await getJson<{ data: { last_seen_at: string | null } }>(`/data/devices/${id}`, signal);
  return { position, hasReported: device.data.last_seen_at !== null, error: null };
}
