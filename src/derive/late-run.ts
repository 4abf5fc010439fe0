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
import type { DatedFact } from "../store/fact-rows.ts";
import { type DirtyRange, type FoldProgress, foldProgress } from "../store/folds.ts";
import { framesAfter, type StoredFrame } from "../store/frames.ts";
import { type MemoryBases, openFrames, stateBefore } from "./base.ts";
import type { TrackedContext } from "./context.ts";
import { diffFrames } from "./diff.ts";
import { union } from "./plan.ts";
import { run } from "./run.ts";
import {
  checkpointOf,
  type DeviceState,
  emptyState,
  finalUntil,
  inPresentForm,
  openFactsOf,
  stateAt,
  withTotalsCarried,
} from "./state.ts";

export interface LateOptions {
  /** What to derive, beside what is known to need it. */
  readonly range: DirtyRange | null;
  /** Whether to go on to the last frame even when nothing can be different any more. */
  readonly isThorough: boolean;
}

export const onlyWhatIsLeft: LateOptions = { range: null, isThorough: false };

/** What follows from a device's stored frames, from a checkpoint on until it is what is stored already. */
export interface LateRun {
  /** As it was before the frames were read. */
  readonly progress: FoldProgress;
  /** The stretches of time whose facts were derived: those completed from one moment on and before another. */
  readonly stretches: readonly { readonly from: number; readonly until: number | null }[];
  readonly facts: readonly DatedFact[];
  readonly judgedAnew: readonly StoredFrame[];
  /** Between these times, checkpoints are replaced by the new ones. */
  readonly dropped: readonly { readonly from: number; readonly until: number }[];
  readonly checkpoints: readonly Checkpoint[];
  /** Of checkpoints in which only those are different. */
  readonly totals: readonly CheckpointTotals[];
  /** The state after the last frame; null if what is stored of it holds. */
  readonly after: DeviceState | null;
  readonly frameCount: number;
}

const framesPerRead = 512;
const totalsPerRead = 64;

/** Nearer to a checkpoint that stays, another is not worth its space. */
const minFramesBetween = 64;

/** Null if there is nothing to derive. It gives others a turn again and again, however many frames there are. */
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
  // A checkpoint at the very end of the range does not do: frames of that moment may come after it.
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
    // A day or a trip ends after this checkpoint, so what follows is derived.
    const checkpoint = await checkpointAt(reader, tracked, carried.until);
    // Another node was at work meanwhile.
    if (checkpoint === null) return deriveLate(reader, memory, tracked, options);
    await walk.beginAt(stateAt({ ...checkpoint, ...carried.until }, tracked.derivation));
    last = carried.until.recordedAt;
  }
}

/** The state after the last frame, as it was before late frames are taken into account. */
function tipInMemory(memory: MemoryBases, tracked: TrackedContext, progress: FoldProgress): DeviceState | null {
  const tip = memory.at(tracked, progress.revision)?.tip.state ?? null;
  const isLast = tip?.place && progress.head && compareFrames(tip.place, progress.head) === 0;
  return isLast ? tip : null;
}

interface Carried {
  /** Those that are different. */
  readonly totals: readonly CheckpointTotals[];
  /** The state after the last frame, if the difference could be carried as far as that. */
  readonly tip: DeviceState | null;
  /** The checkpoint to derive from again; null if nothing is different after what was carried. */
  readonly until: CheckpointTotals | null;
}

/** Takes the difference of two totals at one checkpoint on to those that follow, and to the tip, as far as it can be. */
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

/** Runs over stored frames from a state on, and gathers what comes of them. */
class Walk {
  state: DeviceState = emptyState;
  readonly #reader: Reader;
  readonly #tracked: TrackedContext;
  /** Stored frames whose verdict is open in the state. */
  #open: readonly StoredFrame[] = [];
  #from = 0;
  #checkpointsFrom = 0;
  readonly #stretches: { from: number; until: number | null }[] = [];
  readonly #facts: DatedFact[] = [];
  readonly #judgedAnew: StoredFrame[] = [];
  readonly #dropped: { from: number; until: number }[] = [];
  readonly #checkpoints: Checkpoint[] = [];
  readonly #totals: CheckpointTotals[] = [];
  #frameCount = 0;

