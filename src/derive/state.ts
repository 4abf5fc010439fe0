import type { DeviceContext } from "../domain/device-context.ts";
import { withTimesOfReceipt } from "../domain/earlier/times-of-receipt.ts";
import { type EarlierTotals, withEarlierTotals } from "../domain/earlier/totals-1.ts";
import { emptyFold, type Fold, type FoldSnapshot, foldFrom, snapshotOf, type TailFrame } from "../domain/fold.ts";
import type { FramePlace } from "../domain/frame.ts";
import { fromEarlierRules, rulesVersion } from "../domain/rules.ts";
import { openFacts, type StagesState } from "../domain/stages.ts";
import { carryTotals, joinTotals, splitTotals, type Totals } from "../domain/totals.ts";
import type { Checkpoint } from "../store/facts/checkpoints.ts";
import type { DatedFact } from "../store/facts/facts.ts";

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

interface StoredSnapshot extends FoldSnapshot {
  /** The rules that made it; missing in states of the first. */
  readonly rules?: number;
}

/** One of earlier rules is converted: it serves only a device that waits to be derived again, or lost its frames. */
export function stateAt(checkpoint: Checkpoint, context: DeviceContext): DeviceState {
  const { recordedAt, digest } = checkpoint;
  const fold = foldFrom(snapshotIn(checkpoint), context);
  return { fold, place: { recordedAt, digest }, finalAt: beforeAll, framesSinceCheckpoint: 0 };
}

function snapshotIn({ stateJson, totalsJson }: Checkpoint): FoldSnapshot {
  const { rules = 1, judge, stages } = JSON.parse(stateJson) as StoredSnapshot;
  const totals = totalsJson === null ? null : JSON.parse(totalsJson);
  const snapshot =
    rules === rulesVersion
      ? { judge, stages: joinTotals(stages, totals as Totals) }
      : fromEarlierRules(rules, { judge, stages: earlierWhole(rules, stages, totals) });
  return { judge: snapshot.judge, stages: withTimesOfReceipt(snapshot.stages) };
}

function earlierWhole(rules: number, stages: StagesState, totals: unknown): unknown {
  if (rules > 1) return joinTotals(stages, totals as Totals);
  return totals === null ? stages : withEarlierTotals({ ...stages }, totals as EarlierTotals);
}

export function checkpointOf({ fold, place }: DeviceState): Checkpoint {
  if (place === null) throw new Error("a state without frames has no checkpoint");
  const { judge, stages } = snapshotOf(fold);
  const { rest, totals } = splitTotals(stages);
  const snapshot: StoredSnapshot = { rules: rulesVersion, judge, stages: rest };
  return { ...place, stateJson: JSON.stringify(snapshot), totalsJson: JSON.stringify(totals) };
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

/** Facts before and after a checkpoint differ in time, so no frames on both sides may have the same time. */
export function canBeCheckpoint({ fold, place, finalAt }: DeviceState, nextAt: number): boolean {
  if (place === null || nextAt <= place.recordedAt) return false;
  const first = fold.tail[0];
  return first === undefined || first.judged.frame.recordedAt > finalAt;
}

/** Facts completed before this time are final, whatever frames follow. */
export function finalUntil({ fold, place }: DeviceState): number {
  return fold.tail[0]?.judged.frame.recordedAt ?? (place === null ? beforeAll : place.recordedAt + 1);
}

/** The facts that hold in this state, and may still change. `silentAt`: as in `FoldProgress`. */
export function openFactsOf(
  { fold }: DeviceState,
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
