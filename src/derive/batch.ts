import { compareFrames, type Frame } from "../domain/frame.ts";
import { isSharedByTwo } from "../domain/quality/rival.ts";
import { rulesVersion } from "../domain/rules.ts";
import type { StoredFrame } from "../store/blocks/stored-frame.ts";
import type { Transaction } from "../store/database.ts";
import type { DeviceKey } from "../store/device-key.ts";
import type { Checkpoint } from "../store/facts/checkpoints.ts";
import { appendStep, withLateChange } from "../store/facts/fold-revision.ts";
import { type FoldProgress, holdFolds, isWaiting, notBegun } from "../store/facts/folds.ts";
import { type Arrival, byTrackerClock } from "./arrival.ts";
import {
  advanceBase,
  type Base,
  type DeviceBases,
  isAfter,
  type MemoryBases,
  noRecents,
  recentsAfter,
  tipBefore,
} from "./base.ts";
import type { AccountContext, TrackedContext } from "./context.ts";
import { currentBases } from "./current-bases.ts";
import { type DeviceChanges, noChanges } from "./device-changes.ts";
import { diffFacts, diffFrames } from "./diff.ts";
import { readInterim, withoutEarlier } from "./interim.ts";
import { latestOf } from "./latest.ts";
import { type FrameOutcome, type Plan, planFrames, union, verdictAlone, widened } from "./plan.ts";
import { withoutRepeatedAlarms } from "./repeated-alarms.ts";
import { writeChanges } from "./write.ts";

export interface StoredBatch {
  /** One for each arrival. */
  readonly outcomes: readonly FrameOutcome[];
  /** Devices with late frames, whose facts must still be derived, and their arrivals. */
  readonly late: readonly { readonly key: DeviceKey; readonly indexes: readonly number[] }[];
  /** To be cached when the transaction is committed. */
  readonly bases: readonly DeviceBases[];
  /** Empty unless the trackers are watched: not where a file is loaded. */
  readonly received: readonly ReceivedFrames[];
}

/** The new frames of a device in the order in which they came, whether or not their times are believed. */
export interface ReceivedFrames {
  readonly tracked: TrackedContext;
  readonly frames: readonly Frame[];
  /** Whether two trackers send with its IMEI; null: that is not known before they are derived. */
  readonly isShared: boolean | null;
}

/**
 * The path of a frame: recognise its device, plan, find a state to derive from, derive, write. All frames are of one
 * account. If no cached state is early enough, frames are stored now and their facts are derived later.
 */
export async function storeBatch(
  tx: Transaction,
  context: AccountContext,
  memory: MemoryBases,
  sent: readonly Arrival[],
  isWatched = false,
): Promise<StoredBatch> {
  const outcomes: FrameOutcome[] = new Array(sent.length);
  const byDevice = await recognise(tx, context, sent, outcomes);
  const arrivals = byTrackerClocks(sent, byDevice);
  const devices = Array.from(byDevice.keys(), ({ device }) => device);
  const progress = await holdFolds(tx, context.accountId, devices);
  const devicesSent = Array.from(byDevice, ([tracked, indexes]) => {
    return { tracked, indexes, before: progress.get(tracked.device) ?? notBegun };
  });
  const sentOnce = await withoutRepeatedAlarms(tx, context.accountId, devicesSent, arrivals, outcomes);
  const planned = await planFrames(tx, context.accountId, sentOnce, arrivals, outcomes);
  const plans = planned.filter(({ fresh, rewritten }) => fresh.length > 0 || rewritten.length > 0);
  const cached = await currentBases(tx, context.accountId, memory, plans);
  const changes: DeviceChanges[] = [];
  const late: { key: DeviceKey; indexes: readonly number[] }[] = [];
  const bases: DeviceBases[] = [];
  const received: ReceivedFrames[] = [];
  for (const plan of plans) {
    const { tracked, indexes } = plan;
    const known = cached.get(tracked.device) ?? null;
    const split = splitPlan(plan, known);
    const base = split.now.length === 0 ? null : (split.base ?? (await readBase(tx, plan)));
    const done = base === null ? storeOnly(plan, split, known) : await deriveNow(tx, plan, split, base, known);
    changes.push(done.change);
    if (isWatched) {
      const frames: Frame[] = [];
      for (const index of indexes) if (outcomes[index] === "accepted") frames.push((arrivals[index] as Arrival).frame);
      const isShared = done.bases === null ? null : isSharedByTwo(done.bases.tip.state.fold.judge);
      received.push({ tracked, frames, isShared });
    }
    if (done.bases !== null) bases.push(done.bases);
    if (isWaitedFor(plan, split)) late.push({ key: tracked, indexes });
  }
  await writeChanges(tx, context.accountId, changes);
  return { outcomes, late, bases, received };
}

