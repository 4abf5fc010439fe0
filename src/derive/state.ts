import type { DeviceContext } from "../domain/device-context.ts";
import { emptyFold, type Fold, type FoldSnapshot, foldFrom, snapshotOf, type TailFrame } from "../domain/fold.ts";
import type { FramePlace } from "../domain/frame.ts";
import { rulesVersion } from "../domain/rules.ts";
import { openFacts } from "../domain/stages.ts";
import { carryTotals, joinTotals, splitTotals, type Totals } from "../domain/totals.ts";
import type { Checkpoint } from "../store/facts/checkpoints.ts";
import type { DatedFact } from "../store/facts/facts.ts";
import { type OldStages, stagesOfRules5 } from "./earlier-state.ts";

/** What is known of a device after some of its frames. */
export interface DerivedState {
  readonly fold: Fold;
  /** The last frame folded. */
  readonly place: FramePlace | null;
  /** Time of the last frame whose verdict is final. */
  readonly finalAt: number;
  readonly framesSinceCheckpoint: number;
}

const beforeAll = Number.MIN_SAFE_INTEGER;

export const emptyState: DerivedState = { fold: emptyFold, place: null, finalAt: beforeAll, framesSinceCheckpoint: 0 };

/** The rules that gave states the form that they have. */
const formSince = 6;

interface StoredSnapshot extends FoldSnapshot {
  /** The rules that made it. */
  readonly rules: number;
}

/** Rules that change the form of a state convert what earlier ones made: earlier-state.ts. */
export function stateAt(checkpoint: Checkpoint, context: DeviceContext): DerivedState {
  const { recordedAt, digest, stateJson, totalsJson } = checkpoint;
  const snapshot = JSON.parse(stateJson) as StoredSnapshot;
  const { judge } = snapshot;
  const stages = snapshot.rules < formSince ? stagesOfRules5(snapshot.stages as unknown as OldStages) : snapshot.stages;
  const fold = foldFrom({ judge, stages: joinTotals(stages, JSON.parse(totalsJson) as Totals) }, context);
  return { fold, place: { recordedAt, digest }, finalAt: beforeAll, framesSinceCheckpoint: 0 };
}

export function checkpointOf({ fold, place }: DerivedState): Checkpoint {
  if (place === null) throw new Error("a state without frames has no checkpoint");
  const { judge, stages } = snapshotOf(fold);
  const { rest, totals } = splitTotals(stages);
  const snapshot: StoredSnapshot = { rules: rulesVersion, judge, stages: rest };
  return { ...place, stateJson: JSON.stringify(snapshot), totalsJson: JSON.stringify(totals) };
}

/** The state if the totals of an earlier one are `after` instead of `before`; null if that is not enough. */
export function withTotalsCarried(
  state: DerivedState,
  before: Totals,
  after: Totals,
  context: DeviceContext,
): DerivedState | null {
  const { judge, stages } = snapshotOf(state.fold);
  const { rest, totals } = splitTotals(stages);
  const carried = carryTotals(before, after, totals);
  return carried && { ...state, fold: foldFrom({ judge, stages: joinTotals(rest, carried) }, context) };
}

/** Facts before and after a checkpoint differ in time, so no frames on both sides may have the same time. */
export function canBeCheckpoint({ fold, place, finalAt }: DerivedState, nextAt: number): boolean {
  if (place === null || nextAt <= place.recordedAt) return false;
  const first = fold.tail[0];
  return first === undefined || first.judged.frame.recordedAt > finalAt;
}

/** Facts completed before this time are final, whatever frames follow. */
export function finalUntil({ fold, place }: DerivedState): number {
  return fold.tail[0]?.judged.frame.recordedAt ?? (place === null ? beforeAll : place.recordedAt + 1);
}

/** The facts that hold in this state, and may still change. `silentAt`: as in `FoldProgress`. */
export function openFactsOf(
  { fold }: DerivedState,
  context: DeviceContext,
  silentAt: number | null,
): readonly DatedFact[] {
  const facts = completedFacts(fold.tail);
  for (const fact of openFacts(fold.tip, context, silentAt)) facts.push({ fact, finalAt: null });
  return facts;
}

export function completedFacts(frames: readonly TailFrame[]): DatedFact[] {
  const dated: DatedFact[] = [];
  for (const { judged, facts } of frames) {
    for (const fact of facts) dated.push({ fact, finalAt: judged.frame.recordedAt });
  }
  return dated;
}
