import { describe, expect, test } from "bun:test";
import {
  beginCourse,
  type Course,
  distanceMm,
  extendCourse,
  released,
  settled,
} from "../../src/domain/trips/course.ts";
import { counted, heldIn, type Roaming, roamedTo, roamingFrom } from "../../src/domain/trips/roaming.ts";
import { fixAt, legBetween, placeAt } from "./support/trips-legs.ts";

/** Metres north and east of the first place. */
type Offset = readonly [north: number, east: number];

const stepMs = 10_000;

/** Along these places, each of them a corner and a place that was reached, by 100 m of way. */
function along(places: readonly Offset[], ms = stepMs, from = roamingFrom(placeAt(0))) {
  let roaming = from;
  let mm = 0;
  for (const [north, east] of places) {
    const to = placeAt(north, east);
    const step = counted(roaming.isOver ? roaming : roamedTo(roaming, to, ms), to, 100_000);
    roaming = step.roaming;
    mm += step.countedMm;
  }
  return { roaming, countedM: mm / 1000 };
}

const times = (count: number, places: readonly Offset[]): Offset[] =>
  Array.from({ length: count }, () => places).flat();

/** Each leg leads to the left of the one before and back, so none leads on. */
const wavering: readonly Offset[] = [
  [80, 0],
  [80, 80],
  [0, 80],
  [0, 0],
];

const doubtOf = (...places: Offset[]): number => along(places).roaming.doubt;

describe("places of a vehicle without a speed", () => {
  test("that lead on count at once", () => {
    const { roaming, countedM } = along([
      [60, 0],
      [120, 20],
      [180, 0],
      [240, 40],
    ]);
    expect(countedM).toBe(400);
    expect(roaming).toMatchObject({ doubt: 0, heldMm: 0, isWavering: false });
  });

  test("cast no doubt up to a turn of 60°, and some beyond", () => {
    const turned = (degrees: number): Offset => {
      const radians = (degrees * Math.PI) / 180;
      return [100 + 100 * Math.cos(radians), 100 * Math.sin(radians)];
    };
    expect(doubtOf([100, 0], turned(59))).toBe(0);
    expect(doubtOf([100, 0], turned(63))).toBeGreaterThan(0);
    expect(doubtOf([100, 0], turned(90))).toBe(50);
    expect(doubtOf([100, 0], turned(160))).toBe(144);
    // It turned round, as at the end of a row.
    expect(doubtOf([100, 0], turned(163))).toBe(0);
  });

  test("that turn once hold nothing back; from a doubt of 100 on the way is held", () => {
    expect(along([wavering[0], wavering[1]] as Offset[])).toMatchObject({ countedM: 200, roaming: { doubt: 50 } });
    const held = along(wavering.slice(0, 3));
    expect(held).toMatchObject({ countedM: 200, roaming: { doubt: 100, heldMm: 100_000 } });
    expect(heldIn(held.roaming)).toBe(100_000);
  });

  test("count again once they lead on", () => {
    const { roaming, countedM } = along([...wavering.slice(0, 3), [-80, 80], [-160, 80]]);
    expect(roaming).toMatchObject({ doubt: 0, heldMm: 0 });
    expect(countedM).toBe(500);
  });

  test("that lead anywhere for long show a stand: what was held is nothing", () => {
    const before = along(times(6, wavering));
    expect(before.roaming).toMatchObject({ doubt: 1150, isWavering: false });
    expect(heldIn(before.roaming)).toBe(2_200_000);
    const after = along([wavering[0] as Offset], stepMs, before.roaming);
    expect(after).toMatchObject({ countedM: 0, roaming: { doubt: 1200, isWavering: true } });
    expect(heldIn(after.roaming)).toBe(0);
    expect(along(times(40, wavering))).toMatchObject({ countedM: 200, roaming: { doubt: 1800 } });
  });

  test("that lead on at last from a stand do not count what was held till then", () => {
    const stood = along(times(7, wavering)).roaming;
    expect(stood).toMatchObject({ doubt: 1350, isWavering: true });
    // In steps of 8 m, so that it stays in the neighbourhood.
    const onward = Array.from({ length: 30 }, (_, index): Offset => [0, -8 * (index + 1)]);
    const { roaming, countedM } = along(onward, stepMs, stood);
    expect(roaming).toMatchObject({ doubt: 0, isWavering: false, heldMm: 0 });
    // The last four of them.
    expect(countedM).toBe(400);
  });

  test("lead away from the middle of a stand", () => {
    const stood = along(times(10, wavering)).roaming;
    expect(along([[40, 335]], stepMs, stood).roaming.isOver).toBe(false);
    const { roaming, countedM } = along([[40, 345]], stepMs, stood);
    expect(countedM).toBeCloseTo(305, -1);
    expect(roaming).toEqual(roamingFrom(placeAt(40, 345)));
  });

  test("count in full where the vehicle leaves before it is shown to stand", () => {
    const held = along(times(2, wavering)).roaming;
    expect(held.heldMm).toBe(600_000);
    expect(along([[900, 0]], stepMs, held).countedM).toBe(700);
  });

  test("say nothing more than 40 s apart", () => {
    expect(along(times(10, wavering), 40_001).countedM).toBe(4000);
    expect(along(times(10, wavering), 40_000).countedM).toBe(200);
  });

  test("are the same beyond the antimeridian", () => {
    const from = roamingFrom({ latitude: 0, longitude: 180 });
    const { east }: Roaming = roamedTo(from, { latitude: 0, longitude: -179.999 }, stepMs);
    expect(east).toBe(111);
  });
});

describe("a trip on which the way is held back", () => {
  const fixOn = (second: number, [north, east]: Offset, speedKmh: number | null = null) =>
    fixAt(second, 0, { ...placeAt(north, east), speedKmh });

  /** A trip along these places, one every ten seconds, each of them reached. */
  function courseAlong(places: readonly Offset[], lastKmh: number | null = null): Course {
    const start = fixOn(0, [0, 0]);
    let course = beginCourse(start);
    let from = start;
    for (const [index, place] of places.entries()) {
      const isLast = index === places.length - 1;
      const to = fixOn(10 * (index + 1), place, isLast ? lastKmh : null);
      course = settled(extendCourse(course, start, legBetween(from, to), []), course);
      from = to;
    }
    return course;
  }

  test("counts it when it ends, unless the vehicle is shown to stand", () => {
    const course = courseAlong(times(2, wavering));
    expect(distanceMm(course)).toBeCloseTo(160_000, -3);
    expect(distanceMm(released(course))).toBeCloseTo(640_000, -3);
    const stood = courseAlong(times(7, wavering));
    expect(distanceMm(released(stood))).toBe(distanceMm(stood));
  });

  test("counts it once a speed is reported", () => {
    const course = courseAlong([...times(2, wavering), [80, 0]], 30);
    expect(course.roaming).toBeNull();
    expect(distanceMm(course)).toBeCloseTo(720_000, -3);
  });
});
