import { describe, expect, test } from "bun:test";
import { AccountFences } from "../../src/derive/fence-index.ts";
import type { DeviceContext } from "../../src/domain/device-context.ts";
import { emptyFold, foldFrame, snapshotOf } from "../../src/domain/fold.ts";
import { compareFrames, type Frame } from "../../src/domain/frame.ts";
import { utc } from "../../src/domain/time/time-zone.ts";
import { carryTotals, joinTotals, splitTotals } from "../../src/domain/totals.ts";
import { openTripStart } from "../../src/domain/trips/trips.ts";
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

/** Rules read these of a course while the trip goes on, so states are alike only if they are the same. */
const readByRules = [
  "pathMm",
  "speedMm",
  "chordMm",
  "trapezoidMm",
  "longestMm",
  "mostMm",
  "slackMm",
  "lowMm",
  "cardAt",
];

/** The names of the numbers in a part of a state that are not 0, but for those that belong to the rest. */
const numbersIn = (part: object, others: readonly string[]) =>
  Object.entries(part).flatMap(([name, value]) =>
    typeof value === "number" && value !== 0 && !others.includes(name) ? [name] : [],
  );

test("no number of an open day or trip is left out of the totals, but what rules read", () => {
  let driving = 0;
  let open = 0;
  for (let round = 0; round < 6; round++) {
    for (const { rest, totals } of statesAfter(framesOf(seed + round, 220)).values()) {
      const { trips, mileage } = JSON.parse(rest).rest;
      expect(totals.days).toHaveLength(mileage.days.length);
      for (const day of mileage.days) {
        open++;
        expect(numbersIn(day, ["day", "endsAt", "sinceMm", "earlierMm"])).toEqual([]);
      }
      if (totals.trip === null) continue;
      driving++;
      expect(totals.trip.startedAt).toBe(trips.start.at);
      for (const course of [trips.course, trips.dwell]) expect(numbersIn(course, readByRules)).toEqual([]);
    }
  }
  expect(driving).toBeGreaterThan(0);
  expect(open).toBeGreaterThan(0);
});

test("the totals of a trip are apart only once it is reported, and while nothing shows that it may have gone on", () => {
  let [split, whole] = [0, 0];
  for (let round = 0; round < 6; round++) {
    let fold = emptyFold;
    for (const frame of framesOf(seed + round, 220)) {
      fold = foldFrame(fold, frame, context).fold;
      const { trips } = fold.tip;
      const isApart = splitTotals(fold.tip).totals.trip !== null;
      const hasOneWay = trips.phase === "driving" && trips.leaving === null && trips.arrived === null;
      const isReported = hasOneWay && openTripStart(trips) !== null;
      expect(isApart).toBe(isReported);
      if (isApart) split++;
      else if (trips.phase === "driving") whole++;
    }
  }
  expect(split).toBeGreaterThan(0);
  expect(whole).toBeGreaterThan(0);
});

describe("the totals of a trip are not carried", () => {
  const tally = (mm: number) => ({ sums: [mm, 0, 0, 0, 2], maxima: [50, null, 5] });
  const trip = (course: number, dwell: number, chordMm = 0, startedAt = 1) => ({
    days: [],
    trip: { startedAt, bounded: [chordMm, chordMm, chordMm, chordMm], course: tally(course), dwell: tally(dwell) },
    stop: null,
  });
  const none = { days: [], trip: null, stop: null };
  const later = trip(900, 700);

  test.each([
    ["a change up to the dwell", trip(100, 100), trip(130, 130), trip(930, 730)],
    ["no change", trip(100, 100), trip(100, 100), later],
    ["a change since the dwell", trip(100, 100), trip(130, 100), null],
    ["another change since the dwell", trip(100, 100), trip(130, 120), null],
    ["a change of what is bounded over the trip", trip(100, 100), trip(100, 100, 30), null],
    ["a trip that is none", trip(100, 100), none, null],
  ])("but for a change up to the dwell: %s", (_, before, after, carried) => {
    expect(carryTotals(before, after, later)).toEqual(carried);
  });

  test("nor over the end of the trip or of a day", () => {
    expect(carryTotals(trip(100, 100), trip(130, 130), none)).toBeNull();
    expect(carryTotals(trip(100, 100), trip(130, 130), trip(900, 700, 0, 3))).toBeNull();
    const day = (mm: number, number = 1) => ({ days: [{ day: number, ...tally(mm) }], trip: null, stop: null });
    expect(carryTotals(day(1), day(2), day(9))).toEqual(day(10));
    expect(carryTotals(day(1), day(2), day(9, 2))).toBeNull();
    expect(carryTotals(day(1), none, day(9))).toBeNull();
  });

  test("nor those of a stop over its end", () => {
    const stop = (ms: number, startedAt = 1) => ({ ...none, stop: { startedAt, sums: [ms], maxima: [5] } });
    expect(carryTotals(stop(10), stop(12), stop(50))).toEqual(stop(52));
    expect(carryTotals(stop(10), stop(12), stop(50, 2))).toBeNull();
    expect(carryTotals(stop(10), stop(12), none)).toBeNull();
    expect(carryTotals(stop(10), stop(10), none)).toEqual(none);
  });

  test("but the dwell is that of the earlier state, if it is still the same one", () => {
    expect(carryTotals(trip(300, 100), trip(330, 130), trip(900, 100))).toEqual(trip(930, 130));
  });
});

test("a maximum that fell is known later only where something higher came", () => {
  const day = (maxSpeedKmh: number) => ({
    days: [{ day: 1, sums: [0, 0, 0, 0, 0], maxima: [maxSpeedKmh, 5] }],
    trip: null,
    stop: null,
  });
  expect(carryTotals(day(90), day(80), day(90))).toBeNull();
  expect(carryTotals(day(90), day(80), day(100))).toEqual(day(100));
  expect(carryTotals(day(90), day(95), day(90))).toEqual(day(95));
  expect(carryTotals(day(90), day(95), day(100))).toEqual(day(100));
});
