import { expect, test } from "bun:test";
import fc from "fast-check";
import { compareFrames, type FramePlace, placeKey } from "../../src/domain/frame.ts";
import { isTimeReason, type Verdict } from "../../src/domain/verdict.ts";
import type { StoredFrame } from "../../src/store/blocks/stored-frame.ts";
import type { Database, Transaction } from "../../src/store/database.ts";
import { foldProgress, notBegun, saveFolds } from "../../src/store/facts/folds.ts";
import { framesPerBlock } from "../../src/store/frames/frame-blocks.ts";
import { type FrameWrites, storeFrames } from "../../src/store/frames/frame-writes.ts";
import { dropFramesUntil } from "../../src/store/upkeep/old-frames.ts";
import { anyFrame, ordinary, timelyVerdicts } from "../support/any-frame.ts";
import { blocksOf } from "../support/block-rules.ts";
import { onEachEngine } from "../support/engines.ts";
import { beginFleets } from "../support/fleet-revisions.ts";
import { forgetFrames } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { everyFrame, rowOf } from "../support/stored-frames.ts";

const seed = announcedSeed("frames that are stored");
const begin = Date.UTC(2026, 0, 1);
const accountId = 1;
/** Enough for some of them to be stored in one row. */
const devices = [1, 2, 3, 4, 5, 6, 7];
const pool = fc.sample(anyFrame(ordinary, timelyVerdicts), { seed, numRuns: 400 });
const fromTheFuture: Verdict = { valid: false, rejectReason: "future_time", discontinuity: false };

type Writes = Pick<FrameWrites, "added" | "judgedAnew" | "removed">;
const nothingToDo: Writes = { added: [], judgedAnew: [], removed: [] };

/** What the store should have of a device, kept as simply as can be. */
class Device {
  readonly key: { readonly accountId: number; readonly device: number };
  #frames = new Map<string, StoredFrame>();
  /** Null once something has changed. */
  #inOrder: StoredFrame[] | null = null;
  /** Of the last frame in order. */
  clock = begin;
  head: FramePlace | null = null;

  constructor(device: number) {
    this.key = { accountId, device };
  }

  get frames(): readonly StoredFrame[] {
    this.#inOrder ??= [...this.#frames.values()].sort((one, other) => compareFrames(one.frame, other.frame));
    return this.#inOrder;
  }

  take({ added, judgedAnew, removed }: Writes): void {
    this.#inOrder = null;
    for (const { frame, verdict } of added) {
      if (isTimeReason(verdict.rejectReason)) continue;
      if (this.head === null || compareFrames(frame, this.head) > 0) this.head = frame;
    }
    for (const place of removed) this.#frames.delete(placeKey(place));
    for (const stored of [...added, ...judgedAnew]) {
      const key = placeKey(stored.frame);
      this.#frames.set(key, { ...stored, timelyAt: stored.timelyAt ?? this.#frames.get(key)?.timelyAt ?? null });
    }
  }

  drop(until: number): number {
    this.#inOrder = null;
    const old = [...this.#frames].filter(
      ([, { frame, verdict }]) => frame.recordedAt <= until && !isTimeReason(verdict.rejectReason),
    );
    for (const [key] of old) this.#frames.delete(key);
    return old.length;
  }
}

/** Stores what is to be written of each device in one transaction, as ingest does. */
function store(database: Database, writes: readonly (readonly [Device, Writes])[]): Promise<void> {
  return database.transaction(async (tx) => {
    const all: FrameWrites[] = [];
    for (const [{ key }, given] of writes) {
      const progress = await foldProgress(tx, key);
      all.push({ ...key, untimelyUntil: progress.untimelyUntil, head: progress.head, sealing: progress, ...given });
    }
    const sealings = await storeFrames(tx, accountId, all);
    for (const [device, given] of writes) {
      device.take(given);
      const untimely = device.frames.filter(({ verdict }) => isTimeReason(verdict.rejectReason));
      const { untimelyUntil: before } = await foldProgress(tx, device.key);
      const latest = Math.max(before ?? 0, ...untimely.map(({ frame }) => frame.recordedAt));
      const untimelyUntil = untimely.length === 0 ? before : latest;
      await saveFolds(tx, [
        {
          ...notBegun,
          ...device.key,
          revision: 1,
          head: device.head,
          untimelyUntil,
          ...sealings.get(device.key.device),
        },
      ]);
    }
  });
}

