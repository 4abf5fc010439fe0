import { isSameVerdict } from "../domain/verdict.ts";
import type { Transaction } from "../store/database.ts";
import { holdFolds, notBegun } from "../store/folds.ts";
import type { DeviceKey } from "../store/frames.ts";
import type { AccountContext, TrackedContext } from "./account-context.ts";
import type { Arrival } from "./arrival.ts";
import { Changes } from "./changes.ts";
import type { DeviceFolds, FoldAt } from "./device-folds.ts";
import { factChanges } from "./fact-changes.ts";
import { type DeviceFold, foldFrames } from "./fold-frames.ts";
import { latestOf } from "./latest.ts";
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
    const found = sortOut(tx, tracked, before, arrivals, indexes, receipts);
    const plan = found instanceof Promise ? await found : found;
    const kept = folds.kept(tracked, before.revision);
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
function storeOnly(plan: DevicePlan, kept: DeviceFold | null, changes: Changes): FoldAt | null {
  const { tracked, storedOnly, after } = plan;
  if (storedOnly.length === 0) return null;
  addStoredOnly(plan, changes);
  changes.addDevice(tracked, after, lastReceipt(plan), null);
  return kept && { key: tracked, revision: after.revision, fold: kept };
}

function addStoredOnly({ tracked, storedOnly, receiptWithdrawn }: DevicePlan, changes: Changes): void {
  for (const stored of storedOnly) changes.addFrame(tracked, stored);
  if (receiptWithdrawn !== null) changes.addWithdrawnReceipt(tracked, receiptWithdrawn);
}

/** Folds a device's frames, and notes what follows. */
function carryOut(plan: DevicePlan, before: DeviceFold, changes: Changes): FoldAt {
  const { tracked, next, after } = plan;
  const { derivation } = tracked;
  addStoredOnly(plan, changes);
  const run = foldFrames(before, next, derivation);
  for (const [index, { judged }] of run.frames.entries()) {
    const old = before.fold.tail[index]?.judged.verdict;
    const { frame, verdict } = judged;
    if (old === undefined) changes.addFrame(tracked, judged);
    else if (!isSameVerdict(old, verdict)) {
      // One that was dropped while its verdict was open must not come back.
      if (after.droppedUntil === null || frame.recordedAt > after.droppedUntil) changes.addVerdict(tracked, judged);
    }
  }
  const { unsettledFacts } = run.after;
  const facts = run.settledFacts.length === 0 ? unsettledFacts : [...run.settledFacts, ...unsettledFacts];
  changes.addFacts(factChanges(tracked, before.unsettledFacts, facts));
  changes.addCheckpoints(tracked, run);
  changes.addDevice(tracked, after, lastReceipt(plan), latestOf(tracked, derivation, run.after.fold.tip));
  return { key: tracked, revision: after.revision, fold: run.after };
}

function lastReceipt({ next, storedOnly }: DevicePlan): number {
  let last = Number.MIN_SAFE_INTEGER;
  for (const { receivedAt } of next) last = Math.max(last, receivedAt);
  for (const { frame } of storedOnly) last = Math.max(last, frame.receivedAt);
  return last;
}
