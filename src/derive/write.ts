import type { DeviceChangeBuilder } from "../domain/changes/device-change.ts";
import type { StoredFrame } from "../store/blocks/stored-frame.ts";
import type { Transaction } from "../store/database.ts";
import type { DeviceKey } from "../store/device-key.ts";
import { dropCheckpoints, saveCheckpoints, saveTotals } from "../store/facts/checkpoints.ts";
import { type FactRow, removeFacts, saveFacts, saveProgress } from "../store/facts/facts.ts";
import { type AdvancedFold, advanceFolds, type FoldProgress, saveFolds } from "../store/facts/folds.ts";
import { type AlertMove, alertMoves, moveAlerts, withdrawnUntil } from "../store/facts/moved-alerts.ts";
import { endOfflineAlert } from "../store/facts/offline-alerts.ts";
import { type FrameWrites, type Sealing, storeFrames } from "../store/frames/frame-writes.ts";
import { type LatestRow, saveLastSeen, saveLatest, withdrawLastSeen } from "../store/frames/latest.ts";
import { saveReadings } from "../store/frames/reading-writes.ts";
import { markAccounts } from "../store/upkeep/account-marks.ts";
import { changeOf, removeReadings, writeChangeLog } from "./change-log.ts";
import type { TrackedContext } from "./context.ts";
import type { DeviceChanges } from "./device-changes.ts";
import { marksOf } from "./marked.ts";

/** Writes what has changed of an account's devices, each table once. */
export async function writeChanges(
  tx: Transaction,
  accountId: number,
  changes: readonly DeviceChanges[],
): Promise<void> {
  if (changes.length === 0) return;
  const logged = changes.map(changeOf);
  for (const [index, { tracked, removed }] of changes.entries()) {
    if (removed.length > 0) await removeReadings(tx, tracked, removed, logged[index] as DeviceChangeBuilder);
  }
  const sealings = await storeFrames(tx, accountId, changes.map(frameWrites));
  await saveReadings(
    tx,
    ofEach(changes, ({ added }) => added, hasSensors),
  );
  const withdrawn = await writeFacts(tx, accountId, changes);
  const dropped = ofEach(changes, (change) => change.dropped);
  if (dropped.length > 0) await dropCheckpoints(tx, accountId, dropped);
  const checkpoints = ofEach(changes, (change) => change.checkpoints);
  if (checkpoints.length > 0) await saveCheckpoints(tx, checkpoints);
  const totals = ofEach(changes, (change) => change.totals);
  if (totals.length > 0) await saveTotals(tx, totals);
  // Before their last sight is updated, which it reads.
  const stillOffline = await endOfflineAlerts(tx, changes, logged);
  await writeSeen(tx, changes);
  await writeFolds(tx, changes, { stillOffline, withdrawn, sealings });
  await writeChangeLog(tx, accountId, changes, logged);
  await markAccounts(tx, marksOf(accountId, changes, stillOffline));
}

function frameWrites({ tracked, before, added, judgedAnew, removed }: DeviceChanges): FrameWrites {
  const { accountId, device } = tracked;
  const { untimelyUntil, head } = before;
  return { accountId, device, untimelyUntil, head, sealing: before, added, judgedAnew, removed };
}

/** Some of the changes of all devices, each with its device's key. */
function ofEach<Item extends object>(
  changes: readonly DeviceChanges[],
  itemsOf: (change: DeviceChanges) => readonly Item[],
  isMeant: (item: Item) => boolean = () => true,
): (Item & DeviceKey)[] {
  const all: (Item & DeviceKey)[] = [];
  for (const change of changes) {
    const { accountId, device } = change.tracked;
    for (const item of itemsOf(change)) if (isMeant(item)) all.push({ ...item, accountId, device });
  }
  return all;
}

function hasSensors({ frame }: StoredFrame): boolean {
  return frame.sensors.length > 0;
}

/** Returns up to when alerts of devices may come in the place of withdrawn ones, where that may have changed. */
async function writeFacts(
  tx: Transaction,
  accountId: number,
  changes: readonly DeviceChanges[],
): Promise<ReadonlyMap<number, number | null>> {
  const [toRemove, toSave, toContinue]: [FactRow[], FactRow[], FactRow[]] = [[], [], []];
  const moves: AlertMove[] = [];
  const moving: TrackedContext[] = [];
  for (const change of changes) {
    const { facts, tracked } = change;
    if (mayMoveAlerts(change)) {
      moving.push(tracked);
      const alerts = { removed: facts.toRemove.filter(isAlert), saved: facts.toSave.filter(isAlert) };
      moves.push(...(await alertMoves(tx, tracked, alerts)));
    }
    for (const fact of facts.toRemove) toRemove.push(fact);
    for (const fact of facts.toSave) toSave.push(fact);
    for (const fact of facts.toContinue) toContinue.push(fact);
  }
  await removeFacts(tx, toRemove);
  await saveFacts(tx, toSave);
  await saveProgress(tx, toContinue);
  await moveAlerts(tx, accountId, moves);
  const withdrawn = new Map<number, number | null>();
  for (const tracked of moving) withdrawn.set(tracked.device, await withdrawnUntil(tx, tracked));
  return withdrawn;
}

