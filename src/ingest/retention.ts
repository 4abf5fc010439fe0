import { checkpointBefore, dropCheckpoints } from "../store/checkpoints.ts";
import type { Database } from "../store/database.ts";
import { foldedDevices, foldProgress, holdFolds, saveFolds } from "../store/folds.ts";
import { type DeviceKey, dropFramesUntil, dropUntimelyFrames } from "../store/frames.ts";
import { AccountContexts } from "./account-context.ts";
import { addCheckpoints } from "./checkpoints.ts";
import { DeviceFolds } from "./device-folds.ts";
import { checkpointHere } from "./fold-frames.ts";

const devicesPerPage = 200;
/** Rows that are deleted in one transaction: others wait for it. */
const framesPerTransaction = 5_000;

/**
 * Drops the raw frames that are older than a moment. What was derived from them stays. Each device keeps the state of its
 * fold at a checkpoint before that moment, and the frames after it: so late frames of what is kept can still be folded.
 */
export async function dropOldFrames(database: Database, before: number): Promise<number> {
  let dropped = await dropUntimely(database, before);
  let after: DeviceKey | null = null;
  for (;;) {
    const devices: DeviceKey[] = await foldedDevices(database, after, devicesPerPage);
    for (const key of devices) dropped += await dropOfDevice(database, key, before);
    after = devices.at(-1) ?? null;
    if (after === null || devices.length < devicesPerPage) return dropped;
  }
}

async function dropOfDevice(database: Database, key: DeviceKey, before: number): Promise<number> {
  await checkpointAtHead(database, key, before);
  const base = await checkpointBefore(database, key, before);
  if (base === null) return 0;
  await database.transaction(async (tx) => {
    const progress = (await holdFolds(tx, key.accountId, [key.device])).get(key.device);
    // What is still to be derived from old frames comes first; the next round drops them.
    if (!progress || (progress.dirty !== null && progress.dirty.from <= base.recordedAt)) return;
    if ((progress.droppedUntil ?? 0) >= base.recordedAt) return;
    await dropCheckpoints(tx, key, { from: 0, until: base.recordedAt });
    await saveFolds(tx, [{ ...progress, ...key, revision: progress.revision + 1, droppedUntil: base.recordedAt }]);
  });
  return dropInParts((count) =>
    database.transaction(async (tx) => {
      const progress = (await holdFolds(tx, key.accountId, [key.device])).get(key.device);
      return progress?.droppedUntil ? dropFramesUntil(tx, key, progress.droppedUntil, count) : 0;
    }),
  );
}

/** A device that has been silent since then gets a checkpoint at its last frame, so that none of its frames need stay. */
async function checkpointAtHead(database: Database, key: DeviceKey, before: number): Promise<void> {
  const { head, dirty } = await foldProgress(database, key);
  if (head === null || dirty !== null || head.recordedAt >= before) return;
  const last = await checkpointBefore(database, key, null);
  if (last !== null && last.recordedAt >= head.recordedAt) return;
  await database.transaction(async (tx) => {
    await holdFolds(tx, key.accountId, [key.device]);
    const context = await new AccountContexts().of(tx, key.accountId);
    const tracked = await context?.byDevice(tx, key.device);
    if (!tracked) return;
    const { fold } = await new DeviceFolds().restored(tx, key, tracked.derivation);
    const checkpoint = checkpointHere(fold);
    if (checkpoint !== null) await addCheckpoints(tx, key, [checkpoint]);
  });
}

/** Frames of no believable time are in no order: they are as old as their receipt. */
function dropUntimely(database: Database, before: number): Promise<number> {
  return dropInParts((count) => database.transaction((tx) => dropUntimelyFrames(tx, before, count)));
}

async function dropInParts(drop: (count: number) => Promise<number>): Promise<number> {
  let dropped = 0;
  for (;;) {
    const count = await drop(framesPerTransaction);
    dropped += count;
    if (count < framesPerTransaction) return dropped;
  }
}
