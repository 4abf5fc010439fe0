import { compareFrames, type Frame } from "../domain/frame.ts";
import type { Reader } from "../store/database.ts";
import { type Checkpoint, lastCheckpoints } from "../store/facts/checkpoints.ts";
import { isOnlyAppended, unchangedUntil } from "../store/facts/fold-revision.ts";
import { type FoldProgress, isWaiting } from "../store/facts/folds.ts";
import { type FramesWanted, framesSince } from "../store/frames/frames.ts";
import {
  advanceBase,
  type Base,
  type DeviceBases,
  isAfter,
  type MemoryBases,
  noRecents,
  recentsAfter,
  tipOf,
} from "./base.ts";
import type { TrackedContext } from "./context.ts";
import { type DerivedState, emptyState, stateAt } from "./state.ts";

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
 * The states of these devices after their last frames, by device. Where another node has stored frames after a state that is cached,
 * these are read and derived. Of a device that is not cached, the last checkpoint is read first. Each is one statement for many devices. A device
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

/** What is cached as far as it still holds, else the last checkpoint. */
async function earlierBases(
  reader: Reader,
  accountId: number,
  memory: MemoryBases,
  devices: readonly Progress[],
): Promise<readonly Behind[]> {
  const cached = new Map<number, DeviceBases>();
  const unknown: number[] = [];
  for (const each of devices) {
    const { device } = each.tracked;
    const bases = stillHolding(memory.last(each.tracked), each);
    if (bases === null) unknown.push(device);
    else cached.set(device, bases);
  }
  const checkpoints = await lastCheckpoints(reader, accountId, unknown);
  return devices.map((each) => {
    const { device } = each.tracked;
    return { ...each, bases: cached.get(device) ?? atCheckpoint(each, checkpoints.get(device) ?? null) };
  });
}

/** All of it if frames were only appended since. If some came late, the last state of before them; null if none is known. */
function stillHolding(bases: DeviceBases | null, progress: Progress): DeviceBases | null {
  const { before } = progress;
  if (bases === null || isOnlyAppended(bases.revision, before.revision)) return bases;
  const until = unchangedUntil(before, bases.revision);
  if (until === null) return null;
  const holds = (base: Base | null) =>
    base !== null && (base.state.place === null || base.state.place.recordedAt < until);
  const base = [bases.tip, ...bases.recents].find(holds);
  return base ? basesAt(progress, base.state) : null;
}

function atCheckpoint(progress: Progress, at: Checkpoint | null): DeviceBases {
  return basesAt(progress, at === null ? emptyState : stateAt(at, progress.tracked.derivation));
}

function basesAt({ tracked, before: { revision, silentAt } }: Progress, state: DerivedState): DeviceBases {
  return { tracked, revision, tip: tipOf(tracked, state, silentAt), recents: noRecents };
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
  const advanced = advanceBase(bases.tip, frames, tracked, before.silentAt);
  const recents = recentsAfter(bases.recents, bases.tip, advanced);
  return { tracked, revision: before.revision, tip: advanced.tip, recents };
}
