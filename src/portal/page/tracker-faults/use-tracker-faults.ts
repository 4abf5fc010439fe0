import type { TrackerFaultRecord } from "../../both-sides/contract/trackers.ts";
import { getJson } from "../api/request.ts";
import { sharedLoad } from "../common/loading/use-load.ts";

const faults = sharedLoad(async () => {
  const { data } = await getJson("GET /tracker-faults");
  return new Map(data.map((fault) => [fault.device_id, fault]));
});

/** A vehicle was changed here: the fault may be over. */
export const forgetTrackerFaults = faults.forget;

/** What is wrong with the tracker of a vehicle; null: nothing, as far as is known. */
export function useTrackerFault(deviceId: string | null): TrackerFaultRecord | null {
  return faults.useShared()?.get(deviceId ?? "") ?? null;
}
