import { describe, expect, test } from "bun:test";
import type { Frame } from "../../src/domain/frame.ts";
import { isSharedByTwo } from "../../src/domain/quality/rival.ts";
import { run, seen } from "./support/quality-frames.ts";

const km = 1000;
const times = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));

/** Both in the order of their times. */
const together = (...tracks: Frame[][]) => tracks.flat().sort((one, other) => one.recordedAt - other.recordedAt);
const still = (from: number, count: number, beat: number, metres: number) =>
  times(count, (index) => seen(from + index * beat, metres + (index % 3) * 5));
const driving = (from: number, count: number, beat: number) =>
  times(count, (index) => seen(from + index * beat, from + index * beat * 15));

/** The verdicts on the frames that are farther than 500 km south, and on the others. */
const verdicts = (frames: Frame[]) => {
  const { all, words } = run(frames);
  const isFar = all.map(({ frame }) => (frame.latitude ?? 0) < 46);
  return { far: words.filter((_, index) => isFar[index]), near: words.filter((_, index) => !isFar[index]) };
};

describe("two trackers with one IMEI", () => {
  test.each([
    [10, 10],
    [10, 300],
    [30, 60],
    [300, 300],
  ])(
    "of which one, every %d s, drives and the other, every %d s, is parked: the one that drives is believed",
    (own, other) => {
      const known = together(still(0, 3600 / own, own, 0), still(5, 3600 / other, other, 1500 * km));
      const drive = together(driving(3600, 3600 / own, own), still(3605, 3600 / other, other, 1500 * km));
      const { far, near } = verdicts([...known, ...drive]);
      expect(near.slice(-Math.floor(3300 / own)).filter((word) => word === "valid").length).toBeGreaterThan(2700 / own);
      expect(far.slice(-Math.floor(2700 / other))).toEqual(
        far.slice(-Math.floor(2700 / other)).fill("implausible_jump"),
      );
      expect(near.filter((word) => word === "elsewhere").length).toBeLessThanOrEqual(1);
    },
  );

  test("is known at the fifth return to the believed one, not before, and forgotten after an hour", () => {
    const frames = together(still(0, 11, 60, 0), still(30, 10, 60, 1500 * km));
    const stateAfter = (count: number) => run(frames.slice(0, count)).state;
    expect(isSharedByTwo(stateAfter(10))).toBe(false);
    expect(isSharedByTwo(stateAfter(11))).toBe(true);
    const last = frames.at(-2)?.recordedAt ?? 0;
    const later = (ms: number) => ({ ...seen(0, 0), recordedAt: last + ms });
    expect(isSharedByTwo(run([...frames, later(3_600_000)]).state)).toBe(true);
    expect(isSharedByTwo(run([...frames, later(3_600_001)]).state)).toBe(false);
  });

  test("both parked: the first stays", () => {
    const { far, near } = verdicts(together(still(0, 60, 60, 0), still(30, 60, 60, 1500 * km)));
    expect([near.every((word) => word === "valid"), far.every((word) => word === "implausible_jump")]).toEqual([
      true,
      true,
    ]);
  });

  test("the other is believed once the believed one has been silent for more than 15 minutes", () => {
    const both = together(still(0, 20, 60, 0), still(30, 19, 60, 1500 * km));
    const alone = (until: number) => still(1170, (until - 1170) / 30 + 1, 30, 1500 * km);
    expect(run([...both, ...alone(2040)]).words.at(-1)).toBe("implausible_jump");
    expect(run([...both, ...alone(2070)]).words.at(-1)).toBe("elsewhere");
  });

  test.each([
    ["180 s and 151 m", 151, "elsewhere"],
    ["149 m", 149, "implausible_jump"],
  ])("the other drives if it is away while the believed one stands: %s", (_, metres, word) => {
    const both = together(still(0, 20, 60, 0), still(30, 19, 60, 1500 * km));
    const away = seen(1170, 1500 * km + metres);
    expect(run([...both, away]).words.at(-1)).toBe(word);
  });

  test.each([1, 10, 30])("are not what a tracker is that errs by a kilometre now and then, every %d s", (beat) => {
    const frames = times(3600, (second) => {
      const frame = seen(second * beat, 0);
      const angle = (second * second) % 1000;
      if (second % 60 !== 59) return frame;
      return { ...frame, latitude: 50 + Math.cos(angle) / 111, longitude: 10 + Math.sin(angle) / 71.5 };
    });
    const { state, words } = run(frames);
    expect(isSharedByTwo(state)).toBe(false);
    expect(words.filter((word) => word === "elsewhere")).toEqual([]);
  });
});
