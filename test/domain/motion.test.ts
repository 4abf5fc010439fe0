import { describe, expect, test } from "bun:test";
import { metresBetween } from "../../src/domain/geometry/distance.ts";
import { motionAlong, motionAt, noTrail, speedAlong, type Trail, trailAfter } from "../../src/domain/motion.ts";
import { nextTrail, sight } from "../../src/domain/sighting.ts";
import { drive, judged } from "./support/trips-drive.ts";
import { placeAt } from "./support/trips-legs.ts";

const trailAt = (...seconds: readonly number[]): Trail =>
  seconds.map((second) => ({ at: second * 1000, ...placeAt(0) }));
const secondsOf = (trail: Trail) => trail.map(({ at }) => at / 1000);

describe("motion", () => {
  test.each([
    [0, "still"],
    [3, "still"],
    [3.001, "unclear"],
    [4.999, "unclear"],
    [5, "moving"],
    [250, "moving"],
  ])("by a reported speed: %p km/h is %s", (kmh, motion) => expect(motionAt(kmh) as string).toBe(motion));

  test.each([
    ["no place half a minute ago", 29.999, 400, "unclear"],
    ["a place half a minute ago", 30, 400, "moving"],
    ["99.999 m in half a minute", 30, 99.999, "unclear"],
    ["100.001 m in half a minute", 30, 100.001, "moving"],
    ["50.001 m in half a minute", 30, 50.001, "unclear"],
    ["49.999 m in half a minute", 30, 49.999, "still"],
    ["100.001 m at less than 5 km/h", 73, 100.001, "unclear"],
    ["100.001 m at 5 km/h", 72, 100.001, "moving"],
    ["60 m at less than 3 km/h", 72.1, 60, "still"],
    ["60 m at more than 3 km/h", 71.9, 60, "unclear"],
    ["far away after an hour, at less than 3 km/h", 3600, 2999, "still"],
  ])("without a speed, by where the vehicle was half a minute ago: %s", (_, second, metres, motion) => {
    expect(motionAlong(trailAt(0), second * 1000, placeAt(metres)) as string).toBe(motion);
  });

  test("is measured from the latest place that is half a minute old", () => {
    const trail: Trail = [
      { at: 0, ...placeAt(0) },
      { at: 10_000, ...placeAt(1000) },
      { at: 20_000, ...placeAt(1000) },
    ];
    expect(motionAlong(trail, 39_999, placeAt(0))).toBe("still");
    expect(motionAlong(trail, 40_000, placeAt(0))).toBe("moving");
    expect(motionAlong(noTrail, 40_000, placeAt(0))).toBe("unclear");
  });
});

describe("the trail of a tracker without a speed", () => {
  test("has one place for each ten seconds of the clock, the first", () => {
    let trail: Trail = noTrail;
    for (let second = 3; second <= 45; second++) trail = trailAfter(trail, second * 1000, placeAt(second));
    expect(secondsOf(trail)).toEqual([3, 10, 20, 30, 40]);
    expect(metresBetween(placeAt(0), trail[1] ?? placeAt(0))).toBeCloseTo(10, 6);
  });

  test.each([
    ["of a minute", 10, 70, [10, 20, 70]],
    ["older than a minute, but for the last", 10, 70.001, [20, 70.001]],
    ["older than a minute, but for the last", 10, 999, [20, 999]],
  ])("has the places %s", (_, first, second, seconds) => {
    expect(secondsOf(trailAfter(trailAt(first, 20), second * 1000, placeAt(0)))).toEqual(seconds);
  });

  test("is the same state after a second frame of the same ten seconds", () => {
    const trail = trailAt(0, 10);
    expect(trailAfter(trail, 19_999, placeAt(500))).toBe(trail);
  });

  test("ends where a speed is reported, and begins again after a discontinuity", () => {
    const frames = [0, 30, 60].map((second) => judged({ second, metres: second * 10 }));
    expect(
      drive([
        { second: 0, metres: 0 },
        { second: 30, metres: 300 },
      ]).known.trail,
    ).toHaveLength(2);
    expect(
      drive([
        { second: 0, metres: 0 },
        { second: 30, metres: 300, kmh: 0 },
      ]).known.trail,
    ).toEqual([]);
    expect(
      drive([
        { second: 0, metres: 0 },
        { second: 30, metres: null },
      ]).known.trail,
    ).toHaveLength(1);
    const elsewhere = sight(judged({ second: 60, metres: 900, isElsewhere: true }), null, noTrail);
    expect(nextTrail(trailAt(0, 30), elsewhere)).toHaveLength(1);
    const [first, second] = frames.map((frame) => sight(frame, null, trailAt(0)));
    expect([first?.fix?.motion, second?.fix?.motion]).toEqual(["unclear", "unclear"]);
  });

  test("shows a parked vehicle whose positions waver as still, or unclear, but not as moving", () => {
    const motions = new Set<string>();
    for (const { fix } of drive(
      Array.from({ length: 500 }, (_, index) => ({ second: index * 7, metres: 45 * Math.sin(index * index) })),
    ).sightings) {
      motions.add(fix?.motion ?? "");
    }
    expect([...motions].sort()).toEqual(["still", "unclear"]);
  });
});

describe("the speed by the places", () => {
  /** At one place after the other, each so many metres on after so many seconds. */
  const along = (...parts: readonly (readonly [second: number, metres: number])[]) => {
    const trail = parts.slice(0, -1).map(([second, metres]) => ({ at: second * 1000, ...placeAt(metres) }));
    const [second = 0, metres = 0] = parts.at(-1) ?? [];
    return speedAlong(trail, second * 1000, placeAt(metres));
  };
  const peak = (...parts: readonly (readonly [second: number, metres: number])[]) => along(...parts)?.peakKmh;
  const steady = (...parts: readonly (readonly [second: number, metres: number])[]) => along(...parts)?.steadyKmh;

  test("is measured over 20 s or more", () => {
    expect(along([0, 0], [19.999, 400])).toBeNull();
    expect(peak([0, 0], [20, 200])).toBeCloseTo(36, 6);
    expect(peak([0, 0], [10, 100], [30, 200])).toBeCloseTo(18, 6);
    expect(peak([0, 0], [10, 100], [29, 145])).toBeCloseTo(18, 6);
  });

  test("is at most 40 km/h above that of the time before: a receiver that fell behind catches up in one leap", () => {
    expect(peak([0, 0], [20, 200], [40, 622])).toBeCloseTo(75.96, 6);
    expect(peak([0, 0], [20, 200], [40, 1400])).toBeCloseTo(76, 6);
    // Nothing is known of the time before: it stood.
    expect(peak([0, 0], [20, 600])).toBeCloseTo(40, 6);
    expect(peak([0, 0], [20, 0], [40, 1000], [60, 1200])).toBeCloseTo(36, 6);
  });

  test("is unknown above 250 km/h", () => {
    expect(along([0, 0], [20, 1388], [40, 2776])?.peakKmh).toBeCloseTo(249.84, 6);
    expect(along([0, 0], [20, 1000], [40, 2389])).toBeNull();
  });

  test("is steady as far as both halves agree, to 9 km/h", () => {
    expect(steady([0, 0], [20, 500], [40, 1000])).toBeCloseTo(90, 6);
    expect(steady([0, 0], [20, 450], [40, 1000])).toBeCloseTo(90, 6);
    expect(steady([0, 0], [20, 440], [40, 1000])).toBeCloseTo(88.2, 6);
    expect(steady([0, 0], [20, 1000])).toBeCloseTo(9, 6);
  });
});
