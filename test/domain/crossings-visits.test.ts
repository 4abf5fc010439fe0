import { describe, expect, test } from "bun:test";
import { fencesInside } from "../../src/domain/crossings/crossings.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import {
  changing,
  circle,
  circleAtHome,
  drive,
  eventsIn,
  expectInOrder,
  placeAt,
  plainFences,
  type Seen,
  seen,
} from "./crossings-drive.test.ts";

/** Past the south of a circle of 1000 m, so many metres north and east of home; ten seconds apart. */
const past = (...places: (readonly [north: number, east: number])[]): Seen[] =>
  places.map(([north, east], index) => ({ ...placeAt(north, east), second: index * 10 }));

describe("a visit with one frame inside", () => {
  const wayIn = [
    [-1100, -400],
    [-950, -200],
  ] as const;

  test("is reported though the next frame lies in the buffer, at the moments of the edge", () => {
    const result = drive(circleAtHome, past(...wayIn, [-1010, 0], [-1100, 200]));
    expect(result.facts.map(({ eventType }) => eventType)).toEqual(["enter", "exit"]);
    const [enter, exit] = result.facts.map(({ occurredAt }) => occurredAt);
    const direct = drive(circleAtHome, past(...wayIn, [-1010, 0], [-1010, 1])).state.records[0];
    expect(enter).toBe(direct?.candidate?.at as number);
    expect(exit).toBe(direct?.left?.at as number);
    expect(result.facts[1]?.dwellMs).toBe((exit ?? 0) - (enter ?? 0));
    expect(result.facts.every(({ interpolated, timeUncertaintyMs }) => !interpolated && timeUncertaintyMs === 0)).toBe(
      true,
    );
    expect(result.state.records).toEqual([]);
  });

  test("is reported once, however many frames follow in the buffer", () => {
    const result = drive(circleAtHome, past(...wayIn, [-1010, 0], [-1015, 20], [-1020, 40], [-1018, 60], [-1200, 200]));
    expect(eventsIn(result)).toHaveLength(2);
    expect(eventsIn(result)).toEqual(eventsIn(drive(circleAtHome, past(...wayIn, [-1010, 0], [-1200, 200]))));
  });

  test("goes on if it comes in again from the buffer: one visit, from the first entry to the last exit", () => {
    const back = drive(circleAtHome, past(...wayIn, [-1010, 0], [-980, 100], [-1100, 300]));
    expect(back.facts.map(({ eventType }) => eventType)).toEqual(["enter", "exit"]);
    const stay = drive(circleAtHome, past(...wayIn, [-1010, 0], [-980, 100], [-900, 150]));
    expect(fencesInside(stay.state)).toEqual(["fence"]);
    expect(stay.facts[0]?.occurredAt).toBe(back.facts[0]?.occurredAt as number);
    expect(back.facts[1]?.occurredAt ?? 0).toBeGreaterThan(stay.previous === null ? 0 : stay.previous.at - 20_000);
  });

  test("goes on if a leg from the buffer leads through it once more", () => {
    // Both ends are 10 m outside; the straight way between them is up to 11 m inside.
    const frames = past(...wayIn, [-1010, 0], [-927.4, 400], [-1100, 700]);
    const result = drive(circleAtHome, frames);
    expect(result.facts.map(({ eventType }) => eventType)).toEqual(["enter", "exit"]);
    expect(eventsIn(result)[1]).toMatch(/^exit 2[5-9]/);
  });

  test("is over after a quarter of an hour in the buffer; what follows is another one", () => {
    const linger = (second: number) => [
      ...past(...wayIn, [-1010, 0]),
      { ...placeAt(-1010, 5), second },
      { ...placeAt(-900, 5), second: second + 10 },
      { ...placeAt(-800, 5), second: second + 20 },
    ];
    expect(drive(circleAtHome, linger(800)).facts.map(({ eventType }) => eventType)).toEqual(["enter"]);
    const later = drive(circleAtHome, linger(1000));
    expect(later.facts.map(({ eventType }) => eventType)).toEqual(["enter", "exit", "enter"]);
    expectInOrder(later);
  });

  test("is none if it came out where it went in: that is a stray fix", () => {
    expect(eventsIn(drive(circleAtHome, [seen(0, 1100), seen(10, 950), seen(20, 1010), seen(30, 1100)]))).toEqual([]);
    const along = (east: number) =>
      drive(circleAtHome, past([-1100, 0], [-990, 0], [-1010, east], [-1100, east])).facts;
    expect(along(10)).toHaveLength(0);
    expect(along(80)).toHaveLength(2);
  });

  test("is reported if the fence is edited while the vehicle is in the buffer", () => {
    for (const edit of [circle(300), null]) {
      const fences = changing([0, circle(1000)], [25, edit]);
      const result = drive(fences, past(...wayIn, [-1010, 0], [-1012, 100], [-1100, 200]));
      expect(eventsIn(result)).toEqual(eventsIn(drive(circleAtHome, past(...wayIn, [-1010, 0], [-1100, 200]))));
      expect(result.state.records).toEqual([]);
    }
  });

  test("is reported if the vehicle is carried away from the buffer", () => {
    const carried = { ...placeAt(90_000), second: 30, isElsewhere: true };
    const result = drive(circleAtHome, [...past(...wayIn, [-1010, 0]), carried]);
    expect(eventsIn(result)).toEqual(eventsIn(drive(circleAtHome, past(...wayIn, [-1010, 0], [-1100, 200]))));
    expect(result.state.records).toEqual([]);
  });

  test("before a stop in the buffer is reported when the vehicle drives on", () => {
    const stop = placeAt(-1010, 0);
    const parked = [30, 40, 3600, 7200].map((second) => ({ ...placeAt(-1012, 3), second, stop }));
    const arrived = drive(circleAtHome, [...past(...wayIn, [-1010, 0]), ...parked]);
    expect(eventsIn(arrived)).toEqual([]);
    const off = [7210, 7220].map((second, index) => ({ ...placeAt(-1200 - index * 100, 0), second }));
    const result = drive(circleAtHome, off, arrived);
    expect(eventsIn(result)).toEqual(eventsIn(drive(circleAtHome, past(...wayIn, [-1010, 0], [-1200, 0]))));
  });
});

