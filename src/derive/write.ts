import type { DeviceChangeBuilder } from "../domain/changes/device-change.ts";
import type { Transaction } from "../store/database.ts";
import type { DeviceKey } from "../store/device-key.ts";
import { dropCheckpoints, saveCheckpoints, saveTotals } from "../store/facts/checkpoints.ts";
import { removeFacts, saveFacts, saveProgress } from "../store/facts/facts.ts";
import { advanceFolds, type FoldProgress, saveFolds } from "../store/facts/folds.ts";
import { endOfflineAlert } from "../store/facts/offline-alerts.ts";
import { type FrameWrites, type Sealing, storeFrames } from "../store/frames/frame-writes.ts";
import { type LatestRow, saveLastSeen, saveLatest, withdrawLastSeen } from "../store/frames/latest.ts";
import { saveReadings } from "../store/frames/reading-writes.ts";
import { markAccounts } from "../store/upkeep/account-marks.ts";
import { changeOf, removeReadings, writeChangeLog } from "./change-log.ts";
import type { DeviceChanges } from "./device-changes.ts";
import type { FactChanges } from "./diff.ts";
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
  const readings = ofEach(changes, ({ added }) => added.filter(({ frame }) => frame.sensors.length > 0));
  await saveReadings(tx, readings);
  const ofFacts = (name: keyof FactChanges) => changes.flatMap(({ facts }) => facts[name]);
  await removeFacts(tx, ofFacts("toRemove"));
  await saveFacts(tx, ofFacts("toSave"));
  await saveProgress(tx, ofFacts("toContinue"));
  for (const { tracked, dropped } of changes) {
    for (const range of dropped) await dropCheckpoints(tx, tracked, range);
  }
  const checkpoints = ofEach(changes, (change) => change.checkpoints);
  await saveCheckpoints(tx, checkpoints);
  const totals = ofEach(changes, (change) => change.totals);
  await saveTotals(tx, totals);
  // Before their last sight is updated, which it reads.
  const stillOffline = await endOfflineAlerts(tx, changes, logged);
  await writeSeen(tx, changes);
  await writeFolds(tx, changes, stillOffline, sealings);
  await writeChangeLog(tx, accountId, changes, logged);
  await markAccounts(tx, marksOf(accountId, changes, stillOffline));
}

function frameWrites({ tracked, before, added, judgedAnew, removed }: DeviceChanges): FrameWrites {
  const { accountId, device } = tracked;
  const { untimelyUntil } = before;
  return { accountId, device, untimelyUntil, sealing: before, added, judgedAnew, removed };
}

/** Some of the changes of all devices, each with its device's key. */
function ofEach<Item extends object>(
  changes: readonly DeviceChanges[],
  itemsOf: (change: DeviceChanges) => readonly Item[],
): (Item & DeviceKey)[] {
  const all: (Item & DeviceKey)[] = [];
  for (const change of changes) {
    const { accountId, device } = change.tracked;
    for (const item of itemsOf(change)) all.push({ ...item, accountId, device });
  }
  return all;
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

async function writeFolds(
  tx: Transaction,
  changes: readonly DeviceChanges[],
  stillOffline: ReadonlySet<number>,
  sealings: ReadonlyMap<number, Sealing>,
): Promise<void> {
  const changed: (FoldProgress & DeviceKey)[] = [];
  const advanced: (FoldProgress & DeviceKey)[] = [];
  for (const { tracked, before, after, seenAt } of changes) {
    const { accountId, device } = tracked;
    const isOffline = seenAt === null || stillOffline.has(device);
    const offlineSince = isOffline ? before.offlineSince : null;
    const progress = { ...after, offlineSince, ...sealings.get(device), accountId, device };
    (isAdvance(before, progress) ? advanced : changed).push(progress);
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
    before.offlineSince === after.offlineSince &&
    before.silentAt === after.silentAt &&
    before.rules === after.rules
  );
}
