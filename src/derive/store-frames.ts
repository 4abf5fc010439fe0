import { type Frame, placeKey } from "../domain/frame.ts";
import { isSameVerdict, type Verdict } from "../domain/verdict.ts";
import type { Transaction } from "../store/database.ts";
import type { DatedFact } from "../store/fact-rows.ts";
import { holdFolds, notBegun } from "../store/folds.ts";
import type { DeviceKey } from "../store/frames.ts";
import type { AccountContext, TrackedContext } from "./account-context.ts";
import type { Arrival } from "./arrival.ts";
import { Changes } from "./changes.ts";
import type { DeviceFolds, FoldAt } from "./device-folds.ts";
import { factChanges } from "./fact-changes.ts";
import { type FoldRun, foldFrames } from "./fold-frames.ts";
import { latestOf } from "./latest.ts";
import { type KeptFold, recentAfter, recentAgain, takeUp } from "./recent-frames.ts";
import { type DevicePlan, type Receipt, sortOut } from "./sort-out.ts";

export interface StoredBatch {
  /** One for each arrival. */
  readonly receipts: readonly Receipt[];
  /** Devices of which frames came late: what they tell is to be derived again. With the arrivals that are theirs. */
  readonly late: readonly { readonly key: DeviceKey; readonly indexes: readonly number[] }[];
  /** The folds as they are now; to be kept when the transaction is committed. */
  readonly folds: readonly FoldAt[];
}

/**
 * The way of a frame: recognise its device, store it, fold it, write what changed. All frames are of one account. Late
 * ones are only stored; whoever calls has them folded afterwards.
 */
export async function storeFrames(
  tx: Transaction,
  context: AccountContext,
  folds: DeviceFolds,
  arrivals: readonly Arrival[],
): Promise<StoredBatch> {
  const receipts: Receipt[] = new Array(arrivals.length);
  const byDevice = await recognise(tx, context, arrivals, receipts);
  const devices = Array.from(byDevice.keys(), ({ device }) => device);
  const progress = await holdFolds(tx, context.accountId, devices);
  const changes = new Changes();
  const late: { key: DeviceKey; indexes: readonly number[] }[] = [];
  const foldsNow: FoldAt[] = [];
  for (const [tracked, indexes] of byDevice) {
    const before = progress.get(tracked.device) ?? notBegun;
    const kept = folds.kept(tracked, before.revision);
    const found = sortOut(tx, tracked, before, kept?.recent ?? null, arrivals, indexes, receipts);
    const plan = found instanceof Promise ? await found : found;
    const fold =
      plan.next.length === 0
        ? storeOnly(plan, kept, changes)
        : carryOut(plan, kept ?? (await folds.restored(tx, tracked, tracked.derivation)), changes);
    if (fold !== null) foldsNow.push(fold);
    if (plan.isLate) late.push({ key: tracked, indexes });
  }
  await changes.write(tx, context.accountId);
  return { receipts, late, folds: foldsNow };
}

/** The arrivals of each device, by their indexes. */
async function recognise(
  tx: Transaction,
  context: AccountContext,
  arrivals: readonly Arrival[],
  receipts: Receipt[],
): Promise<Map<TrackedContext, number[]>> {
  const known = await context.byImei(tx, new Set(arrivals.map(({ imei }) => imei)));
  const byDevice = new Map<TrackedContext, number[]>();
  for (const [index, { imei }] of arrivals.entries()) {
    const tracked = known.get(imei);
    if (tracked === undefined) {
      receipts[index] = { refused: "unknown_device" };
      continue;
    }
    const indexes = byDevice.get(tracked);
    if (indexes === undefined) byDevice.set(tracked, [index]);
    else indexes.push(index);
  }
  return byDevice;
}

/** Notes what is to be stored of a device of which nothing is folded now. What is kept of its fold is as new as it was. */
function storeOnly(plan: DevicePlan, kept: KeptFold | null, changes: Changes): FoldAt | null {
  const { tracked, storedOnly, after } = plan;
  if (storedOnly.length === 0) return null;
  addStoredOnly(plan, changes);
  changes.addDevice(tracked, after, lastReceipt(plan), null);
  return kept && { key: tracked, revision: after.revision, fold: kept.fold, recent: kept.recent };
}

function addStoredOnly({ tracked, storedOnly, moved, receiptWithdrawn }: DevicePlan, changes: Changes): void {
  for (const place of moved) changes.addRemoved(tracked, place);
  for (const stored of storedOnly) changes.addFrame(tracked, stored);
  if (receiptWithdrawn !== null) changes.addWithdrawnReceipt(tracked, receiptWithdrawn);
}

/** Folds a device's frames, and notes what follows. */
function carryOut(plan: DevicePlan, kept: KeptFold, changes: Changes): FoldAt {
  const { tracked, next, after } = plan;
  const { fold: before, recent } = kept;
  addStoredOnly(plan, changes);
  if (plan.goesBack && recent !== null) {
    const { frames, told, storedVerdicts } = takeUp(recent, before, next);
    const run = foldFrames(recent.start, frames, tracked.derivation);
    changes.dropCheckpointsFrom(tracked, (next[0] as Frame).recordedAt);
    noteRun(plan, run, told, (frame) => storedVerdicts.get(placeKey(frame)), changes);
    return { key: tracked, revision: after.revision, fold: run.after, recent: recentAgain(recent, run) };
  }
  const run = foldFrames(before, next, tracked.derivation);
  noteRun(plan, run, before.unsettledFacts, (_, index) => before.fold.tail[index]?.judged.verdict, changes);
  return { key: tracked, revision: after.revision, fold: run.after, recent: recentAfter(kept, run) };
}

/** Notes what a run has found, where the store tells other facts and other verdicts; none of a frame that is new to it. */
function noteRun(
  { tracked, after, ...plan }: DevicePlan,
  run: FoldRun,
  told: readonly DatedFact[],
  storedVerdict: (frame: Frame, index: number) => Verdict | undefined,
  changes: Changes,
): void {
  for (const [index, { judged }] of run.frames.entries()) {
    const { frame, verdict } = judged;
    const old = storedVerdict(frame, index);
    if (old === undefined) changes.addFrame(tracked, judged);
    else if (!isSameVerdict(old, verdict)) {
      // One that was dropped while its verdict was open must not come back.
      if (after.droppedUntil === null || frame.recordedAt > after.droppedUntil) changes.addVerdict(tracked, judged);
    }
  }
  const { unsettledFacts } = run.after;
  const facts = run.settledFacts.length === 0 ? unsettledFacts : [...run.settledFacts, ...unsettledFacts];
  changes.addFacts(factChanges(tracked, told, facts));
  changes.addCheckpoints(tracked, run);
  changes.addDevice(tracked, after, lastReceipt(plan), latestOf(tracked, tracked.derivation, run.after.fold.tip));
}

function lastReceipt({ next, storedOnly }: Pick<DevicePlan, "next" | "storedOnly">): number {
  let last = Number.MIN_SAFE_INTEGER;
  for (const { receivedAt } of next) last = Math.max(last, receivedAt);
  for (const { frame } of storedOnly) last = Math.max(last, frame.receivedAt);
  return last;
}
