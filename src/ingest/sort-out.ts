import { compareFrames, type Frame, type FramePlace, placeKey } from "../domain/frame.ts";
import { ownProblem } from "../domain/quality/own-verdict.ts";
import { accepted, type Verdict } from "../domain/verdict.ts";
import type { Reader } from "../store/database.ts";
import type { DirtyRange, FoldProgress } from "../store/folds.ts";
import { receiptsAt, type StoredFrame } from "../store/frames.ts";
import type { TrackedContext } from "./account-context.ts";
import type { Arrival } from "./arrival.ts";

/** What became of a frame. */
export type Receipt = "accepted" | "duplicate" | { readonly refused: string };

/** A device's frames of one batch: what is to be done with each. */
export interface DevicePlan {
  readonly tracked: TrackedContext;
  readonly before: FoldProgress;
  /** With these frames. */
  readonly after: FoldProgress;
  /** To be folded now, in order: each is later than all that is stored of the device. */
  readonly next: readonly Frame[];
  /** Whether some of them sort before frames that were folded already. */
  readonly isLate: boolean;
  /** To be stored with the verdict that can be told without the others. */
  readonly storedOnly: readonly StoredFrame[];
  /** The last receipt that was stored of them and is not the first any more. */
  readonly receiptWithdrawn: number | null;
}

/** An arrival and where it stands in its batch; of several of the same content, the one that was received first. */
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
    return withDoubtful(reader, tracked, progress, next, inDoubt, receipts);
  }
  if (next.length > 1) next.sort(compareFrames);
  const after = { ...progress, revision: progress.revision + 1, head: next.at(-1) ?? progress.head };
  return { tracked, before: progress, after, next, isLate: false, storedOnly: [], receiptWithdrawn: null };
}

/** Nothing that is stored of the device is as late as this. */
function isSurelyNew({ frame, timeProblem }: Arrival, { head, untimelyUntil }: FoldProgress): boolean {
  if (timeProblem !== null || (untimelyUntil !== null && frame.recordedAt <= untimelyUntil)) return false;
  return head === null || compareFrames(frame, head) > 0;
}

/** The rare case: frames that are late, that came before, whose time is bad, or whose device has others to be folded first. */
async function withDoubtful(
  reader: Reader,
  tracked: TrackedContext,
  before: FoldProgress,
  surelyNew: readonly Frame[],
  inDoubt: readonly Distinct[],
  receipts: Receipt[],
): Promise<DevicePlan> {
  const times = inDoubt.map(({ arrival }) => arrival.frame.recordedAt);
  const receiptsBefore = await receiptsAt(reader, tracked, times);
  const stored = new Map(receiptsBefore.map((receipt) => [placeKey(receipt), receipt.receivedAt]));
  const next = [...surelyNew];
  const storedOnly: StoredFrame[] = [];
  let { dirty, head, untimelyUntil } = before;
  let isLate = false;
  let receiptWithdrawn: number | null = null;
  for (const { arrival, index } of inDoubt) {
    const { frame, timeProblem } = arrival;
    const receivedAt = stored.get(placeKey(frame));
    const isNew = receivedAt === undefined;
    receipts[index] = isNew ? "accepted" : "duplicate";
    // The first receipt counts, also if it is told of later: rules may see it, so what follows is derived again.
    if (!isNew && frame.receivedAt >= receivedAt) continue;
    const isInOrder = timeProblem === null && (before.head === null || compareFrames(frame, before.head) > 0);
    if (isNew && isInOrder) {
      next.push(frame);
      continue;
    }
    storedOnly.push({ frame, verdict: verdictAlone(arrival) });
    if (timeProblem !== null) untimelyUntil = Math.max(untimelyUntil ?? frame.recordedAt, frame.recordedAt);
    if (!isNew) receiptWithdrawn = Math.max(receiptWithdrawn ?? receivedAt, receivedAt);
    if (isNew && timeProblem !== null) continue;
    if (isInOrder) head = laterOf(head, frame);
    isLate = true;
    dirty = widened(dirty, frame.recordedAt);
  }
  next.sort(compareFrames);
  for (const frame of next) head = laterOf(head, frame);
  const revision = before.revision + 1;
  if (dirty === null) {
    const after = { ...before, revision, head, untimelyUntil };
    return { tracked, before, after, next, isLate, storedOnly, receiptWithdrawn };
  }
  for (const frame of next) {
    storedOnly.push({ frame, verdict: verdictAlone({ frame, timeProblem: null }) });
    dirty = widened(dirty, frame.recordedAt);
  }
  const after = { ...before, revision, head, untimelyUntil, dirty };
  return { tracked, before, after, next: [], isLate, storedOnly, receiptWithdrawn };
}

function laterOf(head: FramePlace | null, frame: Frame): FramePlace {
  return head === null || compareFrames(frame, head) > 0 ? frame : head;
}

/** Of arrivals of the same content, only one is left; of which of them, the first receipt counts. */
function distinctOf(
  { droppedUntil }: FoldProgress,
  arrivals: readonly Arrival[],
  indexes: readonly number[],
  receipts: Receipt[],
): readonly Distinct[] {
  const kept: Distinct[] = [];
  for (const index of indexes) {
    const arrival = arrivals[index] as Arrival;
    if (droppedUntil !== null && arrival.timeProblem === null && arrival.frame.recordedAt <= droppedUntil) {
      receipts[index] = { refused: "recorded_at: older than the frames that are kept" };
      continue;
    }
    kept.push({ arrival, index });
  }
  return isAscending(kept) ? kept : withoutRepetitions(kept, receipts);
}

/** As almost always: then no two are the same. */
function isAscending(list: readonly Distinct[]): boolean {
  for (let index = 1; index < list.length; index++) {
    const before = (list[index - 1] as Distinct).arrival.frame;
    if (compareFrames(before, (list[index] as Distinct).arrival.frame) >= 0) return false;
  }
  return true;
}

function withoutRepetitions(list: readonly Distinct[], receipts: Receipt[]): readonly Distinct[] {
  const distinct = new Map<string, Distinct>();
  for (const { arrival, index } of list) {
    const key = placeKey(arrival.frame);
    const other = distinct.get(key);
    if (other === undefined) {
      distinct.set(key, { arrival, index });
      continue;
    }
    receipts[index] = "duplicate";
    if (arrival.frame.receivedAt < other.arrival.frame.receivedAt) distinct.set(key, { arrival, index: other.index });
  }
  return [...distinct.values()];
}

/** Until the frame is folded, or for ever if its time is bad. */
function verdictAlone({ frame, timeProblem }: Pick<Arrival, "frame" | "timeProblem">): Verdict {
  const rejectReason = timeProblem ?? ownProblem(frame);
  return rejectReason === null ? accepted : { valid: false, rejectReason, discontinuity: false };
}

function widened(range: DirtyRange | null, at: number): DirtyRange {
  if (range === null) return { from: at, until: at };
  return { from: Math.min(range.from, at), until: Math.max(range.until, at) };
}
