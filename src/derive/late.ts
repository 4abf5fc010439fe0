import { compareFrames, type FramePlace } from "../domain/frame.ts";
import { carryTotals, type Totals } from "../domain/totals.ts";
import {
  type Checkpoint,
  type CheckpointTotals,
  checkpointAfter,
  checkpointAt,
  totalsAfter,
} from "../store/checkpoints.ts";
import type { Reader } from "../store/database.ts";
import { type DirtyRange, type FoldProgress, foldProgress } from "../store/folds.ts";
import { type MemoryBases, stateBefore } from "./base.ts";
import type { TrackedContext } from "./context.ts";
import { union } from "./plan.ts";
import { checkpointOf, type DeviceState, inPresentForm, stateAt, withTotalsCarried } from "./state.ts";
import { type LateRun, Walk } from "./walk.ts";

export interface LateOptions {
  /** What to derive, besides what is known to need it. */
  readonly range: DirtyRange | null;
  /** Whether to continue to the last frame even when nothing can differ any more. */
  readonly isThorough: boolean;
}

export const onlyWhatIsLeft: LateOptions = { range: null, isThorough: false };

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
  const walk = new Walk(reader, tracked);
  await walk.beginAt(await stateBefore(reader, tracked, earliest, tracked.derivation));
  // A checkpoint at the very end of the range is too early: frames of that moment may come after it.
  let last = range.until;
  for (;;) {
    const milestone = isThorough ? null : await checkpointAfter(reader, tracked, last);
    const isReached = await walk.to(milestone);
    if (milestone === null) return walk.result(progress, walk.state);
    last = milestone.recordedAt;
    if (!isReached) continue;
    const stored = inPresentForm(milestone);
    const found = checkpointOf(walk.state);
    if (found.stateJson !== stored.stateJson) continue;
    walk.endStretch(milestone);
    const carried = await carryOn(reader, tracked, stored, found, tipInMemory(memory, tracked, progress));
    if (milestone.totalsJson === null) walk.addCheckpoint(found);
    walk.addTotals(carried.totals);
    if (carried.tip !== null) await walk.beginAt(carried.tip);
    if (carried.until === null) return walk.result(progress, carried.tip);
    // A day or a trip ends after this checkpoint, so what follows must be derived.
    const checkpoint = await checkpointAt(reader, tracked, carried.until);
    // Another node was working on it meanwhile.
    if (checkpoint === null) return deriveLate(reader, memory, tracked, options);
    await walk.beginAt(stateAt({ ...checkpoint, ...carried.until }, tracked.derivation));
    last = carried.until.recordedAt;
  }
}

/** The state after the last frame, before late frames are taken into account. */
function tipInMemory(memory: MemoryBases, tracked: TrackedContext, progress: FoldProgress): DeviceState | null {
  const tip = memory.at(tracked, progress.revision)?.tip.state ?? null;
  const isLast = tip?.place && progress.head && compareFrames(tip.place, progress.head) === 0;
  return isLast ? tip : null;
}

interface Carried {
  /** Those that are different. */
  readonly totals: readonly CheckpointTotals[];
  /** The state after the last frame, if the difference could be carried that far. */
  readonly tip: DeviceState | null;
  /** The checkpoint to derive from again; null if nothing differs beyond what was carried. */
  readonly until: CheckpointTotals | null;
}

/** Carries the difference of totals at one checkpoint on to the following ones and the tip, as far as possible. */
async function carryOn(
  reader: Reader,
  tracked: TrackedContext,
  stored: Checkpoint,
  found: Checkpoint,
  tip: DeviceState | null,
): Promise<Carried> {
  if (stored.totalsJson === found.totalsJson) return { totals: [], tip: null, until: null };
  let before = totalsIn(stored);
  let after = totalsIn(found);
  let last: CheckpointTotals = { ...placeOf(found), totalsJson: found.totalsJson };
  const totals = [last];
  for (;;) {
    const page = await totalsAfter(reader, tracked, last.recordedAt, totalsPerRead);
    for (const next of page) {
      if (next.totalsJson === null) return { totals, tip: null, until: last };
      const later = totalsIn(next);
      const then = carryTotals(before, after, later);
      if (then === null) return { totals, tip: null, until: last };
      const totalsJson = JSON.stringify(then);
      if (totalsJson === next.totalsJson) return { totals, tip: null, until: null };
      last = { ...placeOf(next), totalsJson };
      totals.push(last);
      before = later;
      after = then;
    }
    if (page.length < totalsPerRead) break;
  }
  const carriedTip = tip && withTotalsCarried(tip, before, after, tracked.derivation);
  return { totals, tip: carriedTip, until: carriedTip === null ? last : null };
}

function totalsIn({ totalsJson }: CheckpointTotals): Totals {
  return JSON.parse(totalsJson ?? "null") as Totals;
}

function placeOf({ recordedAt, digest }: FramePlace): FramePlace {
  return { recordedAt, digest };
}