/** The one place where a tracker's clock counts: before frames are sorted out, and so before their times are judged. */
function byTrackerClocks(
  sent: readonly Arrival[],
  byDevice: ReadonlyMap<TrackedContext, readonly number[]>,
): readonly Arrival[] {
  let arrivals: Arrival[] | null = null;
  for (const [{ clock }, indexes] of byDevice) {
    if (clock === null) continue;
    arrivals ??= [...sent];
    for (const index of indexes) arrivals[index] = byTrackerClock(sent[index] as Arrival, clock);
  }
  return arrivals ?? sent;
}

/** The arrivals of each device, by their indexes. */
async function recognise(
  tx: Transaction,
  context: AccountContext,
  arrivals: readonly Arrival[],
  outcomes: FrameOutcome[],
): Promise<Map<TrackedContext, number[]>> {
  const known = await context.byImei(tx, arrivals);
  const byDevice = new Map<TrackedContext, number[]>();
  let lastImei: string | null = null;
  let lastIndexes: number[] = [];
  for (let index = 0; index < arrivals.length; index++) {
    const { imei } = arrivals[index] as Arrival;
    // Most bodies have all frames of a device in a row.
    if (imei !== lastImei) {
      const tracked = known.get(imei);
      if (tracked === undefined) {
        outcomes[index] = { refused: "unknown_device" };
        continue;
      }
      lastImei = imei;
      lastIndexes = byDevice.get(tracked) ?? [];
      if (lastIndexes.length === 0) byDevice.set(tracked, lastIndexes);
    }
    lastIndexes.push(index);
  }
  return byDevice;
}

function isInOrder(frame: Frame, { head }: FoldProgress): boolean {
  return head === null || compareFrames(frame, head) > 0;
}

interface Split {
  /** A cached state before all frames that are derived now; null if there is none. */
  readonly base: Base | null;
  readonly now: readonly Frame[];
  /** Frames that are only stored, in order: their facts are derived later. */
  readonly late: readonly Frame[];
}

/**
 * Splits a plan's new frames into those that can be derived now and those that are too late for that. Cached states do not
 * include late frames that are still to be derived, so others can be derived from them meanwhile. A state that is read
 * would include some of them.
 */
function splitPlan({ before, touched, fresh }: Plan, known: DeviceBases | null): Split {
  const isMeanwhile = isInterim(before);
  if (!isMeanwhile && (touched !== null || (before.dirty !== null && known === null)))
    return { base: null, now: [], late: fresh };
  const inOrder = from(fresh, (frame) => isInOrder(frame, before));
  let base = known?.tip ?? null;
  let now = inOrder;
  for (const recent of isMeanwhile ? noRecents : (known?.recents ?? noRecents)) {
    if (recent === null || now.length === fresh.length) continue;
    const since = from(fresh, (frame) => isAfter(frame, recent.state));
    if (since.length > now.length) [base, now] = [recent, since];
  }
  return { base, now, late: fresh.slice(0, fresh.length - now.length) };
}

/** Of frames in order, the first of which it is true and all that follow. */
function from(frames: readonly Frame[], isTrue: (frame: Frame) => boolean): readonly Frame[] {
  const first = frames.findIndex(isTrue);
  return first === 0 ? frames : first < 0 ? [] : frames.slice(first);
}

/** Whether it goes on from its last checkpoint until it is derived by newer rules. */
function isInterim(progress: FoldProgress): boolean {
  return isWaiting(progress) && progress.head !== null;
}

/** The state after all stored frames. */
function readBase(tx: Transaction, { tracked, before }: Plan): Promise<Base> {
  return isInterim(before) ? readInterim(tx, tracked) : tipBefore(tx, tracked, before);
}

/** Whether the sender waits for something derived later. Nobody waits for newer rules: that may take hours. */
function isWaitedFor({ touched, before }: Plan, { late }: Split): boolean {
  if (isWaiting(before)) return false;
  return touched !== null || (late[0] !== undefined && !isInOrder(late[0], before));
}

