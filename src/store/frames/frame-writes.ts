import { compareFrames, type FramePlace } from "../../domain/frame.ts";
import { isTimeReason } from "../../domain/verdict.ts";
import { mergedFrames, type StoredFrame } from "../blocks/stored-frame.ts";
import type { Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { appendToBlocks, editBlocks } from "./frame-blocks.ts";
import { neighboursOf } from "./neighbours.ts";
import { type LineRow, lineRow, removeLine, saveLines } from "./recent-frames.ts";
import { saveShared, type WaitingFrame } from "./shared-rows.ts";
import { linesAt, setApart, takeRecent } from "./waiting-frames.ts";

/** Where a device's frames are: in blocks up to a time, in rows after it. */
export interface Sealing {
  readonly sealedUntil: number | null;
  /** About how many are in rows. */
  readonly recentFrames: number;
  /** The number of the neighbours with whose frames they are in one row; null: none is given yet. */
  readonly neighbours: number | null;
}

export interface FrameWrites extends DeviceKey {
  /** The latest stored time that is not believed; null if there never was one. */
  readonly untimelyUntil: number | null;
  readonly sealing: Sealing;
  /** The last frame in order. */
  readonly head: FramePlace | null;
  /** New frames, and stored ones with other times of receipt. */
  readonly added: readonly StoredFrame[];
  /** Stored frames with other verdicts. */
  readonly judgedAnew: readonly StoredFrame[];
  readonly removed: readonly FramePlace[];
}

/** The newest may still get another verdict, or others may come between them. */
const keptRecent = 8;
/** So many are moved from rows into blocks together: then a block is written twice, and the rows of a device fill one page. */
const toSeal = 40;
/** Each waits for some more, by the number of its neighbours: a fleet that began together does not seal together ever after. */
const toSealSpread = 9;
/** So many that come at once are moved at once: most of them are never in rows. */
const toSealAtOnce = 32;
/** Devices: what is made of their rows is garbage again before the next come. */
const sealedTogether = 50;

/** What is to be stored of a device that is later than its blocks. */
interface Recent {
  readonly writes: FrameWrites;
  readonly added: readonly StoredFrame[];
  readonly judgedAnew: readonly StoredFrame[];
  readonly sealing: Sealing;
}

/** Stores frames with their verdicts, and returns where each device's frames are then. The devices are held: `holdFolds`. */
export async function storeFrames(
  tx: Transaction,
  accountId: number,
  devices: readonly FrameWrites[],
): Promise<ReadonlyMap<number, Sealing>> {
  const neighbours = await neighboursOf(tx, accountId, devices);
  const recents: Recent[] = [];
  for (const writes of devices) {
    const { sealing, removed, untimelyUntil } = writes;
    const added = laterThanBlocks(writes, writes.added);
    const judgedAnew = laterThanBlocks(writes, writes.judgedAnew);
    const isOrdinary = added === writes.added && judgedAnew === writes.judgedAnew;
    if (!isOrdinary || removed.length > 0 || untimelyUntil !== null) await writeExceptions(tx, writes);
    const recentFrames = sealing.recentFrames + added.length;
    const after = { sealedUntil: sealing.sealedUntil, recentFrames, neighbours: neighbours(writes) };
    recents.push({ writes, added, judgedAnew, sealing: after });
  }
  const full = fullOnes(recents);
  const after = new Map<number, Sealing>();
  const waiting: WaitingFrame[] = [];
  const apart: LineRow[] = [];
  /** Written after the others: a frame that was received again may be judged anew, too. */
  const judged: LineRow[] = [];
  for (const recent of recents) {
    const { writes, added, judgedAnew, sealing } = recent;
    after.set(writes.device, sealing);
    if (full.has(recent)) continue;
    const { neighbours } = sealing;
    for (const stored of added) {
      if (mayShare(stored) && isNew(writes, stored))
        waiting.push({ accountId, device: writes.device, neighbours, stored });
      else apart.push(lineRow(writes, stored));
    }
    for (const stored of judgedAnew) judged.push(lineRow(writes, stored));
  }
  const toSealNow = [...full];
  for (let start = 0; start < toSealNow.length; start += sealedTogether) {
    for (const { device, kept, sealing } of await seal(tx, accountId, toSealNow.slice(start, start + sealedTogether))) {
      after.set(device, sealing);
      const { neighbours } = sealing;
      for (const stored of kept) {
        if (mayShare(stored)) waiting.push({ accountId, device, neighbours, stored });
        else apart.push(lineRow({ accountId, device }, stored));
      }
    }
  }
  for (const { device, stored } of await saveShared(tx, waiting)) apart.push(lineRow({ accountId, device }, stored));
  await saveLines(tx, "recent_frames", apart);
  await saveLines(tx, "recent_frames", judged);
  return after;
}

/** No row has it yet. */
function isNew({ head }: FrameWrites, { frame }: StoredFrame): boolean {
  return head === null || compareFrames(frame, head) > 0;
}

/** One that is judged anew gets a row of its own, which knows nothing of the receipts in the other. */
function mayShare({ timelyAt = null }: StoredFrame): boolean {
  return timelyAt === null;
}

/** Devices of which enough frames wait, and those of their neighbours of which almost enough do: their rows are taken out anyway. */
function fullOnes(recents: readonly Recent[]): ReadonlySet<Recent> {
  const full = new Set(
    recents.filter(({ added, sealing }) => added.length > 0 && spare(sealing) >= enough(added, sealing)),
  );
  const groups = new Set(Array.from(full, ({ sealing }) => sealing.neighbours).filter((group) => group !== null));
  if (groups.size === 0) return full;
  for (const recent of recents) {
    const { added, sealing } = recent;
    const isNear = sealing.neighbours !== null && groups.has(sealing.neighbours);
    if (isNear && added.length > 0 && spare(sealing) >= toSealAtOnce) full.add(recent);
  }
  return full;
}

function spare({ recentFrames }: Sealing): number {
  return recentFrames - keptRecent;
}

/** Neighbours wait for the same number. */
function enough(added: readonly StoredFrame[], { neighbours }: Sealing): number {
  return added.length < toSealAtOnce ? toSeal + ((neighbours ?? 0) % toSealSpread) : toSealAtOnce;
}

function isUntimely({ verdict }: StoredFrame): boolean {
  return isTimeReason(verdict.rejectReason);
}

function laterThanBlocks({ sealing }: FrameWrites, frames: readonly StoredFrame[]): readonly StoredFrame[] {
  if (frames.length === 0) return frames;
  const until = sealing.sealedUntil ?? Number.NEGATIVE_INFINITY;
  const isLater = (stored: StoredFrame) => stored.frame.recordedAt > until && !isUntimely(stored);
  return frames.every(isLater) ? frames : frames.filter(isLater);
}

/** The rare cases: late frames, those of no believable time, and those whose place has changed. */
async function writeExceptions(tx: Transaction, writes: FrameWrites): Promise<void> {
  const { accountId, device, sealing, untimelyUntil, added, judgedAnew, removed } = writes;
  const key = { accountId, device };
  const isSealed = ({ recordedAt }: FramePlace) => sealing.sealedUntil !== null && recordedAt <= sealing.sealedUntil;
  const untimely = added.filter(isUntimely);
  const timely = [...added, ...judgedAnew].filter((stored) => !isUntimely(stored));
  const wasUntimely = ({ recordedAt }: FramePlace) => untimelyUntil !== null && recordedAt <= untimelyUntil;
  const places = [...removed, ...added.map(({ frame }) => frame)].filter(wasUntimely);
  const times = new Set(places.map(({ recordedAt }) => recordedAt));
  for (const line of times.size === 0 ? [] : await linesAt(tx, "untimely_frames", key, times)) {
    const isMeant = places.some((place) => compareFrames(place, line) === 0);
    if (isMeant) await removeLine(tx, "untimely_frames", key, line);
  }
  // A frame whose time is not believed any more leaves its place in the order.
  const gone = [...removed, ...untimely.map(({ frame }) => frame)];
  if (gone.some((place) => !isSealed(place))) await setApart(tx, accountId, [sealing.neighbours]);
  for (const place of gone) if (!isSealed(place)) await removeLine(tx, "recent_frames", key, place);
  const saved = timely.filter(({ frame }) => isSealed(frame));
  const unsealed = gone.filter(isSealed);
  if (saved.length > 0 || unsealed.length > 0) await editBlocks(tx, { ...key, saved, removed: unsealed });
  await saveLines(
    tx,
    "untimely_frames",
    untimely.map((stored) => lineRow(key, stored)),
  );
}

interface Sealed {
  readonly device: number;
  readonly sealing: Sealing;
  readonly kept: readonly StoredFrame[];
}

/** Moves frames of these devices from rows into blocks, with those that are to be stored. */
async function seal(tx: Transaction, accountId: number, recents: readonly Recent[]): Promise<Sealed[]> {
  const groups = new Map(recents.map(({ writes, sealing }) => [writes.device, sealing.neighbours]));
  const stored = await takeRecent(tx, accountId, groups);
  const moved = new Map<number, readonly StoredFrame[]>();
  const sealed: Sealed[] = [];
  for (const { writes, added, judgedAnew, sealing } of recents) {
    const { device } = writes;
    const frames = mergedFrames([stored.get(device) ?? [], added, judgedAnew]);
    const count = frames.length - keptRecent < toSealAtOnce ? 0 : countToSeal(frames);
    if (count > 0) moved.set(device, frames.slice(0, count));
    const sealedUntil = frames[count - 1]?.frame.recordedAt ?? sealing.sealedUntil;
    const kept = frames.slice(count);
    sealed.push({ device, kept, sealing: { ...sealing, sealedUntil, recentFrames: kept.length } });
  }
  await appendToBlocks(tx, accountId, moved);
  return sealed;
}

/** Frames of one time stay together. */
function countToSeal(frames: readonly StoredFrame[]): number {
  const timeAt = (index: number) => frames[index]?.frame.recordedAt;
  let count = frames.length - keptRecent;
  while (count > 0 && timeAt(count) === timeAt(count - 1)) count--;
  return count === 0 ? frames.length : count;
}
