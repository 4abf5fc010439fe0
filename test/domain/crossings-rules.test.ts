import { describe, expect, test } from "bun:test";
import { fencesInside } from "../../src/domain/crossings/crossings.ts";
import {
  changing,
  circle,
  circleAtHome,
  drive,
  eventsIn,
  expectInOrder,
  noon,
  placeAt,
  seen,
} from "./crossings-drive.test.ts";

/** Frames ten seconds apart, so many metres north of the middle of a circle of 1000 m. */
const every10s = (...norths: number[]) => norths.map((north, index) => seen(index * 10, north));

describe("the edge and the buffer", () => {
  test.each([
    ["an enter needs two frames inside", [1100, 999, 999, 999], ["enter"]],
    ["one frame inside is none", [1100, 999, 1100, 1100], []],
    ["a frame 1 mm inside is inside", [1100, 999.999, 999.999], ["enter"]],
    ["a frame 1 mm outside is not", [1100, 1000.001, 1000.001], []],
    ["one inside, one just outside, one inside is none", [1100, 990, 1001, 990, 1001], []],
    ["an exit needs two frames beyond the buffer", [0, 1100, 1100], ["exit"]],
    ["one frame beyond the buffer is none", [0, 1100, 0, 1100, 1024], []],
    ["25 m outside is beyond the buffer", [0, 1025.001, 1025.001], ["exit"]],
    ["less is not", [0, 1024.999, 1024.999, 1024.999], []],
    ["back from the buffer is no enter", [0, 1010, 990, 1010, 990], []],
    ["in and out", [1100, 900, 800, 1100, 1200], ["enter", "exit"]],
  ])("%s", (_, norths, expected) => {
    const result = drive(circleAtHome, every10s(...norths));
    expect(result.facts.map(({ eventType }) => eventType)).toEqual(expected as never);
  });

  test.each([
    [undefined, 25],
    [0, 20],
    [19, 20],
    [30, 30],
    [50, 50],
    [180, 50],
  ])("with an accuracy of %p m the buffer is %p m", (accuracyM, buffer) => {
    const more = accuracyM === undefined ? {} : { accuracyM };
    const isLeft = (metres: number) =>
      drive(circleAtHome, [seen(0, 0), seen(10, 1000 + metres, more), seen(20, 1000 + metres, more)]).facts.length > 0;
    expect(isLeft(buffer - 0.001)).toBe(false);
    expect(isLeft(buffer + 0.001)).toBe(true);
  });

  test("the buffer is at most a quarter of the fence's inradius", () => {
    const small = changing([0, circle(40)]);
    const isLeft = (metres: number) =>
      drive(small, [seen(0, 0), seen(10, 40 + metres), seen(20, 40 + metres)]).facts.length > 0;
    expect(isLeft(9.999)).toBe(false);
    expect(isLeft(10.001)).toBe(true);
  });

  test("an event has the place of the edge, the speed of the first frame beyond it and the time inside", () => {
    const moving = { speedKmh: 36 };
    const { facts } = drive(circleAtHome, [
      seen(0, 1050),
      seen(10, 950, { speedKmh: 54 }),
      seen(20, 850),
      seen(30, 950),
      seen(40, 1050, moving),
      seen(50, 1100),
    ]);
    expect(facts).toEqual([
      {
        kind: "crossing",
        fenceId: "fence",
        eventType: "enter",
        occurredAt: expect.any(Number),
        latitude: expect.closeTo(placeAt(1000).latitude, 9),
        longitude: 10,
        speedKmh: 54,
        interpolated: false,
        timeUncertaintyMs: 0,
        dwellMs: null,
        receivedAt: noon + 20_000,
        updatedAt: noon + 20_000,
      },
      {
        kind: "crossing",
        fenceId: "fence",
        eventType: "exit",
        occurredAt: expect.any(Number),
        latitude: expect.closeTo(placeAt(1000).latitude, 9),
        longitude: 10,
        speedKmh: 36,
        interpolated: false,
        timeUncertaintyMs: 0,
        dwellMs: 30_000,
        receivedAt: noon + 50_000,
        updatedAt: noon + 50_000,
      },
    ]);
    expect(eventsIn({ facts } as never)).toEqual(["enter 5", "exit 35"]);
  });
});