async function begun(database: Database): Promise<Device[]> {
  await forgetFrames(database);
  const all = devices.map((device) => new Device(device));
  await database.transaction(async (tx) => {
    await beginFleets(tx, [accountId]);
    await saveFolds(
      tx,
      all.map(({ key }) => ({ ...notBegun, ...key, revision: 1 })),
    );
  });
  return all;
}

async function expectAll(database: Database, all: readonly Device[]): Promise<void> {
  for (const { key, frames } of all) {
    expect((await blocksOf(database, key)).faults).toEqual([]);
    const stored = await everyFrame(database, key);
    expect(stored.map(rowOf)).toEqual(frames.map((frame) => rowOf({ ...frame, ...key })));
  }
}

const isTimely = ({ verdict }: StoredFrame) => !isTimeReason(verdict.rejectReason);

class Sender {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  frameAt(recordedAt: number, verdict?: Verdict): StoredFrame {
    const given = pool[this.below(pool.length)] as StoredFrame;
    const { timelyAt, frame } = given;
    const digest = this.below(Number.MAX_SAFE_INTEGER);
    return { timelyAt: timelyAt ?? null, verdict: verdict ?? given.verdict, frame: { ...frame, recordedAt, digest } };
  }

  /** The next ones in order, some of one time. They may change the verdicts of those just before. */
  live(device: Device, most: number): Writes {
    const before = device.frames.slice(-10).filter(isTimely);
    const added = Array.from({ length: 1 + this.below(most) }, () => {
      if (this.below(10) > 0) device.clock += 1 + this.below(20_000);
      return this.frameAt(device.clock);
    });
    return { ...nothingToDo, added, judgedAnew: this.judged(before.slice(this.below(20))) };
  }

