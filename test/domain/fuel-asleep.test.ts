import { describe, expect, test } from "bun:test";
import { drive, type Moment, type Settings } from "./alerts-drive.ts";
import { driving, fuel, litres, parked, quiet } from "./support/fuel-moments.ts";

describe("a drain at night of a sensor that gets its power with the ignition", () => {
  /** Only readings on the road: 50 before the night and as many after it, ten seconds apart, then standing. */
  const night = (
    before: number,
    after: number,
    change: { hours?: number; km?: number; readings?: number } = {},
  ): Moment[] => {
    const { hours = 8, km = 0, readings = 70 } = change;
    const first = driving(0, 10, Array(50).fill(before));
    const at = 500 + hours * 3600;
    const north = (first.at(-1)?.north ?? 0) + km * 1000;
    const next = driving(0, 10, Array(readings).fill(after));
    return [
      ...first,
      { at: 500, speed: 0, ignition: false, north: first.at(-1)?.north ?? 0 },
      ...next.map((moment) => ({ ...moment, at: at + moment.at, north: north + (moment.north ?? 0) })),
    ];
  };
  const drained = (moments: Moment[], settings: Settings = {}) => fuel(drive(moments, settings));

  test("is reported at the first reading after it, once it was on the road for ten minutes", () => {
    expect(drained(night(60, 40))).toEqual([["fuel_drain", 29_300, 20]]);
    expect(drained(night(60, 40, { readings: 60 }))).toEqual([]);
    expect(drained(night(60, 40, { readings: 61 }))).toHaveLength(1);
  });

  test.each([
    ["8 % without a capacity", [60, 51.9], {}, 1],
    ["less is none", [60, 52.2], {}, 0],
    ["8 % of a large tank", [60, 51.9], litres(400), 1],
    ["less is none there", [60, 52.1], litres(400), 0],
    ["5 L of a small one", [60, 49.5], litres(50), 1],
    ["less is none there", [60, 50.5], litres(50), 0],
  ] as const)("%s", (_, [before, after], settings, expected) => {
    expect(drained(night(before, after), settings)).toHaveLength(expected);
  });

  test("takes half an hour of silence, and no more than 5 km unseen", () => {
    expect(drained(night(60, 40, { hours: 0.49 }))).toEqual([]);
    expect(drained(night(60, 40, { hours: 0.51 }))).toHaveLength(1);
    expect(drained(night(60, 40, { km: 4.5 }), litres(400))).toHaveLength(1);
    expect(drained(night(60, 40, { km: 5.1 }), litres(400))).toEqual([]);
  });

  test("is none by what an engine shows that warms up on a slope", () => {
    const evening = night(60, 60).slice(0, 51);
    const north = evening.at(-1)?.north ?? 0;
    const slope = parked(30_000, 10, Array(90).fill(48), { ignition: true, north });
    const away = driving(31_000, 10, Array(90).fill(59.5)).map((moment) => ({
      ...moment,
      north: north + (moment.at - 31_000) * 16,
    }));
    expect(drained([...evening, ...slope, ...away], quiet)).toEqual([]);
  });

  test("is reported once where readings at a standstill show it, too", () => {
    const still = (from: number, level: number) =>
      parked(from, 10, Array(6).fill(level), { ignition: true, north: 500 });
    const morning = driving(30_060, 10, Array(90).fill(40)).map((moment) => ({
      ...moment,
      north: 500 + (moment.at - 30_060) * 16,
    }));
    const moments = [
      ...driving(0, 10, Array(30).fill(60)).map((moment) => ({ ...moment, north: 500 })),
      ...still(300, 60),
    ];
    expect(drained([...moments, ...still(30_000, 40), ...morning], quiet)).toHaveLength(1);
  });
});
