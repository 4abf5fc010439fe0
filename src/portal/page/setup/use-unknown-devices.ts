import { useEffect } from "react";
import { useLoad } from "../common/use-load.ts";
import { loadUnknownDevices, type UnknownDevice } from "../vehicles/vehicle-records.ts";

/** Somebody may have just switched on a tracker. */
const lookEveryMs = 3_000;

const none: readonly UnknownDevice[] = [];
const loadNone = async () => none;

/** Trackers that reported lately and that no vehicle has, as long as somebody wants to know. */
export function useUnknownDevices(isWanted: boolean): readonly UnknownDevice[] {
  const { loaded, reload } = useLoad(isWanted ? loadUnknownDevices : loadNone);
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [isWanted, reload]);
  return loaded.data ?? none;
}
