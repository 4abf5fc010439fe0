import { compareFrames, type Frame, type FramePlace } from "../domain/frame.ts";
import { ownProblem } from "../domain/quality/own-verdict.ts";
import { accepted, isTimeReason, type Verdict } from "../domain/verdict.ts";
import type { StoredFrame } from "../store/blocks/stored-frame.ts";
import type { Reader } from "../store/database.ts";
import type { DirtyRange, FoldProgress } from "../store/facts/folds.ts";
import { type StoredTimes, storedTimesAt } from "../store/frames/frames.ts";
import type { Arrival } from "./arrival.ts";
import type { TrackedContext } from "./context.ts";
import {
  addsNothing,
  areCloseTogether,
  frameKey,
  mayBeStoredEarlier,
  mergedArrivals,
  mergedWithStored,
  storedAs,
  timesWanted,
} from "./same-frames.ts";

export type FrameOutcome = "accepted" | "duplicate" | { readonly refused: string };

/** A device in a batch. */
export interface DeviceArrivals {
  readonly tracked: TrackedContext;
  /** Which of the batch's arrivals are the device's. */
  readonly indexes: readonly number[];
  readonly before: FoldProgress;
}

/** A device's frames of one batch, sorted out before anything is derived from them. */
export interface Plan extends DeviceArrivals {
  /** As in the progress, with these frames. */
  readonly head: FramePlace | null;
  readonly untimelyUntil: number | null;
  /** Frames that are new and whose time is believed, in order. */
  readonly fresh: readonly Frame[];
  /** Frames whose time is not believed, or that are stored already and have new times of receipt. */
  readonly rewritten: readonly StoredFrame[];
  /** Places where rewritten frames were stored before. */
  readonly removed: readonly FramePlace[];
  /** Between these times the rewritten frames may change what was derived. */
  readonly touched: DirtyRange | null;
  /** The last stored time of receipt of a rewritten frame that is no longer its first. */
  readonly notReceivedAt: number | null;
}

/** An arrival and its index in the batch. Arrivals of the same frame are merged, with all times of receipt. */
interface Distinct {
  readonly arrival: Arrival;
  readonly index: number;
}

interface Sorted extends DeviceArrivals {
  /** Certainly new. */
  readonly fresh: Frame[];
  readonly inDoubt: readonly Distinct[];
}

/** Sorts out the arrivals of an account's devices and sets the outcome of each in `outcomes`. */
export async function planFrames(
  reader: Reader,
  accountId: number,
  devices: readonly DeviceArrivals[],
  arrivals: readonly Arrival[],
  outcomes: FrameOutcome[],
): Promise<Plan[]> {
  const sorted = devices.map((device) => sortOut(device, arrivals, outcomes));
  const wanted = sorted.flatMap(({ tracked, before, inDoubt }) =>
    inDoubt.length === 0
      ? []
      : timesWanted(
          tracked.device,
          before,
          inDoubt.map(({ arrival }) => arrival),
        ),
  );
  const stored = wanted.length === 0 ? nothingStored : await storedTimesAt(reader, accountId, wanted);
  return sorted.map((device) => planOf(device, stored.get(device.tracked.device) ?? [], outcomes));
}

const nothingStored: ReadonlyMap<number, readonly StoredTimes[]> = new Map();

function sortOut(device: DeviceArrivals, arrivals: readonly Arrival[], outcomes: FrameOutcome[]): Sorted {
  const { tracked, indexes, before } = device;
  const fresh: Frame[] = [];
  const inDoubt: Distinct[] = [];
  for (const distinct of distinctOf(before, arrivals, indexes, outcomes)) {
    const { arrival, index } = distinct;
    if (!isCertainlyNew(arrival, before)) {
      inDoubt.push(distinct);
      continue;
    }
    outcomes[index] = "accepted";
    fresh.push(arrival.frame);
  }
  return { tracked, indexes, before, fresh, inDoubt };
}

function planOf(sorted: Sorted, stored: readonly StoredTimes[], outcomes: FrameOutcome[]): Plan {
  const { tracked, indexes, before, fresh, inDoubt } = sorted;
  const doubtful = inDoubt.length === 0 ? nothingDoubtful : judgeDoubtful(before, inDoubt, stored, outcomes);
  if (doubtful.fresh.length > 0) fresh.push(...doubtful.fresh);
  if (fresh.length > 1) fresh.sort(compareFrames);
  const { rewritten, removed, touched, notReceivedAt } = doubtful;
  let { head, untimelyUntil } = before;
  const last = fresh.at(-1);
  if (last !== undefined) head = laterOf(head, last);
  for (const { frame, verdict } of rewritten) {
    if (!isTimeReason(verdict.rejectReason)) head = laterOf(head, frame);
    else untimelyUntil = Math.max(untimelyUntil ?? frame.recordedAt, frame.recordedAt);
  }
  return { tracked, indexes, before, head, untimelyUntil, fresh, rewritten, removed, touched, notReceivedAt };
}

function laterOf(head: FramePlace | null, frame: Frame): FramePlace {
  return head === null || compareFrames(frame, head) > 0 ? frame : head;
}

