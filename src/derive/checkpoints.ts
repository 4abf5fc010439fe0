import { type Checkpoint, checkpointTimes, dropCheckpointsAt, saveCheckpoints } from "../store/checkpoints.ts";
import type { Transaction } from "../store/database.ts";
import type { DeviceKey } from "../store/frames.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The newest ones are all kept, for a restart and for frames that are late by minutes. */
const newestKept = 8;

/**
 * How far apart older ones may be: the later a frame comes, the more frames are folded again for it. Frames that are late
 * by days are rare.
 */
const spacings = [
  { untilAgeMs: 2 * dayMs, apartMs: hourMs },
  { untilAgeMs: 40 * dayMs, apartMs: dayMs },
  { untilAgeMs: Number.POSITIVE_INFINITY, apartMs: 30 * dayMs },
] as const;

/** Adds checkpoints, and forgets those of the device that have become one too many. */
export async function addCheckpoints(
  tx: Transaction,
  key: DeviceKey,
  checkpoints: readonly Checkpoint[],
): Promise<void> {
  await saveCheckpoints(tx, key, checkpoints);
  await dropCheckpointsAt(tx, key, superfluous(await checkpointTimes(tx, key)));
}

/**
 * Which of the checkpoints at these times (in ascending order) to forget. The first of all is never among them: what comes
 * before it may be gone.
 */
export function superfluous(times: readonly number[]): number[] {
  const newest = times.at(-1) ?? 0;
  const older = times.slice(0, Math.max(0, times.length - newestKept));
  const dropped: number[] = [];
  let kept = Number.NEGATIVE_INFINITY;
  for (const at of older) {
    const { apartMs } = spacings.find(({ untilAgeMs }) => newest - at <= untilAgeMs) ?? spacings[2];
    if (at - kept < apartMs) dropped.push(at);
    else kept = at;
  }
  return dropped;
}
