import { describe, expect, test } from "bun:test";
import { run, seen } from "./support/quality-frames.ts";

const times = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));
const repeated = <T>(count: number, what: T): T[] => times(count, () => what);

describe("an excursion", () => {
  /** At 72 km/h, a frame each second. */
  const drive = (second: number, aside = 0) => {
    const frame = seen(second, second * 20, { speed_kmh: 72 });
    return { ...frame, longitude: 10 + aside / 71_500 };
  };
  const excursion = (frames: number, aside: (index: number) => number) =>
    times(40, (second) => drive(second, second >= 20 && second < 20 + frames ? aside(second) : 0));

  test.each([1, 2, 3, 4])("of %d s to one side is rejected when the track returns", (frames) => {
    const { words } = run(excursion(frames, () => 150));
    const expected = [
      ...repeated(20, "valid"),
      ...repeated(frames, "implausible_jump"),
      ...repeated(20 - frames, "valid"),
    ];
    expect(words).toEqual(expected);
  });

  test("to either side in turn is rejected, too", () => {
    const { words } = run(excursion(3, (second) => (second % 2 === 0 ? 150 : -150)));
    expect(words.slice(20, 23)).toEqual(repeated(3, "implausible_jump"));
    expect(words.filter((word) => word === "valid")).toHaveLength(37);
  });

  test("back along the road is known by the course, though the vehicle could have come there", () => {
    const behind = times(40, (second) => {
      const isBad = second >= 20 && second < 23;
      return seen(second, second * 25 - (isBad ? 150 : 0), { speed_kmh: 90 });
    });
    expect(run(behind).words.slice(20, 24)).toEqual([...repeated(3, "implausible_jump"), "valid"]);
  });

  test("each frame of which is somewhere else is rejected in the end, though the vehicle could have come to one", () => {
    // Every 10 s at 72 km/h. From the last good frame, the third bad one takes 130 km/h.
    const asides = [3000, -3000, 900];
    const frames = times(20, (index) => {
      const frame = seen(index * 10, index * 200);
      return { ...frame, longitude: 10 + (index < 8 ? 0 : (asides[index - 8] ?? 0)) / 71_500 };
    });
    expect(run(frames).words.map((word) => word === "valid")).toEqual(times(20, (index) => index < 8 || index > 10));
  });

  test("of a drift that takes some seconds is none", () => {
    const aside = (second: number) => Math.min(150, Math.max(0, (second - 20) * 40), Math.max(0, (40 - second) * 40));
    const { words } = run(times(60, (second) => drive(second, aside(second))));
    expect(words).toEqual(repeated(60, "valid"));
  });

  test("before a silence is rejected by the frame after it", () => {
    const frames = [...times(20, (second) => drive(second)), drive(20, 150), drive(21, 150), drive(22, 150)];
    const { words } = run([...frames, drive(142), drive(143)]);
    expect(words).toEqual([...repeated(20, "valid"), ...repeated(3, "implausible_jump"), "valid", "valid"]);
  });
});

describe("an excursion after a silence of some seconds", () => {
  /** At 72 km/h, a frame each second but for the silence; then three frames to one side. */
  const after = (silentSeconds: number, aside: number, frames = 3) =>
    times(60, (second) => {
      const isBad = second >= 20 + silentSeconds && second < 20 + silentSeconds + frames;
      return { ...seen(second, second * 20), longitude: 10 + (isBad ? aside : 0) / 71_500 };
    }).filter((_, second) => second <= 20 || second >= 20 + silentSeconds);

  test.each([2, 6, 10, 15])("of %d s is outvoted, though the vehicle could have come there", (silentSeconds) => {
    const { words } = run(after(silentSeconds, 150));
    const good = (count: number) => repeated(count, "valid");
    expect(words).toEqual([...good(21), ...repeated(3, "implausible_jump"), ...good(37 - silentSeconds)]);
  });

  test("is believed if it lasts: the vehicle turned off meanwhile", () => {
    const { words } = run(after(10, 150, 40));
    expect(words).toEqual(repeated(51, "valid"));
  });

  test("within 60 m of the course is none", () => {
    expect(run(after(6, 59)).words).toEqual(repeated(55, "valid"));
  });
});

describe("a hard turn of speed", () => {
  test.each([1, 2, 5, 10])("is believed at a frame every %d s", (step) => {
    // 4 s at a third of 10 m/s² more than a fleet's vehicles reach, a while at 130 km/h, and a full brake.
    const place = (second: number): [metres: number, kmh: number] => {
      if (second < 20) return [0, 0];
      if (second < 24) return [4.5 * (second - 20) ** 2, 32.4 * (second - 20)];
      if (second < 60) return [72 + 36 * (second - 24), 129.6];
      const braked = Math.min(3.6, second - 60);
      return [72 + 36 * 36 + 36 * braked - 5 * braked ** 2, 129.6 - 36 * braked];
    };
    const frames = times(80 / step, (index) => {
      const [metres, speed_kmh] = place(index * step);
      return seen(index * step, metres, { speed_kmh });
    });
    expect(run(frames).words).toEqual(repeated(80 / step, "valid"));
  });
});
