import { compareFrames, type FramePlace } from "../domain/frame.ts";
import { carryTotals, type Totals } from "../domain/totals.ts";
import type { Reader } from "../store/database.ts";
import {
  type Checkpoint,
  type CheckpointTotals,
  checkpointAfter,
  checkpointAt,
  totalsAfter,
} from "../store/facts/checkpoints.ts";
import { type DirtyRange, type FoldProgress, foldProgress } from "../store/facts/folds.ts";
import { type MemoryBases, stateBefore } from "./base.ts";
import type { TrackedContext } from "./context.ts";
import { union } from "./plan.ts";
import { checkpointOf, type DerivedState, stateAt, withTotalsCarried } from "./state.ts";
import { type LateRun, LateWalk } from "./walk.ts";

export interface LateOptions {
  /** What to derive, besides what is known to need it. */
  readonly range: DirtyRange | null;
  /** Whether to continue to the last frame even when nothing can differ any more. */
  readonly isThorough: boolean;
}

export const pendingOnly: LateOptions = { range: null, isThorough: false };

const totalsPerRead = 64;

/** Null if there is nothing to derive. It yields to others regularly, however many frames there are. */
export async function deriveLate(
  reader: Reader,
  memory: MemoryBases,
  tracked: TrackedContext,
  options: LateOptions,
): Promise<LateRun | null> {
  const { range: asked, isThorough } = options;
  const progress = await foldProgress(reader, tracked);
  const range = union(progress.dirty, asked);
  if (range === null || (progress.head === null && progress.dirty === null)) return null;
  const earliest = Math.max(range.from, (progress.droppedUntil ?? 0) + 1);
  const walk = new LateWalk(reader, tracked);
  await walk.beginAt(await stateBefore(reader, tracked, earliest));
  // A checkpoint at the very end of the range is too early: frames of that moment may come after it.
  let last = range.until;
  for (;;) {
    const milestone = isThorough ? null : await checkpointAfter(reader, tracked, last);
    const isReached = await walk.to(milestone);
    if (milestone === null) return walk.result(progress, walk.state);
    last = milestone.recordedAt;
    if (!isReached) continue;
    const found = checkpointOf(walk.state);
    if (found.stateJson !== milestone.stateJson) continue;
    walk.endStretch(milestone);
    const carried = await carryOn(reader, tracked, milestone, found, tipInMemory(memory, tracked, progress));
    walk.addTotals(carried.totals);
    if (carried.end === "unchanged") return walk.result(progress, null);
    if (carried.end === "tip") {
      await walk.beginAt(carried.tip);
      return walk.result(progress, carried.tip);
    }
    const checkpoint = await checkpointAt(reader, tracked, carried.last);
    // Another node was working on it meanwhile.
    if (checkpoint === null) return deriveLate(reader, memory, tracked, options);
    await walk.beginAt(stateAt({ ...checkpoint, ...carried.last }, tracked.derivation));
    last = carried.last.recordedAt;
  }
}

/** The state after the last frame, before late frames are taken into account. */
function tipInMemory(memory: MemoryBases, tracked: TrackedContext, progress: FoldProgress): DerivedState | null {
  const tip = memory.at(tracked, progress.revision)?.tip.state ?? null;
  const isLast = tip?.place && progress.head && compareFrames(tip.place, progress.head) === 0;
  return isLast ? tip : null;
}

/** The totals that changed, and how far the difference was carried. */
type Carried = { readonly totals: readonly CheckpointTotals[] } & (
  | { readonly end: "unchanged" }
  /** To the state after the last frame. */
  | { readonly end: "tip"; readonly tip: DerivedState }
  /** To this checkpoint: a day or a trip ends after it, so what follows must be derived. */
  | { readonly end: "checkpoint"; readonly last: CheckpointTotals }
);

/** Carries the difference of totals at one checkpoint on to the following ones and the tip, as far as possible. */
async function carryOn(
  reader: Reader,
  tracked: TrackedContext,
  stored: Checkpoint,
  found: Checkpoint,
  tip: DerivedState | null,
): Promise<Carried> {
  if (stored.totalsJson === found.totalsJson) return { totals: [], end: "unchanged" };
  let before = totalsIn(stored);
  let after = totalsIn(found);
  let last: CheckpointTotals = { ...placeOf(found), totalsJson: found.totalsJson };
  const totals = [last];
  for (;;) {
    const page = await totalsAfter(reader, tracked, last.recordedAt, totalsPerRead);
    for (const next of page) {
      const later = totalsIn(next);
      const then = carryTotals(before, after, later);
      if (then === null) return { totals, end: "checkpoint", last };
      const totalsJson = JSON.stringify(then);
      if (totalsJson === next.totalsJson) return { totals, end: "unchanged" };
      last = { ...placeOf(next), totalsJson };
      totals.push(last);
      before = later;
      after = then;
    }
    if (page.length < totalsPerRead) break;
  }
  const carriedTip = tip && withTotalsCarried(tip, before, after, tracked.derivation);
  return carriedTip === null ? { totals, end: "checkpoint", last } : { totals, end: "tip", tip: carriedTip };
}

function totalsIn({ totalsJson }: CheckpointTotals): Totals {
  return JSON.parse(totalsJson) as Totals;
}

function placeOf({ recordedAt, digest }: FramePlace): FramePlace {
  return { recordedAt, digest };
}
