import type { Frame, FramePlace } from "../domain/frame.ts";
import { ownProblem } from "../domain/quality/own-verdict.ts";
import type { JudgedFrame } from "../domain/verdict.ts";
import { dropCheckpoints } from "../store/checkpoints.ts";
import type { Transaction } from "../store/database.ts";
import { type FactRow, removeFacts, saveFacts, saveProgress } from "../store/facts.ts";
import { advanceFolds, type FoldProgress, saveFolds } from "../store/folds.ts";
import { type DeviceKey, removeFrames, type StoredFrame, saveFrames } from "../store/frames.ts";
import { type LatestRow, saveLastSeen, saveLatest, withdrawLastSeen } from "../store/latest.ts";
import { endOfflineAlert } from "../store/offline-alerts.ts";
import { saveReadings } from "../store/reading-writes.ts";
import { bumpViewers } from "../store/viewers.ts";
import type { TrackedContext } from "./account-context.ts";
import { addCheckpoints } from "./checkpoints.ts";
import type { FactChanges } from "./fact-changes.ts";
import type { FoldRun } from "./fold-frames.ts";

/** All that a batch of frames changes, gathered over its devices so that each table is written once. */
export class Changes {
  readonly #folds: (FoldProgress & DeviceKey)[] = [];
  readonly #advancedFolds: (FoldProgress & DeviceKey)[] = [];
  readonly #frames: (StoredFrame & DeviceKey)[] = [];
  readonly #removedFrames: (FramePlace & DeviceKey)[] = [];
  readonly #readings: (DeviceKey & { readonly frame: Frame; readonly hasPlace: boolean })[] = [];
  readonly #factsToSave: FactRow[] = [];
  readonly #factsToContinue: FactRow[] = [];
  readonly #factsToRemove: FactRow[] = [];
  readonly #latest: (DeviceKey & { readonly lastSeenAt: number; readonly latest: LatestRow })[] = [];
  readonly #withdrawnReceipts: { readonly key: DeviceKey; readonly receivedAt: number }[] = [];
  readonly #seen: (DeviceKey & { readonly lastSeenAt: number })[] = [];
  readonly #checkpoints: { readonly key: DeviceKey; readonly run: FoldRun }[] = [];
  readonly #outdatedCheckpoints: { readonly key: DeviceKey; readonly at: number }[] = [];
  readonly #backOnline: { readonly key: DeviceKey; readonly since: number; readonly at: number }[] = [];
  readonly #viewers = new Set<string>();

  /** A device got frames, of which the last was received at this moment. */
  addDevice(tracked: TrackedContext, progress: FoldProgress, lastSeenAt: number, latest: LatestRow | null): void {
    const { accountId, device, viewers } = tracked;
    const { offlineSince } = progress;
    if (offlineSince !== null) this.#backOnline.push({ key: tracked, since: offlineSince, at: lastSeenAt });
    const isPlain = progress.dirty === null && progress.untimelyUntil === null && offlineSince === null;
    const isAdvance = isPlain && progress.revision > 1;
    (isAdvance ? this.#advancedFolds : this.#folds).push({ ...progress, accountId, device, offlineSince: null });
    if (latest === null) this.#seen.push({ accountId, device, lastSeenAt });
    else this.#latest.push({ accountId, device, lastSeenAt, latest });
    for (const viewer of viewers) this.#viewers.add(viewer);
  }

  /** A frame was stored as received at this moment, and turns out to have been received before. */
  addWithdrawnReceipt(key: DeviceKey, receivedAt: number): void {
    this.#withdrawnReceipts.push({ key, receivedAt });
  }

  /** A frame that was stored at this place, and is not there any more. */
  addRemoved({ accountId, device }: DeviceKey, { recordedAt, digest }: FramePlace): void {
    this.#removedFrames.push({ accountId, device, recordedAt, digest });
  }

  /** A frame that is new to the store. */
  addFrame({ accountId, device }: DeviceKey, { frame, verdict, timelyAt = null }: StoredFrame): void {
    this.#frames.push({ accountId, device, frame, verdict, timelyAt });
    if (frame.sensors.length > 0) {
      this.#readings.push({ accountId, device, frame, hasPlace: ownProblem(frame) === null });
    }
  }

  /** A frame that is stored already, of which something else is thought now. */
  addVerdict({ accountId, device }: DeviceKey, { frame, verdict }: JudgedFrame): void {
    this.#frames.push({ accountId, device, frame, verdict });
  }

  addFacts({ toSave, toContinue, toRemove }: FactChanges): void {
    for (const fact of toSave) this.#factsToSave.push(fact);
    for (const fact of toContinue) this.#factsToContinue.push(fact);
    for (const fact of toRemove) this.#factsToRemove.push(fact);
  }

  addCheckpoints(key: DeviceKey, run: FoldRun): void {
    if (run.checkpoints.length > 0) this.#checkpoints.push({ key, run });
  }

  /** A frame came in between: states of the fold that were kept from its time on are not what they should be. */
  dropCheckpointsFrom(key: DeviceKey, at: number): void {
    this.#outdatedCheckpoints.push({ key, at });
  }

  /** Gives those that stay offline, with since when. */
  async #endOfflineAlerts(tx: Transaction): Promise<ReadonlyMap<number, number>> {
    const stillOffline = new Map<number, number>();
    for (const { key, since, at } of this.#backOnline) {
      if (!(await endOfflineAlert(tx, key, since, at))) stillOffline.set(key.device, since);
    }
    return stillOffline;
  }

  async write(tx: Transaction, accountId: number): Promise<void> {
    if (this.#viewers.size === 0 && this.#frames.length === 0) return;
    await removeFrames(tx, this.#removedFrames);
    await saveFrames(tx, this.#frames);
    await saveReadings(tx, this.#readings);
    await removeFacts(tx, this.#factsToRemove);
    await saveFacts(tx, this.#factsToSave);
    await saveProgress(tx, this.#factsToContinue);
    const stillOffline = await this.#endOfflineAlerts(tx);
    for (const { key, at } of this.#outdatedCheckpoints) {
      await dropCheckpoints(tx, key, { from: at, until: Number.MAX_SAFE_INTEGER });
    }
    for (const { key, run } of this.#checkpoints) await addCheckpoints(tx, key, run.checkpoints);
    await saveLatest(tx, this.#latest);
    await saveLastSeen(tx, this.#seen);
    for (const { key, receivedAt } of this.#withdrawnReceipts) await withdrawLastSeen(tx, key, receivedAt);
    await saveFolds(
      tx,
      this.#folds.map((fold) => ({ ...fold, offlineSince: stillOffline.get(fold.device) ?? null })),
    );
    await advanceFolds(tx, this.#advancedFolds);
    // Last, since all who store frames of the account wait for these rows.
    await bumpViewers(
      tx,
      Array.from(this.#viewers, (user_id) => ({ account_id: accountId, user_id, shown: "live positions" })),
    );
  }
}
