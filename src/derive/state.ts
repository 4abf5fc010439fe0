import type { DeviceContext } from "../domain/device-context.ts";
import { emptyFold, type Fold, type FoldSnapshot, foldFrom, snapshotOf, type TailFrame } from "../domain/fold.ts";
import type { FramePlace } from "../domain/frame.ts";
import { openFacts } from "../domain/stages.ts";
import { carryTotals, joinTotals, splitTotals, type Totals } from "../domain/totals.ts";
import type { Checkpoint } from "../store/checkpoints.ts";
import type { DatedFact } from "../store/fact-rows.ts";

/** What is known of a device after some of its frames. */
export interface DeviceState {
  readonly fold: Fold;
  /** The last frame folded. */
  readonly place: FramePlace | null;
  /** Time of the last frame whose verdict is final. */
  readonly finalAt: number;
  readonly framesSinceCheckpoint: number;
}

const beforeAll = Number.MIN_SAFE_INTEGER;

export const emptyState: DeviceState = { fold: emptyFold, place: null, finalAt: beforeAll, framesSinceCheckpoint: 0 };

/** The state of a checkpoint. */
export function stateAt(
  { recordedAt, digest, stateJson, totalsJson }: Checkpoint,
  context: DeviceContext,
): DeviceState {
  const { judge, stages } = JSON.parse(stateJson) as FoldSnapshot;
  const totals = totalsJson === null ? null : (JSON.parse(totalsJson) as Totals);
  const fold = foldFrom({ judge, stages: totals === null ? stages : joinTotals(stages, totals) }, context);
  return { fold, place: { recordedAt, digest }, finalAt: beforeAll, framesSinceCheckpoint: 0 };
}

export function checkpointOf({ fold, place }: DeviceState): Checkpoint {
  if (place === null) throw new Error("a state without frames has no checkpoint");
  return { ...place, ...jsonOf(snapshotOf(fold)) };
}

/** The state if the totals of an earlier one are `after` instead of `before`; null if that is not enough. */
export function withTotalsCarried(
  state: DeviceState,
  before: Totals,
  after: Totals,
  context: DeviceContext,
): DeviceState | null {
  const { judge, stages } = snapshotOf(state.fold);
  const { rest, totals } = splitTotals(stages);
  const carried = carryTotals(before, after, totals);
  return carried && { ...state, fold: foldFrom({ judge, stages: joinTotals(rest, carried) }, context) };
}

/** A checkpoint of an earlier version as this version writes it, for comparison. */
export function inPresentForm(checkpoint: Checkpoint): Checkpoint {
  if (checkpoint.totalsJson !== null) return checkpoint;
  return { ...checkpoint, ...jsonOf(JSON.parse(checkpoint.stateJson) as FoldSnapshot) };
}

function jsonOf({ judge, stages }: FoldSnapshot) {
  const { rest, totals } = splitTotals(stages);
  return { stateJson: JSON.stringify({ judge, stages: rest }), totalsJson: JSON.stringify(totals) };
}

/**
 * Whether the state can be a checkpoint, with the next frame at this time. Facts before and after a checkpoint are
 * distinguished by the time of the frame that completed them, so no frames on both sides may have the same time.
 */
export function canBeCheckpoint({ fold, place, finalAt }: DeviceState, nextAt: number): boolean {
  if (place === null || nextAt <= place.recordedAt) return false;
  const first = fold.tail[0];
  return first === undefined || first.judged.frame.recordedAt > finalAt;
}

/** Facts completed before this time are final, whatever frames follow. */
export function finalUntil({ fold, place }: DeviceState): number {
  return fold.tail[0]?.judged.frame.recordedAt ?? (place === null ? beforeAll : place.recordedAt + 1);
}

/** The facts that hold in this state, and may still change. */
export function openFactsOf({ fold }: DeviceState, context: DeviceContext): readonly DatedFact[] {
  const facts = completedFacts(fold.tail);
  for (const fact of openFacts(fold.tip, context)) facts.push({ fact, finalAt: null });
  return facts;
}

/** The facts that these frames completed. */
export function completedFacts(frames: readonly TailFrame[]): DatedFact[] {
  const dated: DatedFact[] = [];
  for (const { judged, facts } of frames) {
    for (const fact of facts) dated.push({ fact, finalAt: judged.frame.recordedAt });
  }
  return dated;
}
