import { expect, test } from "bun:test";
import { AccountContexts } from "../../src/derive/context.ts";
import { reachedAt } from "../../src/derive/reached.ts";
import { canBeCheckpoint, type DerivedState, emptyState } from "../../src/derive/state.ts";
import { emptyFold, type TailFrame } from "../../src/domain/fold.ts";
import type { Frame } from "../../src/domain/frame.ts";
import { initialStages } from "../../src/domain/stages.ts";
import { accepted } from "../../src/domain/verdict.ts";
import type { DeviceKey } from "../../src/store/device-key.ts";
import { foundInEach } from "../../src/store/each-account.ts";
import { foldedDevices } from "../../src/store/facts/folds.ts";
import { onEachEngine } from "../support/engines.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { freshFleet, home, newYear, vanImei } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import { noReport } from "../support/random-drive.ts";
import { everyFrame } from "../support/stored-frames.ts";

const frameAt = (recordedAt: number, digest = 1): Frame => ({
  ...noReport,
  recordedAt,
  receivedAt: recordedAt,
  digest,
});

const tailOf = (frames: readonly Frame[]): TailFrame[] =>
  frames.map((frame) => ({
    judged: { frame, verdict: accepted, speedKmh: null },
    before: initialStages,
    facts: [],
  }));

const stateWith = (frames: readonly Frame[], place: Frame, finalAt = 0): DerivedState => ({
  ...emptyState,
  fold: { ...emptyFold, tail: tailOf(frames) },
  place,
  finalAt,
});

test("a state is stored between two moments, never amid the frames of one", () => {
  const state = stateWith([], frameAt(5));
  expect(canBeCheckpoint(emptyState, 5)).toBe(false);
  expect([4, 5, 6].map((nextAt) => canBeCheckpoint(state, nextAt))).toEqual([false, false, true]);
});

test("a state is not stored if a frame in doubt is of the same moment as one that is not", () => {
  const inDoubt = [frameAt(5), frameAt(6)];
  const isStored = (finalAt: number) => canBeCheckpoint(stateWith(inDoubt, frameAt(6), finalAt), 9);
  expect([4, 5, 6].map(isStored)).toEqual([true, false, false]);
});

onEachEngine("the stored frames in doubt", (engine) => {
  test("begin with the first one, though another of the same moment is final", async () => {
    const { database } = await freshFleet(engine);
    const drive = straightDrive({ imei: vanImei, from: home, beginAt: newYear, minutes: 2, kmh: 40, everyS: 10 });
    // Three of one moment.
    await take(database, [drive.flatMap((frame) => [0, 1, 2].map((altitude_m) => ({ ...frame, altitude_m })))]);
    const [key] = await foundInEach(database, (account) => foldedDevices(database, account));
    const tracked = (await new AccountContexts().ofDevice(database, key as DeviceKey))?.tracked;
    if (!tracked) throw new Error("the device is not tracked");
    const stored = (await everyFrame(database, key)).map(({ frame }) => frame);
    const [final, ...inDoubt] = stored.slice(12, 18) as [Frame, ...Frame[]];
    const openFrom = async (first: Frame) => {
      const state = stateWith([first, ...inDoubt.slice(1)], stored.at(-1) as Frame);
      return (await reachedAt(database, tracked, state)).open.map(({ frame }) => frame.digest);
    };
    const digests = inDoubt.map(({ digest }) => digest);
    expect(final.recordedAt).toBe(inDoubt[0]?.recordedAt as number);
    expect(await openFrom(inDoubt[0] as Frame)).toEqual(digests);
    // As close to the one before as can be.
    expect(await openFrom({ ...(inDoubt[0] as Frame), digest: final.digest + 1 })).toEqual(digests);
  });
});