/** Nothing stored of the device is as late as this. */
function isCertainlyNew(arrival: Arrival, progress: FoldProgress): boolean {
  const { frame, timelyAt, timeProblem } = arrival;
  const { head, untimelyUntil } = progress;
  if (timeProblem !== null || timelyAt !== null) return false;
  if (untimelyUntil !== null && frame.recordedAt <= untimelyUntil) return false;
  return (head === null || compareFrames(frame, head) > 0) && !mayBeStoredEarlier(arrival, progress);
}

type Doubtful = Pick<Plan, "fresh" | "rewritten" | "removed" | "touched" | "notReceivedAt">;

const nothingDoubtful: Doubtful = { fresh: [], rewritten: [], removed: [], touched: null, notReceivedAt: null };

/** The rare case: frames that are late, were received before, or have a bad time. */
function judgeDoubtful(
  before: FoldProgress,
  inDoubt: readonly Distinct[],
  ofDevice: readonly StoredTimes[],
  outcomes: FrameOutcome[],
): Doubtful {
  const fresh: Frame[] = [];
  const rewritten: StoredFrame[] = [];
  const removed: FramePlace[] = [];
  let touched: DirtyRange | null = null;
  let notReceivedAt: number | null = null;
  for (const { arrival: arrived, index } of inDoubt) {
    const stored = storedAs(arrived, ofDevice);
    const isNew = stored.length === 0;
    const arrival = mergedWithStored(arrived, stored);
    const { frame, timelyAt, timeProblem } = arrival;
    if (isDropped(arrival, before)) {
      outcomes[index] = olderThanRetained;
      continue;
    }
    outcomes[index] = isNew ? "accepted" : "duplicate";
    if (addsNothing(arrival, stored)) continue;
    if (isNew && timeProblem === null && timelyAt === null) {
      fresh.push(frame);
      continue;
    }
    // Rules may use the first time of receipt, even if it becomes known later.
    rewritten.push({ frame, verdict: verdictAlone(arrival), timelyAt });
    if (timeProblem === null) touched = widened(touched, frame.recordedAt);
    for (const { recordedAt, digest, firstAt, isTimely } of stored) {
      if (recordedAt !== frame.recordedAt) removed.push({ recordedAt, digest });
      if (firstAt > frame.receivedAt) notReceivedAt = Math.max(notReceivedAt ?? firstAt, firstAt);
      if (isTimely) touched = widened(touched, recordedAt);
    }
  }
  return { fresh, rewritten, removed, touched, notReceivedAt };
}

/** Merges arrivals of the same frame into one, with all times of receipt. */
function distinctOf(
  progress: FoldProgress,
  arrivals: readonly Arrival[],
  indexes: readonly number[],
  outcomes: FrameOutcome[],
): readonly Distinct[] {
  const all: Distinct[] = [];
  for (const index of indexes) {
    const arrival = arrivals[index] as Arrival;
    if (isDropped(arrival, progress)) outcomes[index] = olderThanRetained;
    else all.push({ arrival, index });
  }
  return isAscending(all) ? all : withoutRepetitions(all, outcomes);
}

const olderThanRetained: FrameOutcome = { refused: "recorded_at: older than the frames that are kept" };

/** Whether its place in the order is among dropped frames. */
function isDropped({ frame, timeProblem }: Arrival, { droppedUntil }: FoldProgress): boolean {
  return droppedUntil !== null && timeProblem === null && frame.recordedAt <= droppedUntil;
}

/** Almost always true: then no two are the same. */
function isAscending(list: readonly Distinct[]): boolean {
  for (let index = 1; index < list.length; index++) {
    const before = (list[index - 1] as Distinct).arrival.frame;
    if (compareFrames(before, (list[index] as Distinct).arrival.frame) >= 0) return false;
  }
  const [first] = list;
  const last = list.at(-1);
  return first === undefined || last === undefined || areCloseTogether(first.arrival.frame, last.arrival.frame);
}

function withoutRepetitions(list: readonly Distinct[], outcomes: FrameOutcome[]): readonly Distinct[] {
  const distinct = new Map<string, Distinct>();
  for (const { arrival, index } of list) {
    const key = frameKey(arrival);
    const other = distinct.get(key);
    if (other === undefined) {
      distinct.set(key, { arrival, index });
      continue;
    }
    outcomes[index] = "duplicate";
    distinct.set(key, { arrival: mergedArrivals(other.arrival, arrival), index: other.index });
  }
  return [...distinct.values()];
}

/** The verdict until something is derived from the frame, or for good if its time is bad. */
export function verdictAlone({ frame, timeProblem }: Pick<Arrival, "frame" | "timeProblem">): Verdict {
  const rejectReason = timeProblem ?? ownProblem(frame);
  return rejectReason === null ? accepted : { valid: false, rejectReason, discontinuity: false };
}

export function widened(range: DirtyRange | null, at: number): DirtyRange {
  if (range === null) return { from: at, until: at };
  return { from: Math.min(range.from, at), until: Math.max(range.until, at) };
}

export function union(one: DirtyRange | null, other: DirtyRange | null): DirtyRange | null {
  if (one === null || other === null) return one ?? other;
  return { from: Math.min(one.from, other.from), until: Math.max(one.until, other.until) };
}
