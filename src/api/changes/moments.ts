import type { Period } from "../../domain/changes/device-change.ts";
import { type ChangeType, type TrackedType, trackedTypes } from "../../domain/changes/types.ts";
import type { LoggedChange } from "../../store/changes/changes.ts";
import type { RouteCall } from "../route.ts";
import { type RecordAt, trackedLists } from "./tracked-records.ts";

/** Records by type, device and moment. */
export type RecordsAt = ReadonlyMap<string, readonly RecordAt[]>;

/** Null for a period that is more than a moment. */
export function momentKey(type: TrackedType, device: number, [from, until]: Period): string | null {
  return from === until ? `${type} ${device} ${from}` : null;
}

/**
 * Most entries of the log are about one frame, one trip and one day. Those of many entries are read together: one
 * statement for each type instead of three for each entry. `isSkipped`: it need not be read.
 */
export async function recordsAtMoments(
  call: RouteCall,
  entries: readonly LoggedChange[],
  types: ReadonlySet<ChangeType>,
  isSkipped: (entry: LoggedChange, type: TrackedType, period: Period) => boolean,
): Promise<RecordsAt> {
  const found = new Map<string, RecordAt[]>();
  await Promise.all(
    trackedTypes
      .filter((type) => types.has(type))
      .map(async (type) => {
        const moments = new Map<string, { readonly device: number; readonly at: number }>();
        for (const entry of entries) {
          for (const period of entry.change.periods[type] ?? []) {
            const key = momentKey(type, entry.device, period);
            if (key === null || isSkipped(entry, type, period)) continue;
            moments.set(key, { device: entry.device, at: period[0] });
            found.set(key, []);
          }
        }
        if (moments.size === 0) return;
        for (const record of await trackedLists[type].at(call, [...moments.values()])) {
          found.get(`${type} ${record.device} ${record.at}`)?.push(record);
        }
      }),
  );
  return found;
}
