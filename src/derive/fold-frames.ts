import type { DeviceContext } from "../domain/device-context.ts";
import { type Fold, foldFrame, snapshotOf, type TailFrame } from "../domain/fold.ts";
import type { Frame, FramePlace } from "../domain/frame.ts";
import { openFacts } from "../domain/stages.ts";
import { stopPlace } from "../domain/trips/trips.ts";
import type { Checkpoint } from "../store/checkpoints.ts";
import type { DatedFact } from "../store/fact-rows.ts";

/** A device's fold as it is kept in memory. */
export interface DeviceFold {
  readonly fold: Fold;
  /** The last frame that went in. */
  readonly place: FramePlace | null;
  /** Time of the last frame whose verdict is settled. */
  readonly settledAt: number;
  readonly framesSinceCheckpoint: number;
  /** The facts that the fold tells, and that may still change. */
  readonly unsettledFacts: readonly DatedFact[];
}

/** What decides whether a checkpoint can be here. */
type Standing = Omit<DeviceFold, "unsettledFacts">;

export interface FoldRun {
  readonly after: DeviceFold;
  /**
   * The frames that were in the tail before and those that were given, in order and with their verdicts as of now: first
   * those that are settled, then the new tail.
   */
  readonly frames: readonly TailFrame[];
  /** The facts that are settled with this run. */
  readonly settledFacts: readonly DatedFact[];
  readonly checkpoints: readonly Checkpoint[];
}

/** After a restart this many frames of each device are folded again; a checkpoint takes as much disk as some ten frames. */
const maxFramesBetweenCheckpoints = 256;
/** Where the vehicle stands, a checkpoint is smaller, and a late frame of the drive before does not touch it. */
const framesBetweenCheckpointsAtRest = 64;

/** Takes frames in their order, each after all that went in before. */
export function foldFrames(start: DeviceFold, frames: readonly Frame[], context: DeviceContext): FoldRun {
  let { fold, place, settledAt, framesSinceCheckpoint } = start;
  const settled: TailFrame[] = [];
  const checkpoints: Checkpoint[] = [];
  for (const frame of frames) {
    const at = { fold, place, settledAt, framesSinceCheckpoint };
    if (isCheckpointDue(at, frame)) {
      checkpoints.push(checkpointOf(at));
      framesSinceCheckpoint = 0;
    }
    const step = foldFrame(fold, frame, context);
    for (const entry of step.settled) {
      settled.push(entry);
      settledAt = entry.judged.frame.recordedAt;
    }
    fold = step.fold;
    place = { recordedAt: frame.recordedAt, digest: frame.digest };
    framesSinceCheckpoint++;
  }
  return {
    after: { fold, place, settledAt, framesSinceCheckpoint, unsettledFacts: unsettledFacts(fold) },
    frames: fold.tail.length === 0 ? settled : [...settled, ...fold.tail],
    settledFacts: completedFacts(settled),
    checkpoints,
  };
}

function isCheckpointDue(at: Standing, next: Frame): boolean {
  if (at.framesSinceCheckpoint < framesBetweenCheckpointsAtRest) return false;
  if (!isPossibleCheckpoint(at, next.recordedAt)) return false;
  return at.framesSinceCheckpoint >= maxFramesBetweenCheckpoints || stopPlace(at.fold.tip.trips) !== null;
}

/**
 * What was derived up to a checkpoint is told from what came after by the time of the frame that completed it. So no frame
 * may share its time with one on the other side.
 */
function isPossibleCheckpoint({ fold, place, settledAt }: Standing, nextAt: number): boolean {
  if (place === null || nextAt <= place.recordedAt) return false;
  const first = fold.tail[0];
  return first === undefined || first.judged.frame.recordedAt > settledAt;
}

/** The fold as a checkpoint for all frames that are later; null if it cannot be one. */
export function checkpointHere(fold: DeviceFold): Checkpoint | null {
  return isPossibleCheckpoint(fold, Number.MAX_SAFE_INTEGER) ? checkpointOf(fold) : null;
}

function checkpointOf({ fold, place }: Standing): Checkpoint {
  if (place === null) throw new Error("a fold without frames has no checkpoint");
  return { ...place, stateJson: JSON.stringify(snapshotOf(fold)) };
}

/** Facts that were completed before this time cannot change any more, whatever comes after the fold. */
export function settledUntil({ fold, place }: DeviceFold): number {
  return fold.tail[0]?.judged.frame.recordedAt ?? (place === null ? Number.MIN_SAFE_INTEGER : place.recordedAt + 1);
}

/** The facts that a fold tells, and that may still change. */
export function unsettledFacts(fold: Fold): readonly DatedFact[] {
  const facts = completedFacts(fold.tail);
  for (const fact of openFacts(fold.tip)) facts.push({ fact, finalAt: null });
  return facts;
}

function completedFacts(frames: readonly TailFrame[]): DatedFact[] {
  const dated: DatedFact[] = [];
  for (const { judged, facts } of frames) {
    for (const fact of facts) dated.push({ fact, finalAt: judged.frame.recordedAt });
  }
  return dated;
}
