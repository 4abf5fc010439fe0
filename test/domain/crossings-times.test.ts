import { describe, expect, test } from "bun:test";
import { metresBetween } from "../../src/domain/geometry/distance.ts";
import {
  changing,
  circle,
  circleAtHome,
  drive,
  eventsIn,
  expectInOrder,
  home,
  noon,
  placeAt,
  seen,
} from "./crossings-drive.test.ts";

describe("over a long leg", () => {
  test.each([
    [900, "enter 450", 0],
    [900.001, "enter 900.001", 900_001],
  ])("of %p s the moment is %p", (second, expected, uncertaintyMs) => {
    const result = drive(circleAtHome, [seen(0, 1050), seen(second, 950), seen(second + 10, 950)]);
    expect(eventsIn(result)).toEqual([expected]);
    const [event] = result.facts;
    expect(event?.timeUncertaintyMs).toBe(uncertaintyMs);
    expect(event && metresBetween(event, home)).toBeCloseTo(uncertaintyMs === 0 ? 1000 : 950, 3);
    expect(event?.interpolated).toBe(false);
  });

  test.each([
    [900, "exit 450", 0],
    [900.001, "exit 900.001", 900_001],
  ])("of %p s the moment is %p", (second, expected, uncertaintyMs) => {
    const result = drive(circleAtHome, [seen(0, 950), seen(second, 1050), seen(second + 10, 1050)]);
    expect(eventsIn(result)).toEqual([expected]);
    expect(result.facts[0]?.timeUncertaintyMs).toBe(uncertaintyMs);
  });

  test("the time inside ends where the exit is put", () => {
    const result = drive(circleAtHome, [
      seen(0, 1050),
      seen(10, 950),
      seen(20, 950),
      seen(2000, 1050),
      seen(2010, 1050),
    ]);
    expect(eventsIn(result)).toEqual(["enter 5", "exit 2000"]);
    expect(result.facts[1]?.dwellMs).toBe(1_995_000);
  });
});

describe("an exit through the buffer", () => {
  test("happened at the edge, however many frames lie in the buffer", () => {
    const slow = [seen(0, 990), seen(10, 1010), seen(20, 1020), seen(30, 1030), seen(40, 1040)];
    expect(eventsIn(drive(circleAtHome, slow))).toEqual(["exit 5"]);
  });

  test("that was turned back from before does not count", () => {
    const wavering = [seen(0, 990), seen(10, 1010), seen(20, 990), seen(30, 1010), seen(40, 1030), seen(50, 1040)];
    expect(eventsIn(drive(circleAtHome, wavering))).toEqual(["exit 25"]);
  });

  test("in which it lingered for more than 900 s happened when it was seen beyond it, give or take that leg", () => {
    const after = (second: number) => {
      const frames = [
        seen(0, 990),
        seen(10, 1010),
        seen(second - 20, 1010),
        seen(second, 1030),
        seen(second + 10, 1040),
      ];
      const result = drive(circleAtHome, frames);
      return [eventsIn(result)[0], result.facts[0]?.timeUncertaintyMs];
    };
    expect(after(900)).toEqual(["exit 5", 0]);
    expect(after(901)).toEqual(["exit 901", 20_000]);
  });
});

describe("a fence crossed between two frames", () => {
  const across = (second: number, more = {}) => drive(circleAtHome, [seen(0, -2000), seen(second, 2000, more)]);

  test("is reported as an interpolated pair", () => {
    const result = across(100);
    expect(eventsIn(result)).toEqual(["enter 25", "exit 75"]);
    const [enter, exit] = result.facts;
    expect([enter?.interpolated, exit?.interpolated]).toEqual([true, true]);
    expect([enter?.dwellMs, exit?.dwellMs]).toEqual([null, 50_000]);
    expect(enter && metresBetween(enter, placeAt(-1000))).toBeCloseTo(0, 2);
    expect(exit && metresBetween(exit, placeAt(1000))).toBeCloseTo(0, 2);
    expect(result.state.records).toEqual([]);
  });

  test("is reported over 300 s, and not over more", () => {
    expect(eventsIn(across(300))).toEqual(["enter 75", "exit 225"]);
    expect(eventsIn(across(300.001))).toEqual([]);
  });

  test("is reported if twice the buffer of it is inside, and not if less is", () => {
    const at = (east: number, accuracyM?: number) => {
      const more = accuracyM === undefined ? {} : { accuracyM };
      const frames = [seen(0, -2000, placeAt(-2000, east)), seen(100, 2000, { ...placeAt(2000, east), ...more })];
      return drive(circleAtHome, frames).facts.length;
    };
    const eastOfChord = (metres: number) => Math.sqrt(1000 ** 2 - (metres / 2) ** 2);
    expect(at(eastOfChord(52))).toBe(2);
    expect(at(eastOfChord(48))).toBe(0);
    expect(at(eastOfChord(98), 80)).toBe(0);
    expect(at(eastOfChord(102), 80)).toBe(2);
  });

  test("in less than two milliseconds is not reported: enter and exit must not share one", () => {
    expect(eventsIn(across(0.001))).toEqual([]);
    expect(eventsIn(across(0.002))).toEqual(["enter 0.001", "exit 0.002"]);
  });

  test("is not reported of a vehicle that stands", () => {
    const small = changing([0, circle(20, placeAt(30))]);
    const stop = home;
    const frames = [seen(0, 0, { stop }), seen(10, 0, { stop }), seen(20, 80, { stop })];
    expect(eventsIn(drive(small, frames))).toEqual([]);
    expect(eventsIn(drive(small, [seen(10, 0), seen(20, 80)]))).toHaveLength(2);
  });

  test("right after it was left is reported after the exit", () => {
    const result = drive(circleAtHome, [seen(0, 0), seen(60, 1500), seen(120, -1500)]);
    expect(eventsIn(result)).toEqual(["exit 40", "enter 70", "exit 110"]);
    expectInOrder(result);
  });

  test("twice is reported twice", () => {
    const result = drive(circleAtHome, [seen(0, -2000), seen(100, 2000), seen(200, -2000)]);
    expect(eventsIn(result)).toEqual(["enter 25", "exit 75", "enter 125", "exit 175"]);
    expectInOrder(result);
  });
});

test("an exit at the end of one leg and an enter at the beginning of the next do not share a moment", () => {
  const frames = [seen(0, 0), seen(1000, 1000.5, { accuracyM: 20 }), seen(2000, 1100), seen(3000, 999), seen(4000, 0)];
  const tiny = changing([0, circle(1000)]);
  const result = drive(tiny, frames);
  expect(result.facts.map(({ eventType }) => eventType)).toEqual(["exit", "enter"]);
  expectInOrder(result);
  expect(result.facts.every(({ occurredAt }) => occurredAt > noon)).toBe(true);
});
