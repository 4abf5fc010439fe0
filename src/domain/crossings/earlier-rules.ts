import type { CrossingState } from "./crossings.ts";
import type { EventType, FenceRecord, Left } from "./fence-record.ts";

/**
 * A record as it was stored before. 1.0.0 did not remember where a visit had gone out again, and before form 4 of
 * `fold_states` none remembered when frames were received.
 */
interface EarlierRecord extends Omit<FenceRecord, "lastReported" | "left" | "entryKnownAt"> {
  readonly told?: EventType | null;
  readonly lastReported?: EventType | null;
  readonly entryKnownAt?: FenceRecord["entryKnownAt"];
  readonly left?: FenceRecord["left"];
}

/** A stored state of earlier rules in the present form. A state in the present form stays as it is. */
export function crossingsFromEarlierRules(state: CrossingState): CrossingState {
  return { records: state.records.map(presentRecord), stop: state.stop };
}

function presentRecord(earlier: EarlierRecord): FenceRecord {
  const { fenceId, isInside, enteredAt, told, lastReported = told ?? null } = earlier;
  const { entryKnownAt = null, strayed, candidate, left = null } = earlier;
  // The order of the keys is part of the form: equal states are equal texts.
  return {
    fenceId,
    isInside,
    enteredAt,
    entryKnownAt,
    lastReported,
    strayed: strayed && withReceipt(strayed),
    candidate: candidate && withReceipt(candidate),
    left: left && leftWithReceipt(left),
  };
}

/** Of what nobody knows when it was received, the frames to come decide. */
function withReceipt<Moment extends { readonly receivedAt: number }>(moment: Moment): Moment {
  return moment.receivedAt === undefined ? { ...moment, receivedAt: 0 } : moment;
}

function leftWithReceipt(left: Left): Left {
  if (left.receivedAt !== undefined) return left;
  const { speedKmh, accuracyM, receivedAt: _, ...edge } = left;
  return { ...edge, receivedAt: 0, speedKmh, accuracyM };
}
