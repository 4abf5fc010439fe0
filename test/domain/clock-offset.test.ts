import { describe, expect, test } from "bun:test";
import { framesToKnow, nextOffsetRun, type OffsetRun, steadyOffsetS } from "../../src/domain/quality/clock-offset.ts";

const begin = Date.UTC(2026, 5, 15, 8);

/** Frames recorded every `stepS` seconds; each with how long it took to arrive and what the clock shows too much, in seconds. */
function run(count: number, stepS: number, lateS: (index: number) => number, aheadS = 0): OffsetRun {
  let found: OffsetRun | undefined;
  for (let index = 0; index < count; index++) {
    const at = begin + index * stepS * 1000;
    found = nextOffsetRun(found, at + aheadS * 1000, at + lateS(index) * 1000);
  }
  if (found === undefined) throw new Error("there are frames");
  return found;
}

const offset = (...args: Parameters<typeof run>) => steadyOffsetS(run(...args));
const soon = (index: number) => 1 + (index % 4);

describe("a clock that is off", () => {
  test.each([
    ["6 min fast", 360, 360],
    ["3 h fast", 10_800, 10_800],
    ["local time of Kathmandu", 20_700, 20_700],
    ["40 min slow", -2_400, -2_400],
    ["a quarter of an hour slow", -900, -900],
    ["a day fast", 86_400, 86_400],
    ["4 min 57 s fast", 297, 300],
  ])("%s is known after 20 live frames, not before", (_, aheadS, found) => {
    for (const stepS of [1, 5, 10, 30, 60, 300, 3_600]) {
      expect(offset(framesToKnow - 1, stepS, soon, aheadS)).toBeNull();
      expect(offset(framesToKnow, stepS, soon, aheadS)).toBe(found);
    }
  });

  test.each([
    [179, 0],
    [182, 180],
    [-176, 0],
    [-182, -180],
    [366 * 86_400 + 2, 0],
  ])("by %p s is %p: less is no fault, and more has lost its date", (aheadS, found) =>
    expect(offset(30, 10, () => 1, aheadS)).toBe(found),
  );

  test("is known though reception is bad, and is measured by the frame that took least time", () => {
    expect(offset(100, 10, (index) => (index % 7 === 3 ? 2 : 2 + ((index * 13) % 50)), 10_800)).toBe(10_800);
    expect(offset(40, 30, (index) => 1 + (index % 40), 360)).toBe(360);
  });

  test("is known again after a frame that came much later than the others", () => {
    expect(offset(20 + 5 + 20, 10, (index) => (index === 24 ? 1_800 : 2), 10_800)).toBe(10_800);
    expect(offset(20 + 5 + 19, 10, (index) => (index === 24 ? 1_800 : 2), 10_800)).toBeNull();
  });
});

describe("a clock that is right", () => {
  test("is right although its frames are always 40 s late, or two minutes", () => {
    expect(offset(20, 10, () => 40)).toBe(0);
    expect(offset(20, 60, (index) => 100 + (index % 20))).toBe(0);
  });

  test("is not taken for a slow one while frames that were stored on the way come in", () => {
    for (const stepS of [1, 10, 30, 60]) {
      for (const pace of [1.3, 2, 10, 1_000]) {
        // Recorded for hours out of reach; sent from then on, faster than they were recorded.
        let found: OffsetRun | undefined;
        const count = 1_000;
        const sentFrom = begin + count * stepS * 1000;
        for (let index = 0; index < count; index++) {
          const recordedAt = begin + index * stepS * 1000;
          found = nextOffsetRun(found, recordedAt, sentFrom + Math.round((index * stepS * 1000) / pace));
          expect(steadyOffsetS(found) ?? 0).toBe(0);
        }
      }
    }
  });

  test("is not taken for a slow one if it repeats the time of its last fix", () => {
    expect(offset(200, 0, (index) => index * 60)).toBeNull();
  });
});