  judged(stored: readonly StoredFrame[]): StoredFrame[] {
    return stored.map(({ frame }) => ({ frame, verdict: this.#oneOf(timelyVerdicts) }));
  }

  #oneOf<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  late(device: Device): Writes {
    const stored = device.frames;
    const added = Array.from({ length: 1 + this.below(this.below(8) === 0 ? 300 : 4) }, () => {
      const near = stored[this.below(stored.length)]?.frame.recordedAt ?? begin;
      const at = this.below(6) === 0 ? begin - this.below(1_000_000) : near + this.below(3) - 1;
      return this.frameAt(Math.min(at, device.clock));
    });
    return { ...nothingToDo, added };
  }

  /** Mostly of the newest, which are in rows. */
  some(device: Device, most: number, isWanted: (stored: StoredFrame) => boolean): StoredFrame[] {
    const stored = device.frames.filter(isWanted).slice(this.below(3) === 0 ? 0 : -40);
    const picked = Array.from({ length: this.below(most + 1) }, () => stored[this.below(stored.length)]);
    return [...new Set(picked)].filter((one) => one !== undefined);
  }

  /** One after the other, all frames of a block among them: a drive that is sent again. */
  #run(device: Device): StoredFrame[] {
    const stored = device.frames.filter(isTimely);
    const from = this.below(stored.length);
    return stored.slice(from, from + 3 * framesPerBlock);
  }

  /** Sent again, judged anew, with another place, and of no believable time, or believed at last. */
  other(device: Device): Writes {
    // Frames that leave blocks and rows are the most intricate, so every other time it is they.
    const kind = this.below(2) === 0 ? 3 : this.below(5);
    const known = this.below(3) === 0 ? this.#run(device) : this.some(device, kind === 1 ? 50 : 5, isTimely);
    const again = (stored: StoredFrame) => ({
      ...stored.frame,
      receivedAt: stored.frame.receivedAt - this.below(2) * 500,
    });
    if (kind === 0) {
      const added = known.map((stored) => ({ ...stored, frame: again(stored), timelyAt: this.below(2) || null }));
      // Some of them get another verdict by what came with them.
      return { ...nothingToDo, added, judgedAnew: this.below(2) === 0 ? [] : this.judged(known) };
    }
    if (kind === 1) {
      return { ...nothingToDo, judgedAnew: this.judged(known) };
    }
    if (kind === 2) {
      const removed = known.map(({ frame }) => frame);
      return { ...nothingToDo, removed, added: removed.map(({ recordedAt }) => this.frameAt(recordedAt - 7)) };
    }
    const timelyAt = begin + this.below(1000);
    if (kind === 3) {
      const unbelieved = known.map((stored) => ({ ...stored, verdict: fromTheFuture, timelyAt }));
      const at = device.clock + this.below(2_000_000) - 1_000_000;
      return { ...nothingToDo, added: [...unbelieved, this.frameAt(at, fromTheFuture)] };
    }
    const ahead = this.some(device, 5, (stored) => !isTimely(stored));
    const believed = ahead.map(({ frame }) => ({ ...this.frameAt(0), frame, timelyAt }));
    for (const { frame } of believed) device.clock = Math.max(device.clock, frame.recordedAt);
    return { ...nothingToDo, added: believed };
  }
}

/** Drops until it is done, a few blocks at a time. */
async function dropAll(tx: Transaction, { key }: Device, until: number, maxBlocks: number): Promise<number> {
  for (let count = 0; ; ) {
    const dropped = await dropFramesUntil(tx, key, until, maxBlocks);
    count += dropped.count;
    if (dropped.isDone) return count;
  }
}

onEachEngine("frames that are stored", (engine) => {
  const shared = engine.shared(async ({ database }) => database);

  test("are all there once, in blocks that never overlap, whatever comes in whatever batches", async () => {
    const database = shared();
    for (let round = 0; round < rounds(1, 2); round++) {
      const random = randomNumbers(seed + round);
      const sender = new Sender(random);
      const all = await begun(database);
      for (let step = 0; step < rounds(40, 60); step++) {
        const concerned = all.filter(() => random() < 0.7);
        const kind = random();
        await store(
          database,
          concerned.map((device) => {
            const own = random();
            if (kind < 0.5 || own < 0.2) return [device, sender.live(device, own < 0.6 ? 12 : 150)];
            return [device, own < 0.5 ? sender.late(device) : sender.other(device)];
          }),
        );
        const [device] = concerned;
        if (device !== undefined && random() < 0.06) {
          const stored = device.frames;
          const until = stored[sender.below(Math.ceil(stored.length / 4))]?.frame.recordedAt ?? 0;
          const count = await database.transaction((tx) => dropAll(tx, device, until, 1 + sender.below(3)));
          expect(count).toBe(device.drop(until));
        }
        if (step % 5 === 0) await expectAll(database, all);
      }
      await expectAll(database, all);
    }
  });

  test("may be received again and judged anew at once", async () => {
    const database = shared();
    const sender = new Sender(randomNumbers(seed));
    const all = await begun(database);
    const [device] = all as [Device];
    const first = { ...sender.frameAt(begin, timelyVerdicts[0]), timelyAt: null };
    await store(database, [[device, { ...nothingToDo, added: [first] }]]);
    const again = { ...first, frame: { ...first.frame, receivedAt: first.frame.receivedAt - 500 } };
    const judgedAnew = [{ ...again, verdict: timelyVerdicts[1] as Verdict }];
    await store(database, [[device, { ...nothingToDo, added: [again], judgedAnew }]]);
    await expectAll(database, all);
  });

  test.each([1, 17, 39, 500])("fill their blocks, in batches of %d", async (size) => {
    const database = shared();
    const sender = new Sender(randomNumbers(seed));
    const [device] = (await begun(database)) as [Device];
    const total = size === 1 ? 280 : 800;
    while (device.frames.length < total) {
      const frames = Array.from({ length: size }, () => {
        device.clock += 1_000;
        return sender.frameAt(device.clock);
      });
      await store(database, [[device, { ...nothingToDo, added: frames }]]);
    }
    await expectAll(database, [device]);
    const { counts } = await blocksOf(database, device.key);
    // One of 80 is not opened again.
    expect(counts.slice(0, -1).filter((count) => count < 80 || count > framesPerBlock)).toEqual([]);
    const inBlocks = counts.reduce((sum, count) => sum + count, 0);
    expect(device.frames.length - inBlocks).toBeWithin(8, 48);
  });

  test("that are late do not make small blocks, nor large ones", async () => {
    const database = shared();
    const random = randomNumbers(seed);
    const sender = new Sender(random);
    const [device] = (await begun(database)) as [Device];
    for (let step = 0; step < rounds(75, 120); step++) {
      const isLate = step % 3 > 0;
      await store(database, [[device, isLate ? sender.late(device) : sender.live(device, 12)]]);
    }
    await expectAll(database, [device]);
    const { counts } = await blocksOf(database, device.key);
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    expect(mean).toBeWithin(0.7 * framesPerBlock, 2 * framesPerBlock);
  });

  test.each(["removed", "no longer believed"])("leave no block behind if all frames in it are %s", async (what) => {
    const database = shared();
    const sender = new Sender(randomNumbers(seed));
    const [device] = (await begun(database)) as [Device];
    while (device.frames.length < 4 * framesPerBlock) await store(database, [[device, sender.live(device, 60)]]);
    for (const which of [0, 1, -1]) {
      const { counts } = await blocksOf(database, device.key);
      const count = counts.at(which) ?? 0;
      const from = counts.slice(0, which).reduce((sum, each) => sum + each, 0);
      const all = device.frames.filter(isTimely).slice(from, from + count);
      const unbelieved = all.map((stored) => ({ ...stored, verdict: fromTheFuture, timelyAt: begin }));
      const writes = what === "removed" ? { removed: all.map(({ frame }) => frame) } : { added: unbelieved };
      await store(database, [[device, { ...nothingToDo, ...writes }]]);
      await expectAll(database, [device]);
      expect((await blocksOf(database, device.key)).counts).toEqual(counts.toSpliced(which, 1));
    }
    for (let batch = 0; batch < 5; batch++) await store(database, [[device, sender.live(device, 30)]]);
    await expectAll(database, [device]);
  });

  test("by the thousand for one time are in one block", async () => {
    const database = shared();
    const sender = new Sender(randomNumbers(seed));
    const [device] = (await begun(database)) as [Device];
    await store(database, [[device, sender.live(device, 150)]]);
    device.clock += 5_000;
    for (let batch = 0; batch < 5; batch++) {
      const added = Array.from({ length: 400 }, () => sender.frameAt(device.clock));
      await store(database, [[device, { ...nothingToDo, added }]]);
    }
    device.clock += 1;
    await store(database, [[device, sender.live(device, 50)]]);
    await expectAll(database, [device]);
    expect(Math.max(...(await blocksOf(database, device.key)).counts)).toBeGreaterThanOrEqual(2_000);
  });
});

onEachEngine("frames that are too old", (engine) => {
  test("are dropped by whole blocks, and the block that the moment is in is trimmed", async () => {
    const { database } = await engine.fresh();
    const sender = new Sender(randomNumbers(seed));
    const [device, other] = (await begun(database)) as [Device, Device];
    for (const one of [device, other]) await store(database, [[one, sender.live(one, 1)]]);
    while (device.frames.length < 700) {
      await store(database, [
        [device, sender.live(device, 60)],
        [other, sender.live(other, 20)],
      ]);
    }
    const before = (await blocksOf(database, device.key)).counts;
    const until = device.frames[3 * framesPerBlock + 40]?.frame.recordedAt ?? 0;
    const step = () => database.transaction((tx) => dropFramesUntil(tx, device.key, until, 2));
    const first = await step();
    // As if the program ended here: what is left is in order, and the next pass goes on.
    const left = await blocksOf(database, device.key);
    const gone = before.length - left.counts.length;
    expect([1, 2]).toContain(gone);
    expect(first).toEqual({ count: before.slice(0, gone).reduce((sum, count) => sum + count, 0), isDone: false });
    expect(left).toEqual({ counts: before.slice(gone), faults: [] });
    const rest = await database.transaction((tx) => dropAll(tx, device, until, 2));
    expect(first.count + rest).toBe(device.drop(until));
    const { counts } = await blocksOf(database, device.key);
    expect(counts.slice(1)).toEqual(before.slice(before.length - counts.length + 1));
    await expectAll(database, [device, other]);
    expect(await step()).toEqual({ count: 0, isDone: true });

    // Frames that are late come into the first block that is left, and live ones go on.
    await store(database, [[device, { ...nothingToDo, added: [sender.frameAt(until + 1), sender.frameAt(begin)] }]]);
    for (let batch = 0; batch < 5; batch++) await store(database, [[device, sender.live(device, 30)]]);
    await expectAll(database, [device, other]);

    // All of it, the rows as well.
    expect(await database.transaction((tx) => dropAll(tx, device, device.clock, 500))).toBe(device.drop(device.clock));
    await expectAll(database, [device, other]);
    await store(database, [[device, sender.late(device)]]);
    for (let batch = 0; batch < 5; batch++) await store(database, [[device, sender.live(device, 30)]]);
    await expectAll(database, [device, other]);
  });
});
