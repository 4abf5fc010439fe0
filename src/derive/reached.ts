import { compareFrames } from "../domain/frame.ts";
import type { StoredFrame } from "../store/blocks/stored-frame.ts";
import type { Reader } from "../store/database.ts";
import type { Checkpoint } from "../store/facts/checkpoints.ts";
import type { DatedFact } from "../store/facts/facts.ts";
import { framesAfter } from "../store/frames/frames.ts";
import { openFrames } from "./base.ts";
import type { TrackedContext } from "./context.ts";
import { diffFrames } from "./diff.ts";
import { run } from "./run.ts";
import type { DerivedState } from "./state.ts";

/** How far a device's stored frames are derived again. */
export interface Reached {
  readonly state: DerivedState;
  /** Stored frames whose verdict is open in the state. Some may have been dropped since. */
  readonly open: readonly StoredFrame[];
}

export async function reachedAt(reader: Reader, tracked: TrackedContext, state: DerivedState): Promise<Reached> {
  const frames = openFrames(state);
  const first = frames[0]?.frame;
  if (first === undefined) return { state, open: [] };
  const before = { recordedAt: first.recordedAt, digest: first.digest - 1 };
  const stored = await framesAfter(reader, tracked, before, frames.length, state.place);
  return { state, open: stored.slice(0, frames.length) };
}

/** What the stored frames that were derived lead to. */
export class Derived {
  reached: Reached;
  /** Frames whose verdict is final now, and is not what is stored. */
  readonly judgedAnew: StoredFrame[] = [];
  readonly checkpoints: Checkpoint[] = [];
  readonly facts: DatedFact[] = [];
  frameCount = 0;

  constructor(reached: Reached) {
    this.reached = reached;
  }

  /** Derives the next stored frames. */
  take(stored: readonly StoredFrame[], tracked: TrackedContext): void {
    const { state, open } = this.reached;
    const frames = stored.map(({ frame }) => frame);
    const ran = run(state, frames, tracked.derivation);
    const all = open.length === 0 ? stored : [...open, ...stored];
    const first = openFrames(ran.after)[0]?.frame;
    const openNow = first === undefined ? [] : all.filter(({ frame }) => compareFrames(frame, first) >= 0);
    this.reached = { state: ran.after, open: openNow };
    this.judgedAnew.push(...diffFrames(all, ran.finalFrames).judgedAnew);
    this.checkpoints.push(...ran.checkpoints);
    this.facts.push(...ran.finalFacts);
    this.frameCount += stored.length;
  }
}

/** The frames whose verdict is open, and is not what is stored. */
export function openJudgedAnew({ state, open }: Reached): readonly StoredFrame[] {
  return diffFrames(open, openFrames(state)).judgedAnew;
}
