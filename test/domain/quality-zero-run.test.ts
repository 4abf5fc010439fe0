import { describe, expect, test } from "bun:test";
import type { Frame } from "../../src/domain/frame.ts";
import { run, seen } from "./support/quality-frames.ts";

const times = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));

/** Frames in steady steps at a steady speed, which is not the one reported. */
const drive = (count: number, step: number, kmh: number, reportedKmh: number): Frame[] =>
  times(count, (index) => seen(index * step, (index * step * kmh) / 3.6, { speed_kmh: reportedKmh }));

/** How many frames it takes until the speed is not believed; null if it is to the end. */
const believedFrames = (frames: readonly Frame[]) => {
  const { all } = run(frames);
  const first = all.findIndex(({ verdict, speedKmh }) => verdict.valid && speedKmh === null);
  return first < 0 ? null : first;
};

describe("a speed of 0 while the positions drive", () => {
  test.each([
    [1, 60],
    [10, 6],
    [15, 4],
    [30, 4],
    [60, 4],
  ])("every %d s is not believed after %d legs: a minute, and four", (step, legs) => {
    expect(believedFrames(drive(100, step, 50, 0))).toBe(legs);
    expect(believedFrames(drive(100, step, 30.1, 3))).toBe(legs);
  });

  test("is believed if they are slow, if it is some speed, or if the legs are long", () => {
    expect(believedFrames(drive(200, 1, 29.9, 0))).toBeNull();
    expect(believedFrames(drive(200, 1, 50, 3.1))).toBeNull();
    expect(believedFrames(drive(50, 61, 50, 0))).toBeNull();
  });

  test("is believed of a vehicle that stands at the end of most legs, but not of all", () => {
    const frames = times(60, (index) => seen(index * 30, index * 400, { speed_kmh: index % 4 === 3 ? 48 : 0 }));
    expect(believedFrames(frames)).toBeNull();
  });

  test("is believed of a parked vehicle whose places scatter by far each second", () => {
    const frames = times(600, (index) => seen(index, (index % 2) * 30, { speed_kmh: 0 }));
    expect(believedFrames(frames)).toBeNull();
  });

  test("is not believed on, moving or parked, until another speed is reported", () => {
    const stuck = drive(70, 1, 50, 0);
    const metres = (69 * 50) / 3.6;
    const parked = times(10, (index) => seen(70 + index, metres, { speed_kmh: 0 }));
    const driven = [seen(80, metres + 10, { speed_kmh: 20 }), seen(81, metres + 12, { speed_kmh: 0 })];
    const speeds = run([...stuck, ...parked, ...driven]).all.map(({ speedKmh }) => speedKmh);
    expect(speeds.slice(70)).toEqual([...times(10, () => null), 20, 0]);
  });
});

describe("satellites", () => {
  const words = (...satellites: (number | null)[]) =>
    run(satellites.map((count, index) => seen(index * 10, 0, { satellites: count }))).words;

  test("are not counted by a tracker that always reports none", () => {
    expect(words(0, null, 0, 0)).toEqual(["valid", "valid", "valid", "valid"]);
  });

  test("are too few below 4 once any was reported", () => {
    expect(words(0, 3, 0, 4, 0)).toEqual(["valid", "low_satellites", "low_satellites", "valid", "low_satellites"]);
  });
});