describe("a parked vehicle whose fix is noisy", () => {
  const seed = announcedSeed("parked at an edge");

  /** Both coordinates of a fix that is off by so many metres. */
  function noise(random: () => number, sigma: number): [number, number] {
    const length = sigma * Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    return [length * Math.cos(angle), length * Math.sin(angle)];
  }

  /** A day at the edge of the circle. The stop is the mean of the fixes so far. */
  function day(sigma: number, seconds: number, at: number, random: () => number): Seen[] {
    const frames: Seen[] = [];
    let [sumNorth, sumEast] = [0, 0];
    for (let index = 0; index * seconds < 86_400; index++) {
      const [north, east] = noise(random, sigma);
      sumNorth += at + north;
      sumEast += east;
      const count = index + 1;
      const stop = placeAt(sumNorth / count, sumEast / count);
      frames.push({ ...placeAt(at + north, east), second: index * seconds, stop });
    }
    return frames;
  }

  test.each([5, 10, 20])("of %p m crosses no fence in a day, at whatever step and beside whatever edge", (sigma) => {
    const random = randomNumbers(seed);
    const fences = plainFences({
      large: [[0, circle(1000)]],
      small: [[0, circle(20, placeAt(1000))]],
      beside: [[0, circle(60, placeAt(1030, 40))]],
    });
    for (const seconds of [10, 60, 300]) {
      for (const at of [980, 999, 1001, 1015]) {
        expect(eventsIn(drive(fences, day(sigma, seconds, at, random)))).toEqual([]);
      }
    }
  });

  test("is where its stop is, though a fix on the other side was the last before it", () => {
    const arrive = (north: number, drift: number, stopNorth: number) => {
      const stop = placeAt(stopNorth);
      const frames = [seen(0, 1080), seen(10, north, { stop }), seen(20, drift, { stop }), seen(30, drift, { stop })];
      return fencesInside(drive(circleAtHome, frames).state);
    };
    expect(arrive(990, 992, 991)).toEqual(["fence"]);
    expect(arrive(990, 1010, 1008)).toEqual([]);
    // The fix and the stop disagree: nothing is decided until they agree.
    const undecided = drive(circleAtHome, [
      seen(0, 1080),
      seen(10, 990, { stop: placeAt(990) }),
      seen(20, 1005, { stop: placeAt(996) }),
    ]);
    expect(eventsIn(undecided)).toEqual([]);
    expect(eventsIn(drive(circleAtHome, [seen(30, 998, { stop: placeAt(997) })], undecided))).toHaveLength(1);
    expect(eventsIn(drive(circleAtHome, [seen(30, 1009, { stop: placeAt(1001) }), seen(40, 998)], undecided))).toEqual(
      [],
    );
  });

  test("has one stop, though its centre moves, even farther than a fix drifts", () => {
    const frames = Array.from({ length: 100 }, (_, index) => {
      const stop = placeAt(990 + 2 * index);
      return { ...stop, second: index * 10, stop };
    });
    expect(eventsIn(drive(circleAtHome, frames))).toEqual([]);
    expect(fencesInside(drive(circleAtHome, frames).state)).toEqual(["fence"]);
  });
});

test("a fence smaller than the noise is crossed by driving through it, not by standing beside it", () => {
  const small = changing([0, circle(20)]);
  const random = randomNumbers(3);
  const near = Array.from({ length: 500 }, (_, index) => ({
    ...placeAt(30 + 20 * (random() - 0.5), 20 * (random() - 0.5)),
    second: index * 10,
    stop: placeAt(30),
  }));
  expect(eventsIn(drive(small, near))).toEqual([]);
  expect(eventsIn(drive(small, [seen(0, -200), seen(10, 0), seen(20, 200)]))).toHaveLength(2);
  expect(eventsIn(drive(small, [seen(0, -100), seen(10, 100)]))).toHaveLength(2);
});
