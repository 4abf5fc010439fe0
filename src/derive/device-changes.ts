import type { FramePlace } from "../domain/frame.ts";
import type { StoredFrame } from "../store/blocks/stored-frame.ts";
import type { Checkpoint, CheckpointRange, CheckpointTotals } from "../store/facts/checkpoints.ts";
import type { FoldProgress } from "../store/facts/folds.ts";
import type { LatestRow } from "../store/frames/latest.ts";
import type { TrackedContext } from "./context.ts";
import { type FactChanges, noFactChanges } from "./diff.ts";

/** All that is to be written of one device. */
export interface DeviceChanges {
  readonly tracked: TrackedContext;
  readonly before: FoldProgress;
  readonly after: FoldProgress;
  readonly removed: readonly FramePlace[];
  /** Frames that are new, with their readings. */
  readonly added: readonly StoredFrame[];
  /** Frames that are stored, and have another verdict now. */
  readonly judgedAnew: readonly StoredFrame[];
  readonly facts: FactChanges;
  /** The checkpoints in these periods are no longer valid. */
  readonly dropped: readonly CheckpointRange[];
  readonly checkpoints: readonly Checkpoint[];
  /** New totals of checkpoints that are otherwise valid. */
  readonly totals: readonly CheckpointTotals[];
  /** When the last of its new frames was received; null if it has none. */
  readonly seenAt: number | null;
  /** A frame was stored as received at this moment, and turns out to have been received before. */
  readonly notReceivedAt: number | null;
  /** Its new live state; null if unchanged. */
  readonly latest: LatestRow | null;
}

/** Of a device of which only the progress is written. */
export const noChanges: Omit<DeviceChanges, "tracked" | "before" | "after"> = {
  removed: [],
  added: [],
  judgedAnew: [],
  facts: noFactChanges,
  dropped: [],
  checkpoints: [],
  totals: [],
  seenAt: null,
  notReceivedAt: null,
  latest: null,
};

/** The result of deriving a device's facts again. */
export interface Rederived {
  readonly frames: number;
  readonly verdictsChanged: number;
  readonly factsSaved: number;
  readonly factsRemoved: number;
  readonly latestChanged: boolean;
}

export function rederivedOf(
  frames: number,
  verdictsChanged: number,
  facts: FactChanges,
  latest: LatestRow | null,
): Rederived {
  const factsSaved = facts.toSave.length + facts.toContinue.length;
  return { frames, verdictsChanged, factsSaved, factsRemoved: facts.toRemove.length, latestChanged: latest !== null };
}
