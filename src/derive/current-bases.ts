import { compareFrames, type Frame, type FramePlace } from "../domain/frame.ts";
import type { Reader } from "../store/database.ts";
import { isOnlyAppended } from "../store/facts/fold-revision.ts";
import { type FoldProgress, isWaiting } from "../store/facts/folds.ts";
import { framesAfter } from "../store/frames/frames.ts";
import { recentFrom } from "../store/frames/recent-frames.ts";
import { advance, type DeviceBases, isAfter, type MemoryBases, recentAfter } from "./base.ts";
import type { TrackedContext } from "./context.ts";

/** A device and how far it is derived. */
interface Progress {
  readonly tracked: TrackedContext;
  readonly before: FoldProgress;
}

interface Behind extends Progress {
  readonly bases: DeviceBases;
  readonly place: FramePlace;
}

/**
 * What is cached of these devices, by device. Where another node has appended frames since, these are read and derived from what is
 * cached: one statement for all devices. A device whose past was changed is missing.
 */
export async function currentBases(
  reader: Reader,
  accountId: number,
  memory: MemoryBases,
  devices: readonly Progress[],
): Promise<ReadonlyMap<number, DeviceBases>> {
  const current = new Map<number, DeviceBases>();
  const behind: Behind[] = [];
  for (const { tracked, before } of devices) {
    const bases = memory.last(tracked);
    if (bases === null) continue;
    const { place } = bases.tip.state;
    if (bases.revision === before.revision) current.set(tracked.device, bases);
    else if (place !== null && canFollow(bases, before)) behind.push({ tracked, before, bases, place });
  }
  if (behind.length === 0) return current;
  const inRows = behind.filter(({ before, place }) => !isInBlocks(place, before));
  const moments = inRows.map(({ tracked: { device }, place }) => ({ device, at: place.recordedAt }));
  const recent = await recentFrom(reader, accountId, moments);
  for (const each of behind) {
    const { tracked, before, bases, place } = each;
    const stored = isInBlocks(place, before)
      ? await framesAfter(reader, tracked, place, Number.MAX_SAFE_INTEGER)
      : (recent.get(tracked.device) ?? []);
    const frames = stored.map(({ frame }) => frame).filter((frame) => isAfter(frame, bases.tip.state));
    const followed = follow(each, frames);
    if (followed !== null) current.set(tracked.device, followed);
  }
  return current;
}

function canFollow({ revision }: DeviceBases, before: FoldProgress): boolean {
  return isOnlyAppended(revision, before.revision) && before.dirty === null && !isWaiting(before);
}

/** Whether frames after it may be in blocks. */
function isInBlocks({ recordedAt }: FramePlace, { sealedUntil }: FoldProgress): boolean {
  return sealedUntil !== null && recordedAt <= sealedUntil;
}

/** Null if it does not lead to the device's last frame. */
function follow({ tracked, before, bases }: Behind, frames: readonly Frame[]): DeviceBases | null {
  const last = frames.at(-1);
  if (last === undefined || before.head === null || compareFrames(last, before.head) !== 0) return null;
  const advanced = advance(bases.tip, frames, tracked, before.silentAt);
  const recent = recentAfter(bases, bases.tip, advanced);
  return { tracked, revision: before.revision, tip: advanced.tip, recent };
}
