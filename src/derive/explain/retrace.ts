import type { Fact } from "../../domain/facts.ts";
import { foldFrame, snapshotOf, type TailFrame } from "../../domain/fold.ts";
import { type Sighting, sight } from "../../domain/sighting.ts";
import { openFacts, type StagesState, seenByRules } from "../../domain/stages.ts";
import { type MileageDelta, noDeltas } from "../../domain/trips/mileage-delta.ts";
import { stepTrips } from "../../domain/trips/trips.ts";
import type { Reader } from "../../store/database.ts";
import type { DatedFact } from "../../store/facts/facts.ts";
import type { FoldProgress } from "../../store/facts/folds.ts";
import { framesAfter } from "../../store/frames/frames.ts";
import { stateBefore } from "../base.ts";
import type { TrackedContext } from "../context.ts";
import { completedFacts } from "../state.ts";

/** One stored frame with what the rules made of it. */
export interface TracedFrame {
  readonly sighting: Sighting;
  /** As reported, but null if it was not believed. */
  readonly speedKmh: number | null;
  readonly before: StagesState;
  readonly after: StagesState;
  /** What it added to the mileage. */
  readonly deltas: readonly MileageDelta[];
  readonly facts: readonly Fact[];
}

/** The rules, run once more over stored frames. */
export interface Retrace {
  /** The state before the first of the frames. */
  readonly base: StagesState;
  readonly frames: readonly TracedFrame[];
  /** The state after the last of them. */
  readonly tip: StagesState;
  /** Whether that is the last frame of the device. */
  readonly isAtEnd: boolean;
  /** See `FoldProgress`. */
  readonly silentAt: number | null;
  readonly facts: readonly DatedFact[];
}

const framesPerRead = 512;

/** From the last checkpoint before one moment, or since dropped frames, until all verdicts up to another are final. */
export async function retrace(
  reader: Reader,
  tracked: TrackedContext,
  { droppedUntil, silentAt }: FoldProgress,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<Retrace> {
  const start = await stateBefore(reader, tracked, Math.max(from, (droppedUntil ?? 0) + 1));
  const entries: TailFrame[] = [];
  let { fold, place } = start;
  let isAtEnd = false;
  while (!isAtEnd && (entries.at(-1)?.judged.frame.recordedAt ?? 0) <= until) {
    const stored = await framesAfter(reader, tracked, place, framesPerRead);
    for (const { frame } of stored) {
      const next = foldFrame(fold, frame, tracked.derivation);
      for (const entry of next.final) entries.push(entry);
      fold = next.fold;
      place = { recordedAt: frame.recordedAt, digest: frame.digest };
    }
    isAtEnd = stored.length < framesPerRead;
  }
  if (isAtEnd) entries.push(...fold.tail);
  const last = isAtEnd ? fold.tip : snapshotOf(fold).stages;
  const wanted = isAtEnd ? entries : entries.filter(({ judged }) => judged.frame.recordedAt <= until);
  const after = (index: number) => entries[index + 1]?.before ?? last;
  const tip = wanted.length === 0 ? last : after(wanted.length - 1);
  const open = isAtEnd ? openFacts(tip, tracked.derivation, silentAt) : [];
  return {
    base: snapshotOf(start.fold).stages,
    frames: wanted.map((entry, index) => traced(entry, after(index))),
    tip,
    isAtEnd,
    silentAt,
    facts: [...completedFacts(wanted), ...open.map((fact) => ({ fact, finalAt: null }))],
  };
}

function traced({ judged, before, facts }: TailFrame, after: StagesState): TracedFrame {
  const { previous, trail, speedCheck, frozen, trips } = before;
  const sighting = sight(judged, previous, trail, speedCheck, frozen);
  const seen = seenByRules(judged);
  const deltas = seen === null ? noDeltas : stepTrips(trips, sight(seen, previous, trail, speedCheck, frozen)).deltas;
  return { sighting, speedKmh: judged.speedKmh, before, after, deltas, facts };
}