  constructor(reader: Reader, tracked: TrackedContext) {
    this.#reader = reader;
    this.#tracked = tracked;
  }

  /** Begins a stretch. Frames whose verdict is open in the state may have been dropped since. */
  async beginAt(state: DeviceState): Promise<void> {
    this.state = state;
    this.#from = finalUntil(state);
    this.#checkpointsFrom = (state.place?.recordedAt ?? 0) + 1;
    const [first] = openFrames(state);
    const before = first && { recordedAt: first.frame.recordedAt, digest: first.frame.digest - 1 };
    this.#open = before
      ? await framesAfter(this.#reader, this.#tracked, before, openFrames(state).length, state.place)
      : [];
  }

  /** Takes all frames up to a checkpoint, or all. Gives whether the last of them was the checkpoint's. */
  async to(milestone: FramePlace | null): Promise<boolean> {
    for (;;) {
      const stored = await framesAfter(this.#reader, this.#tracked, this.state.place, framesPerRead, milestone);
      this.#take(stored);
      if (stored.length < framesPerRead) break;
      await new Promise((resume) => setImmediate(resume));
    }
    return milestone !== null && this.state.place !== null && compareFrames(this.state.place, milestone) === 0;
  }

  #take(stored: readonly StoredFrame[]): void {
    const frames = stored.map(({ frame }) => frame);
    const ran = run(this.state, frames, this.#tracked.derivation);
    const all = [...this.#open, ...stored];
    this.#compare(all, ran.finalFrames);
    this.state = ran.after;
    const first = openFrames(this.state)[0]?.frame;
    this.#open = first === undefined ? [] : all.filter(({ frame }) => compareFrames(frame, first) >= 0);
    this.#facts.push(...ran.finalFacts);
    this.#checkpoints.push(...ran.checkpoints);
    this.#frameCount += stored.length;
  }

  #compare(stored: readonly StoredFrame[], now: readonly StoredFrame[]): void {
    this.#judgedAnew.push(...diffFrames(stored, now).judgedAnew);
  }

  /** Ends a stretch at a checkpoint that stays. */
  endStretch(milestone: FramePlace): void {
    this.#stretches.push({ from: this.#from, until: finalUntil(this.state) });
    this.#dropped.push({ from: this.#checkpointsFrom, until: milestone.recordedAt });
    const lastNew = this.#checkpoints.at(-1);
    const isNear = this.state.framesSinceCheckpoint < minFramesBetween;
    if (isNear && lastNew !== undefined && lastNew.recordedAt >= this.#checkpointsFrom) this.#checkpoints.pop();
  }

  addCheckpoint(checkpoint: Checkpoint): void {
    this.#checkpoints.push(checkpoint);
  }

  addTotals(totals: readonly CheckpointTotals[]): void {
    this.#totals.push(...totals);
  }

  /** With the state after the last frame, what is still open counts as it is. */
  result(progress: FoldProgress, after: DeviceState | null): LateRun {
    if (after !== null) {
      this.#compare(this.#open, openFrames(after));
      this.#facts.push(...openFactsOf(after));
      this.#stretches.push({ from: this.#from, until: null });
      this.#dropped.push({ from: this.#checkpointsFrom, until: Number.MAX_SAFE_INTEGER });
    }
    return {
      progress,
      stretches: this.#stretches,
      facts: this.#facts,
      judgedAnew: this.#judgedAnew,
      dropped: this.#dropped,
      checkpoints: this.#checkpoints,
      totals: this.#totals,
      after,
      frameCount: this.#frameCount,
    };
  }
}
