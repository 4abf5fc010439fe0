import { compareFrames } from "../domain/frame.ts";
import { latestTimely } from "../domain/quality/clock.ts";
import { logDeviceChange } from "../store/changes/change-writes.ts";
import type { Database } from "../store/database.ts";
import type { DeviceKey } from "../store/device-key.ts";
import { holdFolds, saveFolds } from "../store/facts/folds.ts";
import { storeFrames } from "../store/frames/frame-writes.ts";
import { framesAhead } from "../store/frames/frames.ts";
import { verdictAlone, widened } from "./plan.ts";

/** Frames of one transaction: others wait for it. */
const framesPerTransaction = 2_000;

/**
 * Treats frames of a device that were always from the future as received now, too, and returns how many are believed
 * now. It recovers drives that a slow clock lost and nobody sends again. Their facts must be derived afterwards.
 */
export async function receiveNow(database: Database, key: DeviceKey, from: number, now: number): Promise<number> {
  let believed = 0;
  for (;;) {
    const count = await receiveSomeNow(database, key, from, now);
    believed += count;
    if (count < framesPerTransaction) return believed;
  }
}

function receiveSomeNow(database: Database, key: DeviceKey, from: number, now: number): Promise<number> {
  return database.transaction(async (tx) => {
    const progress = (await holdFolds(tx, key.accountId, [key.device])).get(key.device);
    if (progress === undefined) return 0;
    // What comes before dropped frames cannot be derived any more.
    const begin = Math.max(from, (progress.droppedUntil ?? 0) + 1);
    const frames = await framesAhead(tx, key, { from: begin, until: latestTimely(now) }, framesPerTransaction);
    if (frames.length === 0) return 0;
    let { head, dirty } = progress;
    for (const { frame } of frames) {
      if (head === null || compareFrames(frame, head) > 0) head = frame;
      dirty = widened(dirty, frame.recordedAt);
    }
    const added = frames.map(({ frame }) => {
      return { frame, verdict: verdictAlone({ frame, timeProblem: null }), timelyAt: now };
    });
    const { untimelyUntil, head: before } = progress;
    const writes = { ...key, untimelyUntil, sealing: progress, head: before, added, judgedAnew: [], removed: [] };
    const sealing = (await storeFrames(tx, key.accountId, [writes])).get(key.device);
    await saveFolds(tx, [{ ...progress, ...sealing, ...key, revision: progress.revision + 1, head, dirty }]);
    await logDeviceChange(
      tx,
      key,
      (change) => frames.reduce((all, { frame }) => all.add("position", frame.recordedAt), change),
      now,
    );
    return frames.length;
  });
}