/** Whether an alert goes, or one comes where another was withdrawn. With almost every frame none does. */
function mayMoveAlerts({ facts, before: { withdrawnUntil: until } }: DeviceChanges): boolean {
  if (facts.toRemove.some(isAlert)) return true;
  return until !== null && facts.toSave.some((fact) => isAlert(fact) && (fact.row.occurred_at as number) <= until);
}

function isAlert({ kind }: FactRow): boolean {
  return kind === "alert";
}

/** Returns the devices that stay offline. */
async function endOfflineAlerts(
  tx: Transaction,
  changes: readonly DeviceChanges[],
  logged: readonly DeviceChangeBuilder[],
): Promise<ReadonlySet<number>> {
  const stillOffline = new Set<number>();
  for (const [index, { tracked, before, seenAt }] of changes.entries()) {
    const { offlineSince } = before;
    if (seenAt === null || offlineSince === null) continue;
    const removed = await endOfflineAlert(tx, tracked, offlineSince, seenAt);
    if (removed === null) stillOffline.add(tracked.device);
    else logged[index]?.add("alert", offlineSince).remove("alert", removed);
  }
  return stillOffline;
}

async function writeSeen(tx: Transaction, changes: readonly DeviceChanges[]): Promise<void> {
  const latestRows: (DeviceKey & { readonly lastSeenAt: number; readonly latest: LatestRow })[] = [];
  const seenRows: (DeviceKey & { readonly lastSeenAt: number })[] = [];
  for (const { tracked, seenAt, latest } of changes) {
    const { accountId, device } = tracked;
    // The store does not let it fall.
    const lastSeenAt = seenAt ?? latest?.received_at ?? 0;
    if (latest !== null) latestRows.push({ accountId, device, lastSeenAt, latest });
    else if (seenAt !== null) seenRows.push({ accountId, device, lastSeenAt });
  }
  await saveLatest(tx, latestRows);
  await saveLastSeen(tx, seenRows);
  for (const { tracked, notReceivedAt } of changes) {
    if (notReceivedAt !== null) await withdrawLastSeen(tx, tracked, notReceivedAt);
  }
}

interface WrittenBefore {
  readonly stillOffline: ReadonlySet<number>;
  readonly withdrawn: ReadonlyMap<number, number | null>;
  readonly sealings: ReadonlyMap<number, Sealing>;
}

async function writeFolds(
  tx: Transaction,
  changes: readonly DeviceChanges[],
  { stillOffline, withdrawn, sealings }: WrittenBefore,
): Promise<void> {
  const changed: (FoldProgress & DeviceKey)[] = [];
  const advanced: AdvancedFold[] = [];
  for (const { tracked, before, after: progress, seenAt } of changes) {
    const { accountId, device } = tracked;
    const sealing = sealings.get(device) ?? progress;
    const isOffline = seenAt === null || stillOffline.has(device);
    const offlineSince = isOffline ? before.offlineSince : null;
    const moved = withdrawn.get(device);
    const after = moved === undefined ? progress : { ...progress, withdrawnUntil: moved };
    const isAtItsPlace = sealing.neighbours === before.neighbours;
    if (isAtItsPlace && offlineSince === before.offlineSince && isAdvance(before, after)) {
      advanced.push({ accountId, device, revision: after.revision, head: after.head, sealing });
    } else changed.push({ ...after, offlineSince, ...sealing, accountId, device });
  }
  await saveFolds(tx, changed);
  await advanceFolds(tx, advanced);
}

/** Whether only the revision, the head and where its frames are is new, as with almost every frame. */
function isAdvance(before: FoldProgress, after: FoldProgress): boolean {
  return (
    before.revision > 0 &&
    before.dirty === after.dirty &&
    before.untimelyUntil === after.untimelyUntil &&
    before.droppedUntil === after.droppedUntil &&
    before.silentAt === after.silentAt &&
    before.rules === after.rules &&
    before.lateChanges === after.lateChanges &&
    before.withdrawnUntil === after.withdrawnUntil
  );
}
