import type { Observe } from "../observe/observation.ts";
import type { Reader } from "../store/database.ts";
import { namelessDevices } from "../store/fleet/tracker-names.ts";

/** So many are counted. More would be an invented fleet. */
const maxCounted = 1_000;

const advice =
  "a tracker cannot say which of the two IMEIs it means, so the older device has it; `odograph trackers taken` lists them: give each another IMEI, or remove it";

/** Says that there are devices without a tracker, because their IMEIs differ from another's in leading zeros only. */
export async function warnOfTakenNames(reader: Reader, observe: Observe): Promise<void> {
  const nameless = await namelessDevices(reader, maxCounted);
  const [first] = nameless;
  if (first === undefined) return;
  const { imei, held_by: heldBy } = first;
  observe({ kind: "tracker_names_taken", devices: nameless.length, imei, heldBy, advice });
}
