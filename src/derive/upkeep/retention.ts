import type { Database, Transaction } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import { eachAccount } from "../../store/each-account.ts";
import { checkpointBefore, dropCheckpoints, saveCheckpoints } from "../../store/facts/checkpoints.ts";
import { foldProgress, holdFolds, isWaiting, saveFolds } from "../../store/facts/folds.ts";
import {
  checkpointTimeBefore,
  type DroppedFrames,
  dropFramesUntil,
  dropUntimelyFrames,
  hasUntimelyFrames,
  type RetainedDevice,
  retainedDevices,
} from "../../store/upkeep/old-frames.ts";
import { readTip } from "../base.ts";
import { AccountContexts } from "../context.ts";
import { backgroundOf, eachPage, lastOf, type WorkPace } from "../pace.ts";
import { canBeCheckpoint, checkpointOf } from "../state.ts";

/** Devices checked in one read: about a millisecond. */
const devicesPerPage = 200;
/** Devices whose frames are dropped in one transaction: some milliseconds, since others wait for it. */
const devicesPerTransaction = 8;
/** Blocks of a device that are dropped in one transaction. */
const blocksPerTransaction = 500;
const untimelyPerTransaction = 200;

const nothingLeft: DroppedFrames = { count: 0, isDone: true };

/**
 * Drops the raw frames that are older than a moment. What was derived from them stays. Each device retains a checkpoint
 * before that moment and the frames after it, so that late frames after the checkpoint can still be folded.
 *
 * Nothing here reads all frames: a pass that finds nothing checks a few indexes for each device. It can be stopped
 * between two transactions; the next pass finds what is left.
 */
export async function dropOldFrames(
  database: Database,
  before: number,
  stop?: AbortSignal,
  heldAccounts: ReadonlySet<number> = new Set(),
): Promise<number> {
  const pace = backgroundOf(stop);
  let dropped = 0;
  await eachAccount(database, pace, async (accountId) => {
    if (heldAccounts.has(accountId)) return;
    // Frames without a believable time have no order: they are as old as their receipt.
    if (await hasUntimelyFrames(database, accountId, before)) {
      dropped += await dropInBatches(pace, () =>
        database.transaction((tx) => dropUntimelyFrames(tx, accountId, before, untimelyPerTransaction)),
      );
    }
    await eachPage(pace, async (after) => {
      const devices = await retainedDevices(database, accountId, before, after, devicesPerPage);
      dropped += await dropOfDevices(database, devices, before, pace);
      return lastOf(devices, devicesPerPage);
    });
  });
  return dropped;
}

async function dropOfDevices(
  database: Database,
  devices: readonly RetainedDevice[],
  before: number,
  pace: WorkPace,
): Promise<number> {
  const due: RetainedDevice[] = [];
  for (const device of devices) {
    const { base, droppedUntil, head, hasRest } = device;
    const isSilent = head < before && !device.isDirty && (base === null || base < head);
    const isBehind = base !== null && (droppedUntil === null || droppedUntil < base);
    if (isSilent && !pace.isStopped) await checkpointAtHead(database, device, before);
    if (isSilent || isBehind || hasRest) due.push(device);
  }
  let dropped = 0;
  for (let start = 0; start < due.length; start += devicesPerTransaction) {
    let left = due.slice(start, start + devicesPerTransaction);
    dropped += await dropInBatches(pace, async () => {
      const results = await database.transaction(async (tx) => {
        const done: DroppedFrames[] = [];
        for (const device of left) done.push(await dropBatch(tx, device, before));
        return done;
      });
      left = left.filter((_, index) => !results[index]?.isDone);
      return { count: results.reduce((sum, { count }) => sum + count, 0), isDone: left.length === 0 };
    });
  }
  return dropped;
}

async function dropBatch(tx: Transaction, key: DeviceKey, before: number): Promise<DroppedFrames> {
  const progress = (await holdFolds(tx, key.accountId, [key.device])).get(key.device);
  if (!progress || isWaiting(progress)) return nothingLeft;
  // Read while the device is locked: deriving again may have replaced the checkpoints.
  const base = await checkpointTimeBefore(tx, key, before);
  let { droppedUntil } = progress;
  // What must still be derived from old frames comes first; the next round drops them.
  const isWanted = progress.dirty !== null && base !== null && progress.dirty.from <= base;
  if (base !== null && !isWanted && (droppedUntil ?? 0) < base) {
    const { accountId, device } = key;
    await dropCheckpoints(tx, accountId, [{ device, from: 0, until: base }]);
    droppedUntil = base;
    await saveFolds(tx, [{ ...progress, accountId, device, revision: progress.revision + 1, droppedUntil }]);
  }
  return droppedUntil === null ? nothingLeft : dropFramesUntil(tx, key, droppedUntil, blocksPerTransaction);
}

/** A device that has been silent since gets a checkpoint at its last frame, so that all its frames can be dropped. */
async function checkpointAtHead(database: Database, key: DeviceKey, before: number): Promise<void> {
  const { head, dirty } = await foldProgress(database, key);
  if (head === null || dirty !== null || head.recordedAt >= before) return;
  const last = await checkpointBefore(database, key, null);
  if (last !== null && last.recordedAt >= head.recordedAt) return;
  await database.transaction(async (tx) => {
    const held = (await holdFolds(tx, key.accountId, [key.device])).get(key.device);
    // Frames may have arrived since: then it is not silent, or something must be derived first.
    if (held === undefined || isWaiting(held) || held.dirty !== null || (held.head?.recordedAt ?? before) >= before)
      return;
    const tracked = (await new AccountContexts().ofDevice(tx, key))?.tracked;
    if (tracked === undefined) return;
    const { state } = await readTip(tx, tracked, held.silentAt);
    if (!canBeCheckpoint(state, Number.MAX_SAFE_INTEGER)) return;
    const { accountId, device } = key;
    await saveCheckpoints(tx, [{ ...checkpointOf(state), accountId, device }]);
    // Another that is deriving the device has not seen this checkpoint.
    await saveFolds(tx, [{ ...held, accountId, device, revision: held.revision + 1 }]);
  });
}

async function dropInBatches(pace: WorkPace, drop: () => Promise<DroppedFrames>): Promise<number> {
  let dropped = 0;
  while (!pace.isStopped) {
    const { count, isDone } = await drop();
    dropped += count;
    if (count > 0) await pace.rest();
    if (isDone) break;
  }
  return dropped;
}
