import { type FoldSnapshot, snapshotOf } from "../domain/fold.ts";
import { compareFrames, placeKey } from "../domain/frame.ts";
import { isSameVerdict, type Verdict } from "../domain/verdict.ts";
import { type Checkpoint, checkpointsAfter } from "../store/checkpoints.ts";
import type { Reader } from "../store/database.ts";
import type { DatedFact } from "../store/fact-rows.ts";
import { type DirtyRange, type FoldProgress, foldProgress } from "../store/folds.ts";
import { framesAfter, type StoredFrame } from "../store/frames.ts";
import type { TrackedContext } from "./account-context.ts";
import { startingFold } from "./device-folds.ts";
import { type DeviceFold, foldFrames, settledUntil } from "./fold-frames.ts";

/** What a device's stored frames tell from some moment on. */
export interface DerivedAgain {
  /** As it was before the frames were read. */
  readonly progress: FoldProgress;
  /** The facts are all those that were completed from the first of these times on and before the second. */
  readonly from: number;
  readonly until: number | null;
  readonly facts: readonly DatedFact[];
  /** Frames of whose verdict something else is stored. */
  readonly verdicts: readonly StoredFrame[];
  /** To stand in the place of all between these times. */
  readonly checkpoints: readonly Checkpoint[];
  readonly checkpointsFrom: number;
  readonly checkpointsUntil: number;
  /** The fold after the last frame; null if before that it came to what is stored already. */
  readonly after: DeviceFold | null;
  readonly frameCount: number;
}

export interface DeriveOptions {
  /** What to derive, beside what is known to need it. */
  readonly range: DirtyRange | null;
  /** Whether to go on to the last frame even when nothing can be different any more. */
  readonly isThorough: boolean;
}

const framesPerRead = 512;

/** Null if there is nothing to derive. It gives others a turn again and again, however many frames there are. */
export async function deriveAgain(
  reader: Reader,
  tracked: TrackedContext,
  { range: asked, isThorough }: DeriveOptions,
): Promise<DerivedAgain | null> {
  const progress = await foldProgress(reader, tracked);
  const range = union(progress.dirty, asked);
  if (range === null || (progress.head === null && progress.dirty === null)) return null;
  const earliest = Math.max(range.from, (progress.droppedUntil ?? 0) + 1);
  const start = await startingFold(reader, tracked, earliest, tracked.derivation);
  const walk = new Walk(tracked, start, await storedTail(reader, tracked, start));
  // One at the very end of the range does not do: frames of that moment may come after it.
  const milestones = isThorough ? [] : await checkpointsAfter(reader, tracked, range.until);
  const begin = { progress, from: settledUntil(start), checkpointsFrom: (start.place?.recordedAt ?? 0) + 1 };
  for (;;) {
    const frames = await framesAfter(reader, tracked, walk.fold.place, framesPerRead);
    for (const { part, milestone } of cutAt(milestones, frames)) {
      walk.take(part);
      if (milestone !== null && milestone.stateJson === walk.stateJson()) {
        const end = { until: settledUntil(walk.fold), checkpointsUntil: milestone.recordedAt, after: null };
        return { ...begin, ...end, ...walk.result() };
      }
    }
    if (frames.length < framesPerRead) break;
    await new Promise((resume) => setImmediate(resume));
  }
  walk.end();
  return { ...begin, until: null, checkpointsUntil: Number.MAX_SAFE_INTEGER, after: walk.fold, ...walk.result() };
}

function union(one: DirtyRange | null, other: DirtyRange | null): DirtyRange | null {
  if (one === null || other === null) return one ?? other;
  return { from: Math.min(one.from, other.from), until: Math.max(one.until, other.until) };
}

/** The frames whose verdict is open at the start, with what is stored of it: nothing of those that were dropped since. */
async function storedTail(
  reader: Reader,
  tracked: TrackedContext,
  { fold }: DeviceFold,
): Promise<(StoredFrame | undefined)[]> {
  const first = fold.tail[0]?.judged.frame;
  if (first === undefined) return [];
  const from = { recordedAt: first.recordedAt, digest: first.digest - 1 };
  const stored = await framesAfter(reader, tracked, from, fold.tail.length);
  return fold.tail.map(({ judged }) => stored.find(({ frame }) => compareFrames(frame, judged.frame) === 0));
}

/** The frames in parts, each but the last ending where a checkpoint stands. */
function* cutAt(
  checkpoints: readonly Checkpoint[],
  frames: readonly StoredFrame[],
): Iterable<{ readonly part: readonly StoredFrame[]; readonly milestone: Checkpoint | null }> {
  const byPlace = new Map(checkpoints.map((checkpoint) => [placeKey(checkpoint), checkpoint]));
  let begin = 0;
  for (const [index, { frame }] of frames.entries()) {
    const milestone = byPlace.get(placeKey(frame));
    if (milestone === undefined) continue;
    yield { part: frames.slice(begin, index + 1), milestone };
    begin = index + 1;
  }
  yield { part: frames.slice(begin), milestone: null };
}

/** Folds stored frames, and gathers what comes of them that is not stored yet. */
class Walk {
  fold: DeviceFold;
  readonly #tracked: TrackedContext;
  /** The frames of the fold's tail, with what is stored of their verdicts. */
  #tail: readonly (StoredFrame | undefined)[];
  readonly #facts: DatedFact[] = [];
  readonly #verdicts: StoredFrame[] = [];
  readonly #checkpoints: Checkpoint[] = [];
  #frameCount = 0;

  constructor(tracked: TrackedContext, start: DeviceFold, tail: readonly (StoredFrame | undefined)[]) {
    this.#tracked = tracked;
    this.fold = start;
    this.#tail = tail;
  }

  take(stored: readonly StoredFrame[]): void {
    const frames = stored.map(({ frame }) => frame);
    const run = foldFrames(this.fold, frames, this.#tracked.derivation);
    const all = [...this.#tail, ...stored];
    const settledCount = run.frames.length - run.after.fold.tail.length;
    for (let index = 0; index < settledCount; index++) this.#compare(all[index], run.frames[index]?.judged.verdict);
    this.#tail = all.slice(settledCount);
    this.#facts.push(...run.settledFacts);
    this.#checkpoints.push(...run.checkpoints);
    this.#frameCount += stored.length;
    this.fold = run.after;
  }

  /** After the last frame: what is still open counts as it stands. */
  end(): void {
    for (const [index, { judged }] of this.fold.fold.tail.entries()) this.#compare(this.#tail[index], judged.verdict);
    this.#facts.push(...this.fold.unsettledFacts);
  }

  stateJson(): string {
    const snapshot: FoldSnapshot = snapshotOf(this.fold.fold);
    return JSON.stringify(snapshot);
  }

  result(): Pick<DerivedAgain, "facts" | "verdicts" | "checkpoints" | "frameCount"> {
    return {
      facts: this.#facts,
      verdicts: this.#verdicts,
      checkpoints: this.#checkpoints,
      frameCount: this.#frameCount,
    };
  }

  #compare(stored: StoredFrame | undefined, verdict: Verdict | undefined): void {
    if (stored === undefined || verdict === undefined) return;
    if (!isSameVerdict(stored.verdict, verdict)) this.#verdicts.push({ frame: stored.frame, verdict });
  }
}
