import { describe, expect, test } from "bun:test";
import { fencesInside } from "../../src/domain/crossings/crossings.ts";
import {
  changing,
  circle,
  circleAtHome,
  drive,
  eventsIn,
  expectInOrder,
  placeAt,
  seen,
} from "./crossings-drive.test.ts";

const small = circle(500);
const large = circle(1000);

describe("what is found without a drive is not reported", () => {
  test("a vehicle whose first frame is inside has not entered; its exit is reported, without a time inside", () => {
    const start = drive(circleAtHome, [seen(0, 0)]);
    expect(fencesInside(start.state)).toEqual(["fence"]);
    const result = drive(circleAtHome, [seen(10, 1050), seen(20, 1050)], start);
    expect(eventsIn(result)).toHaveLength(1);
    expect(result.facts[0]).toMatchObject({ eventType: "exit", dwellMs: null });
  });

  test("a fence that the device is assigned to while inside", () => {
    const fences = changing([0, null], [15, large]);
    const start = drive(fences, [seen(0, 0), seen(10, 0)]);
    expect(fencesInside(start.state)).toEqual([]);
    const assigned = drive(fences, [seen(20, 0)], start);
    expect(fencesInside(assigned.state)).toEqual(["fence"]);
    expect(eventsIn(drive(fences, [seen(30, 1100), seen(40, 1100)], assigned))).toEqual(["exit 29.091"]);
  });

  test("a leg through a fence that was assigned during it", () => {
    const fences = changing([0, null], [15, large]);
    expect(eventsIn(drive(fences, [seen(10, -2000), seen(100, 2000)]))).toEqual([]);
    expect(eventsIn(drive(fences, [seen(15, -2000), seen(100, 2000)]))).toHaveLength(2);
  });

  test("an edit that moves the edge over the vehicle, either way", () => {
    const grown = changing([0, small], [15, large]);
    const inside = drive(grown, [seen(0, 700), seen(10, 700), seen(20, 700), seen(30, 700)]);
    expect(eventsIn(inside)).toEqual([]);
    expect(fencesInside(inside.state)).toEqual(["fence"]);
    const shrunk = changing([0, large], [15, small]);
    const outside = drive(shrunk, [seen(0, 700), seen(10, 700), seen(20, 700), seen(30, 700)]);
    expect(eventsIn(outside)).toEqual([]);
    expect(fencesInside(outside.state)).toEqual([]);
  });

  test("a stay goes on over an edit, with the time of its entry", () => {
    const grown = changing([0, small], [25, large]);
    const result = drive(grown, [
      seen(0, 550),
      seen(10, 450),
      seen(20, 450),
      seen(30, 450),
      seen(40, 1100),
      seen(50, 1100),
    ]);
    expect(eventsIn(result)).toEqual(["enter 5", "exit 38.462"]);
    expect(result.facts[1]?.dwellMs).toBe(33_462);
  });

  test("being assigned no more", () => {
    const fences = changing([0, large], [15, null]);
    const result = drive(fences, [seen(0, 0), seen(10, 0), seen(20, 0), seen(30, 1100), seen(40, 1100)]);
    expect(eventsIn(result)).toEqual([]);
    expect(result.state.records).toEqual([]);
  });

  test("a discontinuity, into a fence, out of it, and through it", () => {
    const into = drive(circleAtHome, [seen(0, 9000), seen(10, 0, { isElsewhere: true }), seen(20, 0)]);
    expect([eventsIn(into), fencesInside(into.state)]).toEqual([[], ["fence"]]);
    const out = drive(circleAtHome, [seen(0, 0), seen(10, 9000, { isElsewhere: true }), seen(20, 9000)]);
    expect([eventsIn(out), fencesInside(out.state)]).toEqual([[], []]);
    expect(eventsIn(drive(circleAtHome, [seen(0, -2000), seen(10, 2000, { isElsewhere: true })]))).toEqual([]);
    const stay = [seen(0, 1050), seen(10, 950), seen(20, 900), seen(30, 0, { isElsewhere: true })];
    const left = drive(circleAtHome, [...stay, seen(40, 1050), seen(50, 1050)]);
    expect(left.facts.map(({ eventType, dwellMs }) => [eventType, dwellMs])).toEqual([
      ["enter", null],
      ["exit", null],
    ]);
  });

  test("the place of a fence that comes up while the vehicle stands is its stop, not where its fix has drifted", () => {
    const stop = placeAt(990);
    const fences = changing([0, null], [15, large]);
    const parked = [seen(0, 990, { stop }), seen(10, 990, { stop }), seen(20, 1020, { stop })];
    expect(fencesInside(drive(fences, parked).state)).toEqual(["fence"]);
  });
});

