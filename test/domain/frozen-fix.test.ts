import { describe, expect, test } from "bun:test";
import { isFrozen } from "../../src/domain/motion.ts";
import { frameWith, run, seen } from "./support/quality-frames.ts";
import { drive, going, type Moment, secondOf } from "./support/trips-drive.ts";
import { placeAt } from "./support/trips-legs.ts";

const every = (step: number, from: number, to: number, moment: (second: number) => Moment) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => moment(from + index * step));

describe("a fix is frozen", () => {
  test.each([
    ["at 10 km/h", { speed_kmh: 10 }, true],
    ["not at 9.9 km/h: a receiver at rest may report that", { speed_kmh: 9.9 }, false],
    ["not without a speed", { speed_kmh: null }, false],
    ["not with the ignition off", { speed_kmh: 80, ignition: false }, false],
    ["not a metre on", { speed_kmh: 80, latitude: placeAt(1).latitude }, false],
    ["for less than 900 s", { speed_kmh: 80, recordedAt: 899_999 }, true],
    ["not for longer: then it stands", { speed_kmh: 80, recordedAt: 900_000 }, false],
    ["not at the same moment", { speed_kmh: 80, recordedAt: 0 }, false],
  ])("if it repeats the place before at a speed: %s", (_, fields, expected) => {
    const frame = frameWith({ ...placeAt(0), recordedAt: 10_000, ignition: null, ...fields });
    expect(isFrozen({ at: 0, ...placeAt(0) }, frame)).toBe(expected);
  });
});

describe("a tunnel", () => {
  const before = [0, 1, 2, 3, 4, 5].map((index) => seen(10 * index, 220 * index, { speed_kmh: 80 }));
  const within = Array.from({ length: 22 }, (_, index) => seen(60 + 10 * index, 1100, { speed_kmh: 80 }));
  const behind = [280, 290, 300].map((second) => seen(second, 22 * second, { speed_kmh: 80 }));

  test("does not make the place behind it a jump: it is measured from where the fix froze", () => {
    const { words } = run([...before, ...within, ...behind]);
    expect(words).toEqual(words.map(() => "valid"));
  });

  test.each([10, 30])("is part of the trip, with its kilometres, at %p s", (step) => {
    const moments = [
      ...going(0, 300, step, 0, 72, null),
      ...every(step, 300 + step, 690, (second) => ({ second, metres: 6000, kmh: 72 })),
      ...going(720, 1020, step, 14_400, 72, null),
    ];
    const { trips, open } = drive(moments);
    expect(trips).toEqual([]);
    expect(open?.distanceMm).toBeCloseTo(20_400_000, -3);
    expect(secondOf(open?.startedAt)).toBe(0);
  });

  test("that the vehicle does not leave was a stand, and the trip ended there", () => {
    const stale = every(10, 310, 2000, (second): Moment => ({ second, metres: 6000, kmh: 72 }));
    const { trips, days } = drive([...going(0, 300, 10, 0, 72, null), ...stale]);
    expect(trips.map(({ endedAt, endReason }) => [secondOf(endedAt), endReason])).toEqual([[300, "gap"]]);
    expect(days[0]?.distanceMm).toBeCloseTo(6_000_000, -3);
  });

  test("whose speed is an old one does not keep the next trip from starting where it stood", () => {
    const stale = every(10, 310, 800, (second): Moment => ({ second, metres: 6000, kmh: 72 }));
    const { trips, open } = drive([
      ...going(0, 300, 10, 0, 72, null),
      ...stale,
      ...going(810, 1200, 10, 6050, 36, null),
    ]);
    expect(trips.map(({ endedAt, endReason }) => [secondOf(endedAt), endReason])).toEqual([[300, "gap"]]);
    expect(open?.distanceMm).toBeLessThan(4_000_000);
  });
});
