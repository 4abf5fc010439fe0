import { BoundedMap } from "../domain/bounded-map.ts";
import type { DeviceContext } from "../domain/device-context.ts";
import { emptyFold, type FoldSnapshot, foldFrom } from "../domain/fold.ts";
import { type Checkpoint, checkpointBefore } from "../store/checkpoints.ts";
import type { Reader } from "../store/database.ts";
import { type DeviceKey, framesAfter } from "../store/frames.ts";
import { type DeviceFold, foldFrames, unsettledFacts } from "./fold-frames.ts";
import type { KeptFold } from "./recent-frames.ts";

/** Some kilobytes each. A device that is not among them costs the reading of a few hundred frames when it comes again. */
const maxKept = 20_000;
const framesPerRead = 512;

/** A device's fold, and the revision of the device it is of. */
export interface FoldAt extends KeptFold {
  readonly key: DeviceKey;
  readonly revision: number;
}

/** Folds kept in memory, those used last. Each is the newest only if the device is still at its revision. */
export class DeviceFolds {
  readonly #kept = new BoundedMap<number, FoldAt>({ max: maxKept });

  /** The fold at this revision, if it is kept. */
  kept({ device }: DeviceKey, revision: number): KeptFold | null {
    const kept = this.#kept.get(device);
    return kept?.revision === revision ? kept : null;
  }

  /** The fold of all that is stored of a device, from its last checkpoint on. */
  async restored(reader: Reader, key: DeviceKey, context: DeviceContext): Promise<KeptFold> {
    const start = await startingFold(reader, key, null, context);
    return { fold: await foldStored(reader, key, start, context), recent: null };
  }

  /** To be called with what is committed, and nothing else. */
  keep(folds: readonly FoldAt[]): void {
    for (const fold of folds) this.#kept.set(fold.key.device, fold);
  }
}

/** The fold at the last checkpoint before a moment (or of all), or an empty one. */
export async function startingFold(
  reader: Reader,
  key: DeviceKey,
  before: number | null,
  context: DeviceContext,
): Promise<DeviceFold> {
  const checkpoint = await checkpointBefore(reader, key, before);
  return checkpoint === null ? newFold : atCheckpoint(checkpoint, context);
}

const newFold: DeviceFold = {
  fold: emptyFold,
  place: null,
  settledAt: Number.MIN_SAFE_INTEGER,
  framesSinceCheckpoint: 0,
  unsettledFacts: [],
};

function atCheckpoint({ recordedAt, digest, stateJson }: Checkpoint, context: DeviceContext): DeviceFold {
  const fold = foldFrom(JSON.parse(stateJson) as FoldSnapshot, context);
  return {
    fold,
    place: { recordedAt, digest },
    settledAt: Number.MIN_SAFE_INTEGER,
    framesSinceCheckpoint: 0,
    unsettledFacts: unsettledFacts(fold),
  };
}

/** Takes all frames that are stored after it. */
async function foldStored(
  reader: Reader,
  key: DeviceKey,
  start: DeviceFold,
  context: DeviceContext,
): Promise<DeviceFold> {
  for (let fold = start; ; ) {
    const stored = await framesAfter(reader, key, fold.place, framesPerRead);
    const frames = stored.map(({ frame }) => frame);
    fold = foldFrames(fold, frames, context).after;
    if (stored.length < framesPerRead) return fold;
  }
}