describe("an edit does not undo what was driven before it", () => {
  const driven = [seen(0, 1050), seen(10, 950), seen(20, 940)];
  test.each([
    ["of the shape", changing([0, large], [15, small])],
    ["of the assignment", changing([0, large], [15, null])],
  ])("%s", (_, fences) => {
    const result = drive(fences, driven);
    expect(eventsIn(result)).toEqual(["enter 5"]);
    expect(fencesInside(result.state)).toEqual([]);
    expect(eventsIn(drive(fences, [seen(0, 1050), seen(10, 950), seen(20, 1040)]))).toEqual([]);
  });
});

describe("enter and exit alternate in what is reported", () => {
  const away = seen(30, 9000, { isElsewhere: true });
  const back = [seen(40, 1050), seen(50, 950), seen(60, 900)];

  test("after an enter whose exit was not reported, the next enter is left out, and only that", () => {
    const entered = [seen(0, 1050), seen(10, 950), seen(20, 900), away];
    const result = drive(circleAtHome, [...entered, ...back, seen(70, 1050), seen(80, 1050)]);
    expect(eventsIn(result)).toEqual(["enter 5", "exit 66.667"]);
    expect(result.facts[1]?.dwellMs).toBe(66_667 - 45_000);
    expect(result.state.records).toEqual([]);
  });

  test("the same holds when only the assignment was interrupted", () => {
    const fences = changing([0, large], [25, null], [35, large]);
    const start = drive(fences, [seen(0, 1050), seen(10, 950), seen(20, 900), seen(30, 2000)]);
    expect(fencesInside(start.state)).toEqual([]);
    const result = drive(fences, [...back, seen(70, 1050), seen(80, 1050)], start);
    expect(eventsIn(result)).toEqual(["enter 5", "exit 66.667"]);
  });

  test("of a fence that is passed unseen then, the exit is reported", () => {
    const entered = [seen(0, 1050), seen(10, 950), seen(20, 900), seen(30, -2000, { isElsewhere: true })];
    const result = drive(circleAtHome, [...entered, seen(130, 2000)]);
    expect(eventsIn(result)).toEqual(["enter 5", "exit 105"]);
    expect(result.state.records).toEqual([]);
  });

  test("after an exit and an enter that was not reported, the next exit is left out", () => {
    const left = [seen(0, 950), seen(10, 1050), seen(20, 1100), seen(30, 0, { isElsewhere: true })];
    const again = [seen(40, 1050), seen(50, 1050), seen(60, 950), seen(70, 950)];
    const result = drive(circleAtHome, [...left, ...again]);
    expect(eventsIn(result)).toEqual(["exit 5", "enter 55"]);
    expectInOrder(result);
  });

  test("a device that is assigned to a fence for the second time, inside, may have reported an exit before", () => {
    const fences = changing([0, large], [25, null], [35, large]);
    const frames = [
      seen(0, 950),
      seen(10, 1050),
      seen(20, 1050),
      seen(30, 0),
      seen(40, 0),
      seen(45, 0),
      seen(50, 1050),
      seen(60, 1050),
    ];
    expect(eventsIn(drive(fences, frames))).toEqual(["exit 5"]);
  });
});
