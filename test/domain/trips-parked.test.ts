import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { JudgedFrame } from "../../src/domain/verdict.ts";
import { forAll } from "../support/for-all.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { drive, follow, going, judged, type Moment, type Outcome } from "./support/trips-drive.ts";

const seed = announcedSeed("parked");
const degreesPerMetre = 1 / 111_195.08;

const kilometres = ({ days }: Outcome) => days.reduce((sum, { distanceMm }) => sum + distanceMm, 0) / 1e6;
const tripsOf = ({ trips, open }: Outcome) => (open === null ? trips : [...trips, open]);

/** A day of a parked vehicle whose positions are off by white noise in both directions. */
function parkedDay(sigma: number, step: number, speed: (random: () => number) => number | null, of: number) {
  const random = randomNumbers(of);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const frames: JudgedFrame[] = [];
  for (let second = 0; second < 86_400; second += step) {
    const moment = { second, metres: sigma * normal(), kmh: speed(random) };
    frames.push(judged(moment, 0, 10 + sigma * normal() * degreesPerMetre));
  }
  return follow(frames);
}

describe("a parked vehicle has no trip and no kilometre in a day of white noise", () => {
  for (const sigma of [5, 10, 20]) {
    test.each([
      ["no speed", () => null],
      ["a speed of 0", () => 0],
      ["a speed around 2 km/h", (random: () => number) => 4 * random()],
    ])(`σ ${sigma} m, with %s, every 10, 60 and 300 s`, (_, speed) => {
      for (const step of [10, 60, 300]) {
        for (const round of step === 10 ? [0] : [0, 1, 2]) {
          const outcome = parkedDay(sigma, step, speed, seed + round);
          expect([step, tripsOf(outcome).length, kilometres(outcome)]).toEqual([step, 0, 0]);
        }
      }
    });
  }
});

/** Drives, stands for some minutes at one place that wavers, and drives on. */
const stops = fc.record({
  step: fc.constantFrom(5, 10, 20, 30),
  minutes: fc.integer({ min: 6, max: 20 }),
  wavers: fc.array(fc.integer({ min: -12, max: 12 }), { minLength: 7, maxLength: 7 }),
  hasSpeed: fc.boolean(),
  on: fc.constantFrom<boolean | null>(true, null),
  frame: fc.nat(),
  says: fc.constantFrom("as the last", "0 km/h"),
});

type Stop = typeof stops extends fc.Arbitrary<infer Value> ? Value : never;

/** The frames of the stop, and the first of them, by place in the list. */
function stopping({ step, minutes, wavers, hasSpeed, on }: Stop) {
  const arriving = going(0, 600, step, 0, 36, on);
  const arrivedAt = 600 + step;
  const leftAt = arrivedAt + step * Math.floor((minutes * 60) / step);
  const standing = going(arrivedAt, leftAt, step, 6030, 0, on).map((moment, index) => ({
    ...moment,
    metres: 6030 + (wavers[index % 7] ?? 0),
  }));
  const leaving = going(leftAt + step, leftAt + 600, step, 6030 + 10 * step, 36, on);
  const moments = [...arriving, ...standing, ...leaving].map((moment) =>
    hasSpeed ? moment : { ...moment, kmh: null },
  );
  return { moments, first: arriving.length, count: standing.length };
}

/** The moments with one of them said again, each time a second later. */
function repeating(moments: readonly Moment[], index: number, times: number, kmh: number | null): Moment[] {
  const last = moments[index];
  if (last === undefined) throw new Error("a moment");
  const again = Array.from({ length: times }, (_, count) => ({ ...last, kmh, second: last.second + count + 1 }));
  return [...moments.slice(0, index + 1), ...again, ...moments.slice(index + 1)];
}

const minuteOf = ({ second }: Moment) => Math.floor(second / 60);

describe("a tracker that repeats its last place a second later while it stands", () => {
  const repeats = (
    times: (step: number) => number,
    check: (before: Outcome, after: Outcome, isNewMinute: boolean) => void,
  ) =>
    forAll(60, [stops], (stop) => {
      const { moments, first, count } = stopping(stop);
      // From 180 s of standing on, but for the last frame: from there it drives off.
      const earliest = Math.ceil(180 / stop.step) + 1;
      const index = first + earliest + (stop.frame % (count - earliest - 1));
      const last = moments[index] as Moment;
      const kmh = stop.hasSpeed && stop.says === "0 km/h" ? 0 : (last.kmh ?? null);
      const said = repeating(moments, index, times(stop.step), kmh);
      const isNewMinute = minuteOf(last) !== minuteOf(said[index + times(stop.step)] as Moment);
      check(drive(moments), drive(said), isNewMinute);
    });

  const outline = (outcome: Outcome) =>
    tripsOf(outcome).map(({ startedAt, endedAt, endReason }) => [startedAt, endedAt, endReason]);

  test("has the same trips and, to some metres, the same kilometres", () => {
    repeats(
      () => 1,
      (before, after, isNewMinute) => {
        // The middle of the places that say where the vehicle stands may be another one of them now.
        expect(Math.abs(kilometres(after) - kilometres(before))).toBeLessThan(0.025);
        // The first place of each minute is one of those, too.
        if (!isNewMinute) expect(outline(after)).toEqual(outline(before));
      },
    );
  });

  test("has as many trips and, to some metres, the same kilometres however often it does", () => {
    repeats(
      (step) => step - 1,
      (before, after) => {
        expect(tripsOf(after)).toHaveLength(tripsOf(before).length);
        // A place that is reported twenty times in a row weighs more in the middle of the stand.
        expect(Math.abs(kilometres(after) - kilometres(before))).toBeLessThan(0.025);
      },
    );
  });

  test("has the same kilometres although its place is far from the middle of its stand", () => {
    const parked: Moment[] = [...going(0, 600, 60, 0, 0, null), { second: 900, metres: 60, kmh: 0 }];
    const leaving = going(930, 1500, 10, 300, 36, null);
    const before = drive([...parked, ...leaving]);
    const after = drive([...parked, { second: 901, metres: 60, kmh: 0 }, ...leaving]);
    expect(tripsOf(after)).toHaveLength(1);
    expect(kilometres(after)).toBe(kilometres(before));
  });
});
