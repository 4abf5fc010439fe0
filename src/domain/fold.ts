import type { DeviceContext } from "./device-context.ts";
import type { Fact } from "./facts.ts";
import type { Frame } from "./frame.ts";
import { initialJudge, type JudgeState, judge, pendingFrames } from "./quality/judge.ts";
import { initialStages, type StagesState, stepStages } from "./stages.ts";
import { isSameVerdict, type JudgedFrame } from "./verdict.ts";

/**
 * One device's frames, folded in their order. Some of the last frames' verdicts may still fall with the frames to come (a
 * spike is known by what follows it). So that all facts can be told at once and taken back where needed, the fold keeps
 * for each such frame the state before it: if its verdict falls, the rules go on from there.
 */
export interface Fold {
  readonly judge: JudgeState;
  /** The frames whose verdict is not settled yet, in order. */
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

/** What is worth storing of a fold: the rest comes from it. */
export interface FoldSnapshot {
  readonly judge: JudgeState;
  readonly stages: StagesState;
}

export const emptyFold: Fold = { judge: initialJudge, tail: [], tip: initialStages };

/** Takes the next frame, and tells which frames' verdicts are now settled for good, with the facts they completed. */
export function foldFrame(
  fold: Fold,
  frame: Frame,
  context: DeviceContext,
): { readonly fold: Fold; readonly settled: readonly TailFrame[] } {
  const { state, final: settled } = judge(fold.judge, frame);
  const pending = pendingFrames(state);
  const frames: TailFrame[] = [];
  let tip = fold.tail[0]?.before ?? fold.tip;
  // As long as the verdicts are what they were, so is everything that came of them.
  let isAsBefore = true;
  const count = settled.length + pending.length;
  for (let index = 0; index < count; index++) {
    const judged = (index < settled.length ? settled[index] : pending[index - settled.length]) as JudgedFrame;
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
    fold: { judge: state, tail: frames.slice(settled.length), tip },
    settled: frames.slice(0, settled.length),
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
