import { compareFrames, type Frame, type FramePlace } from "../domain/frame.ts";
import { ownProblem } from "../domain/quality/own-verdict.ts";
import { accepted, type Verdict } from "../domain/verdict.ts";
import type { Reader } from "../store/database.ts";
import type { DirtyRange, FoldProgress } from "../store/folds.ts";
import type { StoredFrame } from "../store/frames.ts";
import type { TrackedContext } from "./account-context.ts";
import type { Arrival } from "./arrival.ts";
import { isRecent, type RecentFrames } from "./recent-frames.ts";
import {
  areCloseTogether,
  frameKey,
  joined,
  joinedToStored,
  mayStandEarlier,
  saysNothingNew,
  storedAlready,
} from "./same-frames.ts";

/** What became of a frame. */
export type Receipt = "accepted" | "duplicate" | { readonly refused: string };

/** A device's frames of one batch: what is to be done with each. */
export interface DevicePlan {
  readonly tracked: TrackedContext;
  readonly before: FoldProgress;
  /** With these frames. */
  readonly after: FoldProgress;
  /** To be folded now, in order. */
  readonly next: readonly Frame[];
  /** Whether some of them come before others that are folded already, all of which are recent. Else they are later than all. */
  readonly goesBack: boolean;
  /** Whether some frames come before others that are folded already, and cannot be folded now. */
  readonly isLate: boolean;
  /** To be stored with the verdict that can be told without the others. */
  readonly storedOnly: readonly StoredFrame[];
  /** Where some of those were stored before, and are not any more. */
  readonly moved: readonly FramePlace[];
  /** The last receipt that was stored of them and is not the first any more. */
  readonly receiptWithdrawn: number | null;
}

/** An arrival and where it stands in its batch; several of the same frame are one, with the receipts of all. */
interface Distinct {
  readonly arrival: Arrival;
  readonly index: number;
}

/**
 * Notes in `receipts` what became of each of the device's arrivals, which are those at `indexes`. A promise only if the
 * store has to be asked.
 */
export function sortOut(
  reader: Reader,
  tracked: TrackedContext,
  progress: FoldProgress,
  recent: RecentFrames | null,
  arrivals: readonly Arrival[],
  indexes: readonly number[],
  receipts: Receipt[],
): Promise<DevicePlan> | DevicePlan {
  const next: Frame[] = [];
  const inDoubt: Distinct[] = [];
  for (const distinct of distinctOf(progress, arrivals, indexes, receipts)) {
    const { arrival, index } = distinct;
    if (!isSurelyNew(arrival, progress)) {
      inDoubt.push(distinct);
      continue;
    }
    receipts[index] = "accepted";
    next.push(arrival.frame);
  }
  if (inDoubt.length > 0 || progress.dirty !== null) {
    return withDoubtful(reader, tracked, progress, recent, next, inDoubt, receipts);
  }
  if (next.length > 1) next.sort(compareFrames);
  const after = { ...progress, revision: progress.revision + 1, head: next.at(-1) ?? progress.head };
  return {
    tracked,
    before: progress,
    after,
    next,
    goesBack: false,
    isLate: false,
    storedOnly: [],
    moved: [],
    receiptWithdrawn: null,
  };
}

/** Nothing that is stored of the device is as late as this. */
function isSurelyNew(arrival: Arrival, progress: FoldProgress): boolean {
  const { frame, timelyAt, timeProblem } = arrival;
  const { head, untimelyUntil } = progress;
  if (timeProblem !== null || timelyAt !== null) return false;
  if (untimelyUntil !== null && frame.recordedAt <= untimelyUntil) return false;
  return (head === null || compareFrames(frame, head) > 0) && !mayStandEarlier(arrival, progress);
}

