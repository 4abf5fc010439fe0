import type { DeviceContext } from "../domain/device-context.ts";
import { foldFrame, type TailFrame } from "../domain/fold.ts";
import type { Frame } from "../domain/frame.ts";
import type { JudgedFrame } from "../domain/verdict.ts";
import type { Checkpoint } from "../store/checkpoints.ts";
import type { DatedFact } from "../store/fact-rows.ts";
import { canBeCheckpoint, checkpointOf, completedFacts, type DeviceState } from "./state.ts";

/** What comes of frames after a state. */
export interface Run {
  readonly after: DeviceState;
  /** Those whose verdict is final now. Those whose verdict is open are the tail of the state after. */
  readonly finalFrames: readonly JudgedFrame[];
  /** The facts that they completed. */
  readonly finalFacts: readonly DatedFact[];
  readonly checkpoints: readonly Checkpoint[];
}

/** Derived again from the last checkpoint: after a restart as many frames of each device, for a late frame twice as many. */
const framesBetweenCheckpoints = 128;

/** Takes frames in their order, each after all that went in before. */
export function run(start: DeviceState, frames: readonly Frame[], context: DeviceContext): Run {
  let state = start;
  const finals: TailFrame[] = [];
  const checkpoints: Checkpoint[] = [];
  for (const frame of frames) {
    if (state.framesSinceCheckpoint >= framesBetweenCheckpoints && canBeCheckpoint(state, frame.recordedAt)) {
      checkpoints.push(checkpointOf(state));
      state = { ...state, framesSinceCheckpoint: 0 };
    }
    const { fold, final } = foldFrame(state.fold, frame, context);
    for (const entry of final) finals.push(entry);
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
  };
}
