import type { CrossingState } from "./crossings.ts";
import type { EventType, FenceRecord } from "./fence-record.ts";

/** A record as 1.0.0 stored it: of a visit it did not remember where it had gone out again. */
interface EarlierRecord extends Omit<FenceRecord, "lastReported" | "left"> {
  readonly told?: EventType | null;
  readonly lastReported?: EventType | null;
  readonly left?: FenceRecord["left"];
}

/** A stored state of earlier rules in the present form. A state in the present form stays as it is. */
export function crossingsFromEarlierRules(state: CrossingState): CrossingState {
  return { records: state.records.map(presentRecord), stop: state.stop };
}

function presentRecord(earlier: EarlierRecord): FenceRecord {
  const { fenceId, isInside, enteredAt, told, lastReported = told ?? null, strayed, candidate, left = null } = earlier;
  // The order of the keys is part of the form: equal states are equal texts.
  return { fenceId, isInside, enteredAt, lastReported, strayed, candidate, left };
}
