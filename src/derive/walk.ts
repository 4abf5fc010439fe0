import { compareFrames, type FramePlace } from "../domain/frame.ts";
import type { StoredFrame } from "../store/blocks/stored-frame.ts";
import type { Reader } from "../store/database.ts";
import type { Checkpoint, CheckpointRange, CheckpointTotals } from "../store/facts/checkpoints.ts";
import type { DatedFact } from "../store/facts/facts.ts";
import type { FoldProgress } from "../store/facts/folds.ts";
import { framesAfter } from "../store/frames/frames.ts";
import { turnOfLoop } from "../store/share-thread.ts";
import type { TrackedContext } from "./context.ts";
import { Derived, openJudgedAnew, reachedAt } from "./reached.ts";
import { type DerivedState, emptyState, finalUntil, openFactsOf } from "./state.ts";

/** What follows from a device's stored frames, from a checkpoint on until it equals what is stored. */
export interface LateRun {
  /** The progress before the frames were read. */
  readonly progress: FoldProgress;
  /** The periods whose facts were derived: those completed from one moment on and before another. */
  readonly stretches: readonly { readonly from: number; readonly until: number | null }[];
  readonly facts: readonly DatedFact[];
  readonly judgedAnew: readonly StoredFrame[];
  /** Between these times, the new checkpoints replace the stored ones. */
  readonly dropped: readonly CheckpointRange[];
  readonly checkpoints: readonly Checkpoint[];
  /** New totals of checkpoints that are otherwise unchanged. */
  readonly totals: readonly CheckpointTotals[];
  /** The state after the last frame; null if the stored one is still right. */
  readonly after: DerivedState | null;
  readonly frameCount: number;
}

const framesPerRead = 512;

/** Closer to a checkpoint that stays, another is not worth its space. */
const minFramesBetween = 64;

/** Derives stored frames from a state on, and collects the results. */
export class LateWalk {
  readonly #derived = new Derived({ state: emptyState, open: [] });
  readonly #reader: Reader;
  readonly #tracked: TrackedContext;
  #from = 0;
  #checkpointsFrom = 0;
  readonly #stretches: { from: number; until: number | null }[] = [];
  readonly #dropped: CheckpointRange[] = [];
  readonly #totals: CheckpointTotals[] = [];
  #framesThisTurn = 0;

  constructor(reader: Reader, tracked: TrackedContext) {
    this.#reader = reader;
    this.#tracked = tracked;
  }

  get state(): DerivedState {
    return this.#derived.reached.state;
  }

  /** Begins a period. */
  async beginAt(state: DerivedState): Promise<void> {
    this.#from = finalUntil(state);
    this.#checkpointsFrom = (state.place?.recordedAt ?? 0) + 1;
    this.#derived.reached = await reachedAt(this.#reader, this.#tracked, state);
  }

  /** Derives all frames up to a checkpoint, or all. Returns whether the last of them was the checkpoint's. */
  async to(milestone: FramePlace | null): Promise<boolean> {
    for (;;) {
      const stored = await framesAfter(this.#reader, this.#tracked, this.state.place, framesPerRead, milestone);
      this.#derived.take(stored, this.#tracked);
      // SQLite answers at once, so without this no other request would get a turn.
      this.#framesThisTurn += stored.length;
      if (this.#framesThisTurn >= framesPerRead) {
        await turnOfLoop();
        this.#framesThisTurn = 0;
      }
      if (stored.length < framesPerRead) break;
    }
    return milestone !== null && this.state.place !== null && compareFrames(this.state.place, milestone) === 0;
  }

  /** Ends a period at a checkpoint that stays. */
  endStretch(milestone: FramePlace): void {
    this.#stretches.push({ from: this.#from, until: finalUntil(this.state) });
    this.#dropped.push({ from: this.#checkpointsFrom, until: milestone.recordedAt });
    const { checkpoints } = this.#derived;
    const lastNew = checkpoints.at(-1);
    const isNear = this.state.framesSinceCheckpoint < minFramesBetween;
    if (isNear && lastNew !== undefined && lastNew.recordedAt >= this.#checkpointsFrom) checkpoints.pop();
  }

  addTotals(totals: readonly CheckpointTotals[]): void {
    this.#totals.push(...totals);
  }

  /** If the walk reached the last frame, the facts and verdicts that are open in the state after it are part of the result. */
  result(progress: FoldProgress, after: DerivedState | null): LateRun {
    const { reached, facts, judgedAnew, checkpoints, frameCount } = this.#derived;
    if (after !== null) {
      judgedAnew.push(...openJudgedAnew(reached));
      facts.push(...openFactsOf(after, this.#tracked.derivation, progress.silentAt));
      this.#stretches.push({ from: this.#from, until: null });
      this.#dropped.push({ from: this.#checkpointsFrom, until: Number.MAX_SAFE_INTEGER });
    }
    return {
      progress,
      stretches: this.#stretches,
      facts,
      judgedAnew,
      dropped: this.#dropped,
      checkpoints,
      totals: this.#totals,
      after,
      frameCount,
    };
  }
}
