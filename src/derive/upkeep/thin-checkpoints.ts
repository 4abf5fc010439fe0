import { dayMs, dayOf } from "../../domain/time/time.ts";
import type { Database, Transaction } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import { eachAccount } from "../../store/each-account.ts";
import { devicesToThin, exactDays, thinCheckpoints } from "../../store/facts/checkpoints.ts";
import { holdFolds, isWaiting } from "../../store/facts/folds.ts";
import { Background, eachPage, lastOf } from "../pace.ts";

/** Devices found in one read: about a millisecond. */
const devicesPerPage = 200;
/** Checkpoints of one transaction: some milliseconds, since others wait for it. */
const checkpointsPerTransaction = 1_000;

/**
 * Leaves one checkpoint a day of what is older than a week. It can be stopped between two transactions; the next pass goes on.
 * Any checkpoints are enough to derive from, so nobody who is deriving the device meanwhile need begin again.
 */
export async function thinOldCheckpoints(database: Database, now: number, stop: AbortSignal): Promise<void> {
  const pace = new Background(stop);
  const before = dayOf(now - exactDays * dayMs) * dayMs;
  await eachAccount(database, pace, async (accountId) => {
    await eachPage(pace, async (after) => {
      const devices = await devicesToThin(database, accountId, before, after, devicesPerPage);
      for (const key of devices) {
        for (let isDone = false; !isDone && !pace.isStopped; await pace.rest()) {
          isDone = await database.transaction((tx) => thinSome(tx, key, before));
        }
      }
      return lastOf(devices, devicesPerPage);
    });
  });
}

async function thinSome(tx: Transaction, key: DeviceKey, before: number): Promise<boolean> {
  const progress = (await holdFolds(tx, key.accountId, [key.device])).get(key.device);
  // One of earlier rules is about to get other checkpoints.
  if (progress === undefined || isWaiting(progress)) return true;
  // Before the last of the dropped frames nothing can be derived, so the checkpoint there stays.
  const after = progress.droppedUntil ?? 0;
  return thinCheckpoints(tx, key, { after, before, count: checkpointsPerTransaction });
}