/** The rare case: frames that are late, that came before, whose time is bad, or whose device has others to be folded first. */
async function withDoubtful(
  reader: Reader,
  tracked: TrackedContext,
  before: FoldProgress,
  recent: RecentFrames | null,
  surelyNew: readonly Frame[],
  inDoubt: readonly Distinct[],
  receipts: Receipt[],
): Promise<DevicePlan> {
  const arrivals = inDoubt.map(({ arrival }) => arrival);
  const storedOf = await storedAlready(reader, tracked, before, arrivals);
  const next = [...surelyNew];
  const storedOnly: StoredFrame[] = [];
  const moved: FramePlace[] = [];
  let { dirty, head, untimelyUntil } = before;
  let isLate = false;
  let goesBack = false;
  let receiptWithdrawn: number | null = null;
  for (const { arrival: arrived, index } of inDoubt) {
    const stored = storedOf(arrived);
    const isNew = stored.length === 0;
    const arrival = joinedToStored(arrived, stored);
    const { frame, timelyAt, timeProblem } = arrival;
    if (isDropped(arrival, before)) {
      receipts[index] = tooOldToStore;
      continue;
    }
    receipts[index] = isNew ? "accepted" : "duplicate";
    if (saysNothingNew(arrival, stored)) continue;
    const isInOrder = timeProblem === null && (before.head === null || compareFrames(frame, before.head) > 0);
    const isJustLate = timeProblem === null && !isInOrder && recent !== null && isRecent(recent, frame);
    if (isNew && timelyAt === null && (isInOrder || isJustLate)) {
      next.push(frame);
      goesBack ||= isJustLate;
      continue;
    }
    // Rules may see the first receipt, also if it is told of later: so what follows is derived again.
    storedOnly.push({ frame, verdict: verdictAlone(arrival), timelyAt });
    if (timeProblem !== null) untimelyUntil = Math.max(untimelyUntil ?? frame.recordedAt, frame.recordedAt);
    for (const { recordedAt, digest, firstAt, isTimely } of stored) {
      if (recordedAt !== frame.recordedAt) moved.push({ recordedAt, digest });
      if (firstAt > frame.receivedAt) receiptWithdrawn = Math.max(receiptWithdrawn ?? firstAt, firstAt);
      if (isTimely) dirty = widened(dirty, recordedAt);
    }
    const wasTimely = stored.some(({ isTimely }) => isTimely);
    if (timeProblem !== null && !wasTimely) continue;
    isLate = true;
    if (timeProblem !== null) continue;
    if (isInOrder) head = laterOf(head, frame);
    dirty = widened(dirty, frame.recordedAt);
  }
  next.sort(compareFrames);
  for (const frame of next) head = laterOf(head, frame);
  const revision = before.revision + 1;
  if (dirty === null) {
    const after = { ...before, revision, head, untimelyUntil };
    return { tracked, before, after, next, goesBack, isLate, storedOnly, moved, receiptWithdrawn };
  }
  for (const frame of next) {
    storedOnly.push({ frame, verdict: verdictAlone({ frame, timeProblem: null }) });
    dirty = widened(dirty, frame.recordedAt);
  }
  const after = { ...before, revision, head, untimelyUntil, dirty };
  return { tracked, before, after, next: [], goesBack: false, isLate, storedOnly, moved, receiptWithdrawn };
}

function laterOf(head: FramePlace | null, frame: Frame): FramePlace {
  return head === null || compareFrames(frame, head) > 0 ? frame : head;
}

/** Of arrivals of the same frame, only one is left, with the receipts of all. */
function distinctOf(
  progress: FoldProgress,
  arrivals: readonly Arrival[],
  indexes: readonly number[],
  receipts: Receipt[],
): readonly Distinct[] {
  const kept: Distinct[] = [];
  for (const index of indexes) {
    const arrival = arrivals[index] as Arrival;
    if (isDropped(arrival, progress)) receipts[index] = tooOldToStore;
    else kept.push({ arrival, index });
  }
  return isAscending(kept) ? kept : withoutRepetitions(kept, receipts);
}

const tooOldToStore: Receipt = { refused: "recorded_at: older than the frames that are kept" };

/** Its place in the order is among frames that were dropped. */
function isDropped({ frame, timeProblem }: Arrival, { droppedUntil }: FoldProgress): boolean {
  return droppedUntil !== null && timeProblem === null && frame.recordedAt <= droppedUntil;
}

/** As almost always: then no two are the same. */
function isAscending(list: readonly Distinct[]): boolean {
  for (let index = 1; index < list.length; index++) {
    const before = (list[index - 1] as Distinct).arrival.frame;
    if (compareFrames(before, (list[index] as Distinct).arrival.frame) >= 0) return false;
  }
  const [first] = list;
  const last = list.at(-1);
  return first === undefined || last === undefined || areCloseTogether(first.arrival.frame, last.arrival.frame);
}

function withoutRepetitions(list: readonly Distinct[], receipts: Receipt[]): readonly Distinct[] {
  const distinct = new Map<string, Distinct>();
  for (const { arrival, index } of list) {
    const key = frameKey(arrival);
    const other = distinct.get(key);
    if (other === undefined) {
      distinct.set(key, { arrival, index });
      continue;
    }
    receipts[index] = "duplicate";
    distinct.set(key, { arrival: joined(other.arrival, arrival), index: other.index });
  }
  return [...distinct.values()];
}

/** Until the frame is folded, or for ever if its time is bad. */
export function verdictAlone({ frame, timeProblem }: Pick<Arrival, "frame" | "timeProblem">): Verdict {
  const rejectReason = timeProblem ?? ownProblem(frame);
  return rejectReason === null ? accepted : { valid: false, rejectReason, discontinuity: false };
}

export function widened(range: DirtyRange | null, at: number): DirtyRange {
  if (range === null) return { from: at, until: at };
  return { from: Math.min(range.from, at), until: Math.max(range.until, at) };
}
