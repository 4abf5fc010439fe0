import { BoundedMap } from "../domain/bounded-map.ts";
import { compareFrames, type Frame, type FramePlace } from "../domain/frame.ts";
import type { StoredFrame } from "../store/blocks/stored-frame.ts";
import type { Database, Reader } from "../store/database.ts";
import type { DeviceKey } from "../store/device-key.ts";
import { checkpointBefore } from "../store/facts/checkpoints.ts";
import type { FactRow } from "../store/facts/facts.ts";
import type { FoldProgress } from "../store/facts/folds.ts";
import { framesAfter } from "../store/frames/frames.ts";
import type { AccountContexts, TrackedContext } from "./context.ts";
import { factRows } from "./diff.ts";
import { type Run, run } from "./run.ts";
import { type DerivedState, emptyState, openFactsOf, stateAt } from "./state.ts";

/** A state of a device to derive from, and what is stored after it. */
export interface Base {
  readonly state: DerivedState;
  /** The frames whose verdict was open in that state, then all later ones; in order. */
  readonly frames: readonly StoredFrame[];
  /** The facts that were open in that state, or completed later. */
  readonly facts: readonly FactRow[];
}

export interface DeviceBases {
  readonly tracked: DeviceKey;
  /** All of it holds at this revision, and parts of it perhaps later: see current-bases.ts. */
  readonly revision: number;
  /** After the last frame. */
  readonly tip: Base;
  /** Some frames ago. Several connections make frames slightly late: these are derived from here, without a read. */
  readonly recents: Recents;
}

/** The later one first. */
export type Recents = readonly [nearer: Base | null, farther: Base | null];

export const noRecents: Recents = [null, null];

/** A few kilobytes each. For a device not among them, some hundred frames are read when it sends again. */
const maxDevices = 20_000;
const framesPerRead = 512;
/** Most late frames are late by less. */
const nearFrames = 16;
/** Enough for what is under way at the same time. */
const farFrames = 32;

/** The devices that sent last. */
export class MemoryBases {
  readonly #devices = new BoundedMap<number, DeviceBases>({ max: maxDevices });

  at({ device }: DeviceKey, revision: number): DeviceBases | null {
    const bases = this.#devices.get(device);
    return bases?.revision === revision ? bases : null;
  }

  /** Perhaps of an earlier revision. */
  last({ device }: DeviceKey): DeviceBases | null {
    return this.#devices.get(device) ?? null;
  }

  /** What was thought to be stored of the account's devices may not be: they are read again. */
  forgetAccount(accountId: number): void {
    this.#devices.deleteIf(({ tracked }) => tracked.accountId === accountId);
  }

  /** Call it only with what is committed. */
  put(devices: readonly DeviceBases[]): void {
    for (const bases of devices) this.#devices.set(bases.tracked.device, bases);
  }
}

/** What deriving a device needs. */
export interface DeriveDeps {
  readonly database: Database;
  readonly contexts: AccountContexts;
  readonly memory: MemoryBases;
}

export function isAfter(frame: FramePlace, { place }: DerivedState): boolean {
  return place === null || compareFrames(frame, place) > 0;
}

/** The state at the last checkpoint before a moment (or of all), or the empty one. */
export async function stateBefore(
  reader: Reader,
  tracked: TrackedContext,
  moment: number | null,
): Promise<DerivedState> {
  const checkpoint = await checkpointBefore(reader, tracked, moment);
  return checkpoint === null ? emptyState : stateAt(checkpoint, tracked.derivation);
}

/** The state after all stored frames, if it is not cached. Nothing is read for the first frame of a device. */
export async function tipBefore(reader: Reader, tracked: TrackedContext, progress: FoldProgress): Promise<Base> {
  const isNew = progress.head === null && progress.droppedUntil === null;
  return isNew ? tipOf(tracked, emptyState, null) : readTip(reader, tracked, progress.silentAt);
}

/** The same for a device that has frames. */
export async function readTip(reader: Reader, tracked: TrackedContext, silentAt: number | null): Promise<Base> {
  for (let state = await stateBefore(reader, tracked, null); ; ) {
    const stored = await framesAfter(reader, tracked, state.place, framesPerRead);
    const frames = stored.map(({ frame }) => frame);
    state = run(state, frames, tracked.derivation).after;
    if (stored.length < framesPerRead) return tipOf(tracked, state, silentAt);
  }
}

export function tipOf(tracked: TrackedContext, state: DerivedState, silentAt: number | null): Base {
  const facts = factRows(tracked, openFactsOf(state, tracked.derivation, silentAt));
  return { state, frames: openFrames(state), facts };
}

export function openFrames({ fold }: DerivedState): readonly StoredFrame[] {
  return fold.tail.map(({ judged }) => judged);
}

/** A run from a base: with what it has made of the frames and facts since, and the base that follows. */
export interface Advanced extends Omit<Base, "state"> {
  readonly ran: Run;
  readonly tip: Base;
}

export function advanceBase(
  base: Base,
  frames: readonly Frame[],
  tracked: TrackedContext,
  silentAt: number | null,
): Advanced {
  const ran = run(base.state, frames, tracked.derivation);
  const tip = tipOf(tracked, ran.after, silentAt);
  const final = factRows(tracked, ran.finalFacts);
  return {
    ran,
    tip,
    frames: [...ran.finalFrames, ...tip.frames],
    facts: final.length === 0 ? tip.facts : [...final, ...tip.facts],
  };
}

/** The recent bases after a run. When the nearer one is too far back, it becomes the other, and a new one begins. */
export function recentsAfter(recents: Recents, from: Base, advanced: Advanced): Recents {
  const [nearer, farther] = recents;
  const near = extended(nearer, from, advanced, nearFrames);
  if (near !== null) return [near, extended(farther, from, advanced, farFrames)];
  const { frames, facts } = advanced;
  const begun = { state: from.state, frames, facts };
  const far = extended(nearer, from, advanced, farFrames) ?? extended(farther, from, advanced, farFrames);
  return [
    frames.length > nearFrames ? midwayIn(advanced) : begun,
    far ?? (frames.length > farFrames ? midwayIn(advanced) : begun),
  ];
}

/** A base of before a run, with what the run has made; null if it is not before it, or too many frames ago. */
function extended(recent: Base | null, from: Base, { frames, facts }: Advanced, max: number): Base | null {
  if (recent === null || from.state.place === null || !isAfter(from.state.place, recent.state)) return null;
  // What was open at the start of this run is in both.
  const count = recent.frames.length - from.frames.length;
  if (count + frames.length > max) return null;
  const earlier = recent.facts.filter((fact) => !from.facts.includes(fact));
  return { state: recent.state, frames: [...recent.frames.slice(0, count), ...frames], facts: [...earlier, ...facts] };
}

function midwayIn({ ran: { midway }, frames, facts }: Advanced): Base | null {
  if (midway === null) return null;
  return { state: midway.state, frames: frames.slice(midway.finalFrames), facts: facts.slice(midway.finalFacts) };
}
