import { useEffect } from "react";
import { getJson } from "../api/request.ts";
import { useLoad } from "../common/loading/use-load.ts";

/** An IMEI that was refused lately. */
interface UnknownDevice {
  readonly imei: string;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly count: number;
}

/** Somebody may have just switched on a tracker, and waits for it to appear. */
export const lookEveryMs = 3_000;

const load = (signal: AbortSignal) => getJson<{ data: readonly UnknownDevice[] }>("/fleet/unknown-devices", signal);

/** Trackers that reported lately and that no vehicle has. */
export function useUnknownDevices(): readonly UnknownDevice[] {
  const { loaded, reload } = useLoad(load);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [reload]);
  return loaded.data?.data ?? [];
}
