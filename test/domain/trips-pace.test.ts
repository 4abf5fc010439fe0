import { describe, expect, test } from "bun:test";
import {
  gapMs,
  longestUnseenStartMs,
  type Pace,
  paceAfter,
  silenceMs,
  slowGapMs,
  unknownPace,
  usualMs,
} from "../../src/domain/trips/pace.ts";
import { legOf } from "./support/trips-legs.ts";

const every = (seconds: number): Pace => [seconds, seconds, seconds, seconds, seconds];

describe("how often a device reports", () => {
  test.each([
    ["driven", 60, 1000, null, [60]],
    ["of 99.999 m without a speed, perhaps drift", 60, 99.999, null, []],
    ["of 100.001 m without a speed", 60, 100.001, null, [60]],
    ["of 99.999 m that ends in motion", 60, 99.999, 5, [60]],
    ["of 99.999 m that does not", 60, 99.999, 4.999, []],
    ["at less than 5 km/h, when it stood for most of it", 600, 833.3, 50, []],
    ["at 5 km/h", 600, 833.4, 50, [600]],
    ["of no time", 0, 500, 50, []],
    ["of a moment", 0.2, 20, 72, [1]],
    ["of 1.4 s", 1.4, 20, 72, [1]],
    ["of 1.5 s", 1.5, 20, 72, [2]],
    ["of an hour", 3600, 90_000, 90, [3600]],
    ["of more than an hour", 3601, 90_000, 90, [3600]],
  ])("is known from each leg %s", (_, seconds, metres, toKmh, pace) => {
    expect(paceAfter(unknownPace, legOf(seconds, metres, 50, toKmh))).toEqual(pace);
  });

  test("is the middle of its last five legs", () => {
    let pace = unknownPace;
    for (const seconds of [60, 10, 10, 300, 10]) pace = paceAfter(pace, legOf(seconds, seconds * 10, 36, 36));
    expect(pace).toEqual([60, 10, 10, 300, 10]);
    expect(usualMs(pace)).toBe(10_000);
    for (const seconds of [60, 60]) pace = paceAfter(pace, legOf(seconds, seconds * 10, 36, 36));
    expect(pace).toEqual([10, 300, 10, 60, 60]);
    expect(usualMs(pace)).toBe(60_000);
  });

  test.each([
    [[], 0],
    [[30], 30],
    [[30, 90], 30],
    [[90, 30, 60], 60],
    [[1, 2, 3, 4], 2],
  ])("is the lower middle of fewer: %p is %p s", (pace, seconds) => expect(usualMs(pace)).toBe(seconds * 1000));

  test("is the same state while nothing changes", () => {
    const pace = every(10);
    expect(paceAfter(pace, legOf(10, 100, 36, 36))).toBe(pace);
    expect(paceAfter(pace, legOf(900, 10, 0, 0))).toBe(pace);
  });
});

describe("what is long for a device", () => {
  test.each([
    ["that is unknown", [], 300, 180, 300, 3600, 600],
    ["that reports every second", every(1), 300, 180, 300, 3600, 60],
    ["that reports every 30 s", every(30), 300, 180, 300, 3600, 180],
    ["that reports every 31 s", every(31), 300, 180, 300, 3600, 186],
    ["that reports every 61 s", every(61), 300, 183, 300, 3600, 366],
    ["that reports every 100 s", every(100), 300, 300, 300, 3600, 600],
    ["that reports every 101 s", every(101), 303, 303, 303, 3600, 606],
    ["that reports every ten minutes", every(600), 1800, 1800, 1800, 3600, 3600],
    ["that reports every 900 s", every(900), 2700, 2700, 2700, 3600, 5400],
    ["that reports every 901 s", every(901), 2703, 2703, 2703, 3604, 5406],
  ])("%s", (_, pace: Pace, gap, slowGap, slowGapOn, silence, unseenStart) => {
    expect({
      gap: gapMs(pace) / 1000,
      slowGap: slowGapMs(pace, false) / 1000,
      slowGapOn: slowGapMs(pace, true) / 1000,
      silence: silenceMs(pace) / 1000,
      unseenStart: longestUnseenStartMs(pace) / 1000,
    }).toEqual({ gap, slowGap, slowGapOn, silence, unseenStart });
  });
});
