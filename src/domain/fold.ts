import type { DeviceContext } from "./device-context.ts";
import type { Fact } from "./facts.ts";
import type { Frame } from "./frame.ts";
import { initialJudge, type JudgeState, judge, pendingFrames } from "./quality/judge.ts";
import { initialStages, type StagesState, stepStages } from "./stages.ts";
import { isSameVerdict, type JudgedFrame } from "./verdict.ts";

/**
 * One device's frames, folded in their order. The verdicts on the last frames may still change with the frames to come
 * (a spike is known by what follows it). Facts are reported at once all the same: the fold holds the state before each
 * such frame, and if a verdict changes, the rules start again from there.
 */
export interface Fold {
  readonly judge: JudgeState;
  /** The frames whose verdict is not final, in order. */
  readonly tail: readonly TailFrame[];
  /** After the last frame. */
  readonly tip: StagesState;
}

/** A frame with the state before it and the facts that it completed. */
export interface TailFrame {
  readonly judged: JudgedFrame;
  readonly before: StagesState;
  readonly facts: readonly Fact[];
}

/** The part of a fold that is stored; the rest is derived from it. */
export interface FoldSnapshot {
  readonly judge: JudgeState;
  readonly stages: StagesState;
}

export const emptyFold: Fold = { judge: initialJudge, tail: [], tip: initialStages };

/** Folds the next frame. Returns the frames whose verdict is now final, with the facts they completed. */
export function foldFrame(
  fold: Fold,
  frame: Frame,
  context: DeviceContext,
): { readonly fold: Fold; readonly final: readonly TailFrame[] } {
  const { state, final } = judge(fold.judge, frame);
  const pending = pendingFrames(state);
  const frames: TailFrame[] = [];
  let tip = fold.tail[0]?.before ?? fold.tip;
  // As long as the verdicts are unchanged, so is everything derived from them.
  let isAsBefore = true;
  const count = final.length + pending.length;
  for (let index = 0; index < count; index++) {
    const judged = (index < final.length ? final[index] : pending[index - final.length]) as JudgedFrame;
    const before: TailFrame | undefined = fold.tail[index];
    if (isAsBefore && before !== undefined && isSame(before.judged, judged)) {
      frames.push(before);
      tip = fold.tail[index + 1]?.before ?? fold.tip;
      continue;
    }
    isAsBefore = false;
    const after = stepStages(tip, judged, context);
    frames.push({ judged, before: tip, facts: after.facts });
    tip = after.state;
  }
  return {
    fold: { judge: state, tail: frames.slice(final.length), tip },
    final: frames.slice(0, final.length),
  };
}

function isSame(one: JudgedFrame, other: JudgedFrame): boolean {
  return one === other || (one.speedKmh === other.speedKmh && isSameVerdict(one.verdict, other.verdict));
}

export function snapshotOf({ judge, tail, tip }: Fold): FoldSnapshot {
  return { judge, stages: tail[0]?.before ?? tip };
}

export function foldFrom({ judge, stages }: FoldSnapshot, context: DeviceContext): Fold {
  const tail: TailFrame[] = [];
  let tip = stages;
  for (const judged of pendingFrames(judge)) {
    const after = stepStages(tip, judged, context);
    tail.push({ judged, before: tip, facts: after.facts });
    tip = after.state;
  }
  return { judge, tail, tip };
}
