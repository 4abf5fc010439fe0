import { compareFrames, type Frame, placeKey } from "../domain/frame.ts";
import type { JudgedFrame, Verdict } from "../domain/verdict.ts";
import type { DatedFact } from "../store/fact-rows.ts";
import type { DeviceFold, FoldRun } from "./fold-frames.ts";

/**
 * What a device's fold was some frames ago, and those frames. Where several connections send at once, frames often come a
 * moment late: such a one is folded from here, with those after it, and nothing has to be read.
 */
export interface RecentFrames {
  readonly start: DeviceFold;
  /** Those whose verdict was open at the start and all since, in order, each with the verdict that is stored. */
  readonly frames: readonly JudgedFrame[];
  /** The facts that are settled since. */
  readonly settledFacts: readonly DatedFact[];
}

/** A fold with what came before it; null where that is not known. */
export interface KeptFold {
  readonly fold: DeviceFold;
  readonly recent: RecentFrames | null;
}

/** Enough for what is under way at the same time. */
const maxFrames = 32;

/** Whether all frames that come after this one are among the recent ones. */
export function isRecent(recent: RecentFrames, frame: Frame): boolean {
  const { place } = recent.start;
  return place === null || compareFrames(frame, place) > 0;
}

/** What is kept after a run from the end of a fold. */
export function recentAfter({ fold: before, recent }: KeptFold, run: FoldRun): RecentFrames | null {
  const frames = run.frames.map(({ judged }) => judged);
  if (recent !== null) {
    const settledBefore = recent.frames.length - before.fold.tail.length;
    if (settledBefore + frames.length <= maxFrames) {
      return {
        start: recent.start,
        frames: [...recent.frames.slice(0, settledBefore), ...frames],
        settledFacts: [...recent.settledFacts, ...run.settledFacts],
      };
    }
  }
  return frames.length > maxFrames ? null : { start: before, frames, settledFacts: run.settledFacts };
}

/** What is to be folded from the recent start where there are frames between those that are folded. */
export interface TakenUp {
  readonly frames: readonly Frame[];
  /** The facts that are stored of what was folded since. */
  readonly told: readonly DatedFact[];
  readonly storedVerdicts: ReadonlyMap<string, Verdict>;
}

export function takeUp(
  { start, frames, settledFacts }: RecentFrames,
  fold: DeviceFold,
  next: readonly Frame[],
): TakenUp {
  const folded = frames.slice(start.fold.tail.length).map(({ frame }) => frame);
  return {
    frames: [...folded, ...next].sort(compareFrames),
    told: [...settledFacts, ...fold.unsettledFacts],
    storedVerdicts: new Map(frames.map(({ frame, verdict }) => [placeKey(frame), verdict])),
  };
}

/** What is kept after a run from the recent start. */
export function recentAgain({ start }: RecentFrames, run: FoldRun): RecentFrames | null {
  if (run.frames.length > maxFrames) return null;
  return { start, frames: run.frames.map(({ judged }) => judged), settledFacts: run.settledFacts };
}
