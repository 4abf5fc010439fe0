import type { DeviceContext } from "../domain/device-context.ts";
import { foldFrame, type TailFrame } from "../domain/fold.ts";
import type { Frame } from "../domain/frame.ts";
import type { JudgedFrame } from "../domain/verdict.ts";
import type { Checkpoint } from "../store/facts/checkpoints.ts";
import type { DatedFact } from "../store/facts/facts.ts";
import { canBeCheckpoint, checkpointOf, completedFacts, type DerivedState } from "./state.ts";

/** What frames after a state result in. */
export interface Run {
  readonly after: DerivedState;
  /** The frames whose verdict is final now. Those still open are the tail of the state after. */
  readonly finalFrames: readonly JudgedFrame[];
  /** The facts that they completed. */
  readonly finalFacts: readonly DatedFact[];
  readonly checkpoints: readonly Checkpoint[];
  /** Some frames before the end, if there were more. */
  readonly midway: Midway | null;
}

/** A state on the way, and how many frames and facts were final by then. */
export interface Midway {
  readonly state: DerivedState;
  readonly finalFrames: number;
  readonly finalFacts: number;
}

/** A frame that is late by fewer is derived from there. */
const framesAfterMidway = 8;

/** A restart derives up to this many frames of each device again, a late frame twice as many. */
const framesBetweenCheckpoints = 128;

/** Folds frames in order, each after all frames of the state. */
export function run(start: DerivedState, frames: readonly Frame[], context: DeviceContext): Run {
  let state = start;
  const finals: TailFrame[] = [];
  const checkpoints: Checkpoint[] = [];
  let midway: Midway | null = null;
  let finalFacts = 0;
  const midwayAt = frames.length - framesAfterMidway;
  for (let index = 0; index < frames.length; index++) {
    const frame = frames[index] as Frame;
    if (index === midwayAt) midway = { state, finalFrames: finals.length, finalFacts };
    if (state.framesSinceCheckpoint >= framesBetweenCheckpoints && canBeCheckpoint(state, frame.recordedAt)) {
      checkpoints.push(checkpointOf(state));
      state = { ...state, framesSinceCheckpoint: 0 };
    }
    const { fold, final } = foldFrame(state.fold, frame, context);
    for (const entry of final) {
      finals.push(entry);
      finalFacts += entry.facts.length;
    }
    state = {
      fold,
      place: { recordedAt: frame.recordedAt, digest: frame.digest },
      finalAt: final.at(-1)?.judged.frame.recordedAt ?? state.finalAt,
      framesSinceCheckpoint: state.framesSinceCheckpoint + 1,
    };
  }
  return {
    after: state,
    finalFrames: finals.map(({ judged }) => judged),
    finalFacts: completedFacts(finals),
    checkpoints,
    midway,
  };
}
