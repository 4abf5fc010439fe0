import { describe, expect, test } from "bun:test";
import type { Fix } from "../../src/domain/sighting.ts";
import {
  areTrusted,
  checked,
  noPairs,
  type Pairs,
  type SpeedCheck,
  scaleOf,
  sumOf,
} from "../../src/domain/speed-check.ts";
import { fixAt, placeAt } from "./support/trips-legs.ts";

/** What is known of the speeds of a tracker that drives straight on at `kmh` and reports `reportedKmh`. */
function after(seconds: number, kmh: number, reportedKmh: number | null, step = 10, before: SpeedCheck | null = null) {
  const fixes = Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) =>
    fixAt(index * step, (index * step * kmh) / 3.6, { speedKmh: reportedKmh }),
  );
  return fixes.reduce<SpeedCheck | null>(
    (check, fix, index) => checked(check, index === 0 ? null : (fixes[index - 1] ?? null), fix).check,
    before,
  );
}

describe("the speeds of a tracker are trusted", () => {
  test("from the first one on that shows motion", () => {
    expect(areTrusted(after(100, 50, null))).toBe(false);
    expect(areTrusted(after(100, 50, 4.9))).toBe(false);
    expect(areTrusted(after(0, 50, 5))).toBe(true);
  });

  test.each([
    ["right", 50, 50, true],
    ["10 % too low", 50, 45, true],
    ["in miles per hour", 50, 31, false],
    ["in knots", 50, 27, false],
    ["in m/s", 50, 13.9, false],
    ["in miles per hour, in slow traffic", 20, 12.4, false],
    ["in miles per hour, at a crawl", 12, 7.5, true],
  ])("until they add up to less than the straight line: %s", (_, kmh, reportedKmh, isTrusted) => {
    expect(areTrusted(after(900, kmh, reportedKmh))).toBe(isTrusted);
  });

  test("again, when they have been right for some minutes", () => {
    const doubted = after(1800, 50, 27);
    expect(areTrusted(after(180, 50, 50, 10, doubted))).toBe(false);
    expect(areTrusted(after(3600, 50, 50, 10, doubted))).toBe(true);
  });

  test("however they are, if a leg takes longer than 15 s: they say little of it", () => {
    expect(areTrusted(after(3600, 50, 27, 15))).toBe(false);
    expect(areTrusted(after(3600, 50, 27, 16))).toBe(true);
  });

  test("at a stand, however the positions waver", () => {
    let check: SpeedCheck | null = after(0, 0, 50);
    for (let index = 1; index < 1000; index++) {
      const from = fixAt(10 * index - 10, 700 * ((index - 1) % 2), { speedKmh: 0 });
      check = checked(check, from, fixAt(10 * index, 700 * (index % 2), { speedKmh: 0 })).check;
    }
    expect(areTrusted(check)).toBe(true);
  });
});

describe("the speeds of a tracker are multiplied", () => {
  /** By what a way of so many frames shows. */
  function scaleAfter(count: number, fixOf: (index: number) => Fix): number {
    let [check, straight]: [SpeedCheck | null, Pairs] = [null, noPairs];
    for (let index = 0; index < count; index++) {
      const next = checked(check, index === 0 ? null : fixOf(index - 1), fixOf(index));
      check = next.check;
      straight = next.straightPair === null ? straight : sumOf(straight, next.straightPair);
    }
    return scaleOf(straight);
  }

  test.each([
    ["right", 80, 80, 10, 1],
    ["too high", 80, 90, 10, 1],
    ["too low by 1 %", 80, 79.2, 10, 1],
    ["too low by 4 %", 80, 76.8, 10, 1.041],
    ["too low by 4 %, at 30 s", 80, 76.8, 30, 1.04],
    ["too low by 4 %, at 60 s", 80, 76.8, 60, 1.039],
    ["too low by 4 %, at 120 s, which show no speed", 80, 76.8, 120, 1],
  ])("by what straight ways show: %s", (_, kmh, speedKmh, step, scale) => {
    const count = 3600 / step;
    expect(scaleAfter(count, (index) => fixAt(index * step, (index * step * kmh) / 3.6, { speedKmh }))).toBeCloseTo(
      scale,
      2,
    );
  });

  test.each([
    ["straight on", 0, 0, 1.091],
    ["where the way bends", 60, 0, 1],
    ["where the speed changes", 0, 16, 1],
  ])("if 72 km/h are sent as 66: %s", (_, eastMetres, kmhMore, scale) => {
    const fixOf = (index: number) =>
      fixAt(10 * index, 0, { ...placeAt(200 * index, eastMetres * (index % 2)), speedKmh: 66 + kmhMore * (index % 2) });
    expect(scaleAfter(2000, fixOf)).toBeCloseTo(scale, 2);
  });
});
