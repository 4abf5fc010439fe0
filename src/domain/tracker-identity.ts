import { trackerKey } from "./text/identifiers.ts";

/** What a device's tracker may call itself. For `tracker_id` its key serves as well. */
export interface TrackerNames {
  readonly imei: string;
  readonly tracker_id: string | null;
}

/**
 * Which of a device's names belongs to the tracker of another device: a tracker must never be taken for two. IMEIs are compared
 * as they are: some were loaded that differ only in their leading zeros.
 */
export function takenName(wanted: TrackerNames, other: TrackerNames): keyof TrackerNames | null {
  const otherKey = other.tracker_id === null ? null : trackerKey(other.tracker_id);
  if (wanted.imei === other.imei || trackerKey(wanted.imei) === otherKey) return "imei";
  if (wanted.tracker_id === null) return null;
  const key = trackerKey(wanted.tracker_id);
  return key === otherKey || key === trackerKey(other.imei) ? "tracker_id" : null;
}
