import type { ChangeType, FleetType } from "../../domain/changes/types.ts";
import { formatInstant } from "../../domain/time/time.ts";
import type { ChangePlace } from "../../store/changes/change-entries.ts";
import type { RecordPlace } from "../../store/changes/viewer-records.ts";

/** Where a walk has come to, between two records. */
export interface WalkPlace {
  readonly record: RecordPlace;
  /** How many changes of the next record were reported, if it was begun. */
  readonly begun?: (RecordPlace & { readonly reported: number }) | null;
  readonly log: ChangePlace;
  /** How far the next entry of the log was reported, if it was begun. */
  readonly within: (ChangePlace & { readonly digest: string; readonly part: number; readonly key: unknown }) | null;
}

/** The least id and type there could be: before all records of a number. */
const leastRecord = { type: "" as FleetType, id: "00000000-0000-0000-0000-000000000000" };

export function placeAfter(number: number): WalkPlace {
  return {
    record: { number: number + 1, ...leastRecord },
    log: { number, device: Number.MAX_SAFE_INTEGER },
    within: null,
  };
}

/**
 * Within an entry of the log, and after a record. They depend on that alone, not on what was passed over to find it: a token
 * that names the place must not say that there was anything else.
 */
export function placeWithin(entry: ChangePlace, within: WalkPlace["within"]): WalkPlace {
  const { number, device } = entry;
  return { record: placeAfter(number).record, log: { number, device: device - 1 }, within };
}

export function placeAtRecord(number: number, record: RecordPlace, begun: WalkPlace["begun"] = null): WalkPlace {
  // Of one number records come before entries of the log.
  return { record, begun, log: placeAfter(number - 1).log, within: null };
}

export interface WalkStep {
  readonly number: number;
  /** Null: nothing that is wanted, up to this place. */
  readonly json: string | null;
  readonly place: WalkPlace;
}

/** A change as a follower gets it; `record` is JSON. */
export function changeJson(of: {
  readonly type: ChangeType;
  readonly change: "put" | "removed";
  readonly id: string;
  readonly deviceId: string | null;
  readonly changedAt: number;
  readonly record: string;
}): string {
  const { type, change, id, deviceId, changedAt, record } = of;
  const about = JSON.stringify({ type, change, id, device_id: deviceId, changed_at: formatInstant(changedAt) });
  return `${about.slice(0, -1)},"record":${record}}`;
}
