import { expect, test } from "bun:test";
import { AccountFences } from "../../src/derive/fence-index.ts";
import type { DeviceContext } from "../../src/domain/device-context.ts";
import { emptyFold, foldFrame, snapshotOf } from "../../src/domain/fold.ts";
import { compareFrames, type Frame } from "../../src/domain/frame.ts";
import { utc } from "../../src/domain/time-zone.ts";
import { carryTotals, joinTotals, splitTotals } from "../../src/domain/totals.ts";
import { arrivalOf } from "../../src/intake/arrival.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomDrive, randomNumbers } from "../support/random-drive.ts";

const seed = announcedSeed("totals");
const context: DeviceContext = {
  fuelTankCapacityL: null,
  zone: utc,
  alertRules: [],
  fences: new AccountFences([]).of(1),
};

function framesOf(drive: number, count: number): Frame[] {
  const beginAt = Date.UTC(2026, 0, 1, 20);
  const frames = randomDrive({ imei: "356938035643809", seed: drive, count, beginAt, leaps: false });
  return frames
    .map((frame) => arrivalOf(frame))
    .filter(({ timeProblem }) => timeProblem === null)
    .map(({ frame }) => frame)
    .sort(compareFrames);
}

/** The state after each frame, in its two parts, by the place of the frame. */
function statesAfter(frames: readonly Frame[]) {
  let fold = emptyFold;
  return new Map(
    frames.map((frame) => {
      fold = foldFrame(fold, frame, context).fold;
      const { judge, stages } = snapshotOf(fold);
      const { rest, totals } = splitTotals(stages);
      expect(joinTotals(rest, totals)).toEqual(stages);
      return [frame, { rest: JSON.stringify({ judge, rest }), totals }] as const;
    }),
  );
}

test("totals that are carried over frames are those that the frames lead to", () => {
  let carried = 0;
  let refused = 0;
  for (let round = 0; round < 24; round++) {
    const random = randomNumbers(seed + round);
    const frames = framesOf(seed + round, 220);
    const missing = frames[10 + Math.floor(random() * 100)];
    const asStored = statesAfter(frames.filter((frame) => frame !== missing));
    const asFound = statesAfter(frames);
    // States are compared where the frame that was missing has no effect but on totals.
    const alike = [...asStored].filter(
      ([frame, { rest }]) => compareFrames(frame, missing as Frame) > 0 && asFound.get(frame)?.rest === rest,
    );
    for (const [index, [frame, before]] of alike.entries()) {
      const after = asFound.get(frame)?.totals;
      const [laterFrame, later] = alike[index + Math.floor(random() * (alike.length - index))] ?? [frame, before];
      if (after === undefined) continue;
      const then = carryTotals(before.totals, after, later.totals);
      if (then === null) refused++;
      else {
        carried++;
        expect(then).toEqual(asFound.get(laterFrame)?.totals as typeof then);
      }
    }
  }
  expect(carried).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(0);
});

test("no number of an open day or trip is left out of the totals", () => {
  let driving = 0;
  for (const { rest } of statesAfter(framesOf(seed, 220)).values()) {
    const { trips, mileage } = JSON.parse(rest).rest;
    const { day: _, ...today } = mileage.current ?? {};
    expect(Object.values(today).filter((value) => typeof value === "number" && value !== 0)).toEqual([]);
    if (trips.phase !== "driving" || trips.course.positionCount > 0) continue;
    driving++;
    expect(Object.values(trips.course).filter((value) => typeof value === "number" && value !== 0)).toEqual([]);
  }
  expect(driving).toBeGreaterThan(0);
});

test("a maximum that fell is known later only where something higher came", () => {
  const day = (maxSpeedKmh: number) => ({
    days: [{ day: 1, sums: [0, 0, 0, 0, 0], maxima: [maxSpeedKmh, 5] }],
    trip: null,
  });
  expect(carryTotals(day(90), day(80), day(90))).toBeNull();
  expect(carryTotals(day(90), day(80), day(100))).toEqual(day(100));
  expect(carryTotals(day(90), day(95), day(90))).toEqual(day(95));
  expect(carryTotals(day(90), day(95), day(100))).toEqual(day(100));
});