describe("a lone frame", () => {
  test.each([
    ["is not believed 60 s later", 60, []],
    ["is believed after more than 60 s, whatever the next one says", 60.001, ["enter 5"]],
  ])("%s", (_, later, expected) => {
    const result = drive(circleAtHome, [seen(0, 1050), seen(10, 950), seen(10 + later, 2000)]);
    expect(eventsIn(result)).toEqual(expected);
  });

  test("that disagrees with one that stood for itself is a reason for the opposite event", () => {
    const start = [seen(0, 1050), seen(10, 950)];
    const result = drive(circleAtHome, [...start, seen(110, 1050), seen(120, 1050)]);
    expect(eventsIn(result)).toEqual(["enter 5", "exit 60"]);
    expect(result.facts[1]?.dwellMs).toBe(55_000);
    // In the buffer it is still inside.
    const lingering = drive(circleAtHome, [...start, seen(110, 1010), seen(120, 1010)]);
    expect(eventsIn(lingering)).toEqual(["enter 5"]);
    expect(fencesInside(lingering.state)).toEqual(["fence"]);
  });

  test("beyond the buffer is dropped by one in the buffer, and believed after 60 s", () => {
    expect(eventsIn(drive(circleAtHome, [seen(0, 950), seen(10, 1050), seen(70, 1010)]))).toEqual([]);
    expect(eventsIn(drive(circleAtHome, [seen(0, 950), seen(10, 1050), seen(71, 1010)]))).toEqual(["exit 5"]);
  });

  test("is not dropped or confirmed by a frame that is not valid", () => {
    const bad = seen(15, 5000, { isInvalid: true });
    expect(eventsIn(drive(circleAtHome, [seen(0, 1050), seen(10, 950), bad, seen(20, 950)]))).toEqual(["enter 5"]);
    expect(eventsIn(drive(circleAtHome, [seen(0, 1050), seen(10, 950), bad]))).toEqual([]);
  });

  test("on a way through the fence is an entry and an exit", () => {
    const through = [seen(0, -1500), seen(30, 0), seen(60, 1500), seen(90, 3000)];
    expect(eventsIn(drive(circleAtHome, through))).toEqual(["enter 10", "exit 50"]);
  });

  test("of the same moment as the one before does not count", () => {
    const frames = [seen(0, 1050), seen(10, 950), seen(10, 900), seen(20, 1050), seen(30, 1050)];
    expect(eventsIn(drive(circleAtHome, frames))).toEqual([]);
    const twice = [seen(0, 1050), seen(0, 950), seen(10, 900), seen(20, 900)];
    expect(eventsIn(drive(circleAtHome, twice))).toEqual(["enter 0.001"]);
  });
});

describe("a standing vehicle", () => {
  const stop = placeAt(990);
  const parked = (second: number, north: number) => seen(second, north, { stop });
  const arrival = [seen(0, 1050), seen(10, 995), parked(20, 990), parked(30, 990)];

  test("does not cross a fence within 100 m of its stop, however it drifts", () => {
    const result = drive(circleAtHome, [...arrival, parked(40, 1080), parked(50, 1089.999), parked(200, 1085)]);
    expect(eventsIn(result)).toHaveLength(1);
    expect(fencesInside(result.state)).toEqual(["fence"]);
  });

  test("does so farther away", () => {
    const result = drive(circleAtHome, [...arrival, parked(40, 1090.001), parked(50, 1090.001)]);
    expect(result.facts.map(({ eventType }) => eventType)).toEqual(["enter", "exit"]);
  });

  test("that seemed far away for one frame is back where it was, even after more than 60 s", () => {
    const result = drive(circleAtHome, [...arrival, parked(600, 1095), parked(1200, 990), parked(1800, 990)]);
    expect(eventsIn(result)).toHaveLength(1);
    expect(fencesInside(result.state)).toEqual(["fence"]);
  });

  test("is inside of a fence that it has come to a stop in, though no frame before was inside", () => {
    const result = drive(circleAtHome, [seen(0, 1050), seen(10, 1010), parked(20, 990), parked(3600, 991)]);
    expect(eventsIn(result)).toEqual(["enter 15"]);
    expect(fencesInside(result.state)).toEqual(["fence"]);
  });

  test("has moved if its stop is another one", () => {
    const far = placeAt(2000);
    const moved = [seen(40, 2000, { stop: far }), seen(50, 2000, { stop: far })];
    expect(drive(circleAtHome, [...arrival, ...moved]).facts.map(({ eventType }) => eventType)).toEqual([
      "enter",
      "exit",
    ]);
  });

  test("that drives off crossed the edge where it did, though its trip began later", () => {
    const off = [parked(100, 990), parked(110, 1020), parked(120, 1060), seen(130, 1120), seen(140, 1180)];
    const result = drive(circleAtHome, [...arrival, ...off]);
    expect(eventsIn(result).at(-1)).toBe("exit 103.333");
    expectInOrder(result);
  });
});

test("a state that nothing happens to stays the same object", () => {
  const before = drive(circleAtHome, [seen(0, 1050), seen(10, 950), seen(20, 900), seen(30, 890)]);
  expect(drive(circleAtHome, [seen(40, 800), seen(50, 700)], before).state).toBe(before.state);
  const far = drive(circleAtHome, [seen(0, 5000)]);
  expect(drive(circleAtHome, [seen(40, 6000)], far).state).toBe(far.state);
});
