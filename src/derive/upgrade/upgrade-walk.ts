import type { StoredFrame } from "../../store/blocks/stored-frame.ts";
import type { Reader } from "../../store/database.ts";
import type { Checkpoint, CheckpointRange } from "../../store/facts/checkpoints.ts";
import { type DatedFact, type FactRow, factsCompleted } from "../../store/facts/facts.ts";
import { framesAfter } from "../../store/frames/frames.ts";
import { stateBefore } from "../base.ts";
import type { TrackedContext } from "../context.ts";
import { diffFacts, type FactChanges, factRows } from "../diff.ts";
import { Derived, openJudgedAnew, type Reached, reachedAt } from "../reached.ts";
import { type DerivedState, emptyState, finalUntil, openFactsOf } from "../state.ts";

/** One or two milliseconds of work: so long may a request wait that comes meanwhile. */
const framesPerRead = 64;
/** Frames between two transactions: what they hold is written in a few milliseconds. */
const framesPerPart = 1_024;

/** What some of a device's frames lead to, to be written at once. */
export interface UpgradePart {
  readonly reached: Reached;
  readonly judgedAnew: readonly StoredFrame[];
  /** The checkpoints from one moment on and before another are replaced with these. */
  readonly checkpoints: readonly Checkpoint[];
  readonly replaced: CheckpointRange;
  readonly facts: FactChanges;
  readonly frameCount: number;
}

/** Derives a device again from its first stored frame, part by part. */
export class UpgradeWalk {
  /** Frames up to here were dropped, so it cannot go back further. */
  readonly #droppedUntil: number | null;
  /** Up to here everything but the facts is written. */
  #reached: Reached;
  #checkpointsFrom: number;
  /** What will be written of the facts, at the end and at once. Only differences, so that it is not much. */
  readonly #facts: Record<keyof FactChanges, FactRow[]> = { toSave: [], toContinue: [], toRemove: [] };
  frameCount = 0;
  verdictsChanged = 0;

  private constructor(droppedUntil: number | null, start: Reached) {
    this.#droppedUntil = droppedUntil;
    this.#reached = start;
    this.#checkpointsFrom = checkpointsAfter(start.state);
  }

  /** From the empty state, or from the last state before the frames that are left. */
  static async begin(reader: Reader, tracked: TrackedContext, droppedUntil: number | null): Promise<UpgradeWalk> {
    if (droppedUntil === null) return new UpgradeWalk(null, { state: emptyState, open: [] });
    const start = await stateBefore(reader, tracked, droppedUntil + 1);
    return new UpgradeWalk(droppedUntil, await reachedAt(reader, tracked, start));
  }

  get place() {
    return this.#reached.state.place;
  }

  /** The next frames, up to a moment. Nothing is changed before `accept`. */
  async next(reader: Reader, tracked: TrackedContext, until: number, rest: () => Promise<void>): Promise<UpgradePart> {
    const part = new Derived(this.#reached);
    while (part.frameCount < framesPerPart) {
      const last = { recordedAt: until - 1, digest: 0 };
      const stored = await framesAfter(reader, tracked, part.reached.state.place, framesPerRead, last);
      part.take(stored, tracked);
      await rest();
      if (stored.length < framesPerRead) break;
    }
    return this.#partOf(part, reader, tracked, part.reached.state.place?.recordedAt ?? 0, null);
  }

  /** All that is left, to the last frame. */
  async last(reader: Reader, tracked: TrackedContext, silentAt: number | null): Promise<UpgradePart> {
    const part = new Derived(this.#reached);
    for (;;) {
      const stored = await framesAfter(reader, tracked, part.reached.state.place, framesPerPart);
      part.take(stored, tracked);
      if (stored.length < framesPerPart) break;
    }
    const open = openFactsOf(part.reached.state, tracked.derivation, silentAt);
    return this.#partOf(part, reader, tracked, Number.MAX_SAFE_INTEGER, open);
  }

  async #partOf(
    { reached, judgedAnew, checkpoints, facts, frameCount }: Derived,
    reader: Reader,
    tracked: TrackedContext,
    until: number,
    openNow: readonly DatedFact[] | null,
  ): Promise<UpgradePart> {
    const isLast = openNow !== null;
    const period = { from: finalUntil(this.#reached.state), until: isLast ? null : finalUntil(reached.state) };
    const stored = await factsCompleted(reader, tracked, period);
    const now = isLast ? [...facts, ...openNow] : facts;
    return {
      reached,
      judgedAnew: isLast ? [...judgedAnew, ...openJudgedAnew(reached)] : judgedAnew,
      checkpoints,
      replaced: { from: this.#checkpointsFrom, until },
      facts: diffFacts(stored, factRows(tracked, now)),
      frameCount,
    };
  }

  /** Goes on after a part that was written. */
  accept(part: UpgradePart): void {
    this.#reached = part.reached;
    this.#checkpointsFrom = Math.max(this.#checkpointsFrom, part.replaced.until);
    this.frameCount += part.frameCount;
    this.verdictsChanged += part.judgedAnew.length;
    for (const change of factChanges) this.#facts[change].push(...part.facts[change]);
  }

  get facts(): FactChanges {
    return this.#facts;
  }

  /** Goes back to a checkpoint before a moment: frames since then have changed. All up to where it is are its own. */
  async goBack(reader: Reader, tracked: TrackedContext, moment: number): Promise<void> {
    const before = Math.max(Math.min(moment, this.#checkpointsFrom), (this.#droppedUntil ?? -1) + 1);
    const state = await stateBefore(reader, tracked, before);
    const until = finalUntil(state);
    for (const change of factChanges) {
      this.#facts[change] = this.#facts[change].filter(({ row }) => Number(row.final_at) < until);
    }
    this.#checkpointsFrom = checkpointsAfter(state);
    this.#reached = await reachedAt(reader, tracked, state);
  }
}

const factChanges = ["toSave", "toContinue", "toRemove"] as const;

function checkpointsAfter({ place }: DerivedState): number {
  return place === null ? 0 : place.recordedAt + 1;
}