/** The frames that are stored and not derived now. */
function notDerived({ rewritten }: Plan, { late }: Split): readonly StoredFrame[] {
  if (late.length === 0) return rewritten;
  const stored = late.map((frame): StoredFrame => ({ frame, verdict: verdictAlone({ frame, timeProblem: null }) }));
  return [...rewritten, ...stored];
}

/** How far the device is then, with what must still be derived. */
function progressAfter(plan: Plan, { late }: Split, revision: number): FoldProgress {
  const { before, head, untimelyUntil, touched } = plan;
  let dirty = union(before.dirty, touched);
  for (const { recordedAt } of late) dirty = widened(dirty, recordedAt);
  return { ...before, revision, head, untimelyUntil, dirty, rules: rulesAfter(before) };
}

/** With its first frame a device follows the present rules. */
function rulesAfter({ head, droppedUntil, rules }: FoldProgress): number {
  return head === null && droppedUntil === null ? rulesVersion : rules;
}

interface Done {
  readonly change: DeviceChanges;
  readonly bases: DeviceBases | null;
}

/** Storing alone leaves the cached states current. */
function storeOnly(plan: Plan, split: Split, known: DeviceBases | null): Done {
  const { tracked, before, removed, notReceivedAt } = plan;
  const added = notDerived(plan, split);
  const revision = before.revision + 1;
  const after = progressAfter(plan, split, revision);
  const change = { ...noChanges, tracked, before, after, removed, added, notReceivedAt, seenAt: seenAt(added) };
  return { change, bases: known && { ...known, revision } };
}

/** Derives from a base that comes before all frames that are derived now, and stores the others. */
async function deriveNow(
  tx: Transaction,
  plan: Plan,
  split: Split,
  base: Base,
  known: DeviceBases | null,
): Promise<Done> {
  const { tracked, before, removed, notReceivedAt } = plan;
  const { now } = split;
  const { silentAt, droppedUntil } = before;
  const waits = rulesAfter(before) < rulesVersion;
  const since = base.frames.slice(base.state.fold.tail.length);
  const all = since.length === 0 ? now : [...since.map(({ frame }) => frame), ...now].sort(compareFrames);
  const advanced = advanceBase(base, all, tracked, silentAt);
  const { ran, frames } = advanced;
  const facts = waits ? await withoutEarlier(tx, base, advanced.facts) : advanced.facts;
  const tip = waits
    ? { ...advanced.tip, facts: advanced.tip.facts.filter((fact) => facts.includes(fact)) }
    : advanced.tip;
  const diff = diffFrames(base.frames, frames);
  const others = notDerived(plan, split);
  const added = others.length === 0 ? diff.added : [...others, ...diff.added];
  const isAllDerived = others.length === 0 && removed.length === 0 && !waits;
  const isAppended = isAllDerived && since.length === 0;
  const revision = before.revision + (isAppended ? appendStep : 1);
  const after = progressAfter(plan, split, revision);
  const firstAt = (now[0] as Frame).recordedAt;
  const change: DeviceChanges = {
    tracked,
    before,
    after:
      isAllDerived && !isAppended
        ? { ...after, lateChanges: withLateChange(after.lateChanges, { revision, from: firstAt }) }
        : after,
    removed,
    added,
    // A frame that was dropped while its verdict was open must not come back.
    judgedAnew: diff.judgedAnew.filter(({ frame }) => frame.recordedAt > (droppedUntil ?? 0)),
    facts: diffFacts(base.facts, facts),
    dropped: since.length === 0 ? [] : [{ from: firstAt, until: Number.MAX_SAFE_INTEGER }],
    checkpoints: waits ? sinceHead(ran.checkpoints, before) : ran.checkpoints,
    totals: [],
    seenAt: seenAt(added),
    notReceivedAt,
    latest: latestOf(tracked, tracked.derivation, ran.after.fold.tip, silentAt),
  };
  const recents = waits ? noRecents : recentsAfter(known?.recents ?? noRecents, base, advanced);
  return { change, bases: { tracked, revision, tip, recents } };
}

/** Earlier checkpoints of a waiting device are left to its turn (`upgrade-device.ts`), which may have come that far. */
function sinceHead(checkpoints: readonly Checkpoint[], { head }: FoldProgress): readonly Checkpoint[] {
  return checkpoints.filter(({ recordedAt }) => recordedAt >= (head?.recordedAt ?? 0));
}

function seenAt(frames: readonly StoredFrame[]): number {
  let last = Number.MIN_SAFE_INTEGER;
  for (const { frame } of frames) last = Math.max(last, frame.receivedAt);
  return last;
}
