import { compareFrames, type Frame } from "../domain/frame.ts";
import type { Reader } from "../store/database.ts";
import type { Checkpoint } from "../store/facts/checkpoints.ts";
import { isOnlyAppended } from "../store/facts/fold-revision.ts";
import { type FoldProgress, isWaiting } from "../store/facts/folds.ts";
import { lastCheckpoints } from "../store/facts/last-checkpoints.ts";
import { type FramesWanted, framesSince } from "../store/frames/frames-since.ts";
import { advance, type DeviceBases, isAfter, type MemoryBases, maxRecentFrames, recentAfter, tipOf } from "./base.ts";
import type { TrackedContext } from "./context.ts";
import { emptyState, stateAt } from "./state.ts";

/** A device and how far it is derived. */
interface Progress {
  readonly tracked: TrackedContext;
  readonly before: FoldProgress;
}

interface Behind extends Progress {
  readonly bases: DeviceBases;
}

/** After a restart, some hundred frames of each are in memory at once. */
const devicesPerRead = 200;

/**
 * The states of these devices after their last frames, by device. Where another node has appended frames to what is cached, these are
 * read and derived. Of a device that is not cached, the last checkpoint is read first. Each is one statement for many devices. A device
 * is missing if it has no frames yet, or some that are still to be derived.
 */
export async function currentBases(
  reader: Reader,
  accountId: number,
  memory: MemoryBases,
  devices: readonly Progress[],
): Promise<ReadonlyMap<number, DeviceBases>> {
  const current = new Map<number, DeviceBases>();
  const others: Progress[] = [];
  for (const each of devices) {
    const { tracked, before } = each;
    const bases = memory.at(tracked, before.revision);
    if (bases !== null) current.set(tracked.device, bases);
    else if (before.head !== null && before.dirty === null && !isWaiting(before)) others.push(each);
  }
  for (let start = 0; start < others.length; start += devicesPerRead) {
    const behind = await earlierBases(reader, accountId, memory, others.slice(start, start + devicesPerRead));
    const frames = await framesSince(reader, accountId, behind.map(framesWanted));
    for (const each of behind) {
      const followed = follow(
        each,
        (frames.get(each.tracked.device) ?? []).map(({ frame }) => frame),
      );
      if (followed !== null) current.set(each.tracked.device, followed);
    }
  }
  return current;
}

/** What is cached if frames were only appended since, else the last checkpoint. */
async function earlierBases(
  reader: Reader,
  accountId: number,
  memory: MemoryBases,
  devices: readonly Progress[],
): Promise<readonly Behind[]> {
  const cached = new Map<number, DeviceBases>();
  const unknown: number[] = [];
  for (const { tracked, before } of devices) {
    const bases = memory.last(tracked);
    if (bases !== null && isOnlyAppended(bases.revision, before.revision)) cached.set(tracked.device, bases);
    else unknown.push(tracked.device);
  }
  const checkpoints = await lastCheckpoints(reader, accountId, unknown);
  return devices.map(({ tracked, before }) => {
    const { device } = tracked;
    return { tracked, before, bases: cached.get(device) ?? basesAt(tracked, before, checkpoints.get(device) ?? null) };
  });
}

function basesAt(tracked: TrackedContext, { revision, silentAt }: FoldProgress, at: Checkpoint | null): DeviceBases {
  const state = at === null ? emptyState : stateAt(at, tracked.derivation);
  return { tracked, revision, tip: tipOf(tracked, state, silentAt), recent: null };
}

function framesWanted({ tracked, before, bases }: Behind): FramesWanted {
  const at = bases.tip.state.place?.recordedAt ?? Number.MIN_SAFE_INTEGER;
  return { device: tracked.device, at, areInBlocks: before.sealedUntil !== null && at <= before.sealedUntil };
}

/** Null if it does not lead to the device's last frame. */
function follow({ tracked, before, bases }: Behind, stored: readonly Frame[]): DeviceBases | null {
  const frames = stored.filter((frame) => isAfter(frame, bases.tip.state));
  const last = frames.at(-1) ?? bases.tip.state.place;
  if (last === null || before.head === null || compareFrames(last, before.head) !== 0) return null;
  if (frames.length === 0) return { ...bases, revision: before.revision };
  // A late frame may follow: it is derived from a state of before these.
  const split = frames.length > maxRecentFrames ? frames.length - maxRecentFrames / 2 : 0;
  const from = split === 0 ? bases.tip : advance(bases.tip, frames.slice(0, split), tracked, before.silentAt).tip;
  const advanced = advance(from, frames.slice(split), tracked, before.silentAt);
  const recent = recentAfter(split === 0 ? bases : null, from, advanced);
  return { tracked, revision: before.revision, tip: advanced.tip, recent };
}
