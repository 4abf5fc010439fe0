import { describe, expect, test } from "bun:test";
import type { Fix } from "../../src/domain/sighting.ts";
import {
  beginCourse,
  type Course,
  distanceMm,
  extendCourse,
  isStandingLeg,
  markOf,
  rested,
  settled,
} from "../../src/domain/trips/course.ts";
import type { Pace } from "../../src/domain/trips/pace.ts";
import { tripOver } from "../../src/domain/trips/trip-fact.ts";
import { isUnseen, unseenMm } from "../../src/domain/trips/unseen.ts";
import { fixAt, legBetween, legOf, placeAt } from "./support/trips-legs.ts";

const unknown: Pace = [];
const everyTenMinutes: Pace = [600, 600, 600, 600, 600];

/** The course along these frames, as far as it is measured. */
function along(fixes: readonly Fix[], pace = unknown, areSpeedsTrusted = true): Course {
  const [first, ...others] = fixes;
  if (first === undefined) throw new Error("a frame");
  let course = beginCourse(first);
  let from = first;
  for (const to of others) {
    course = extendCourse(course, first, legBetween(from, to, areSpeedsTrusted), pace);
    from = to;
  }
  return course;
}

/** The metres that count once the last of these frames is a place that was reached. */
const countedMetres = (fixes: readonly Fix[], pace = unknown, areSpeedsTrusted = true) =>
  distanceMm(settled(along(fixes, pace, areSpeedsTrusted), beginCourse(fixes[0] as Fix))) / 1000;

const legMetres = (seconds: number, metres: number, fromKmh: number | null, toKmh: number | null, pace = unknown) =>
  countedMetres([fixAt(0, 0, { speedKmh: fromKmh }), fixAt(seconds, metres, { speedKmh: toKmh })], pace);

describe("a leg of a trip counts", () => {
  test.each([
    ["straight below 4 s", 3.999, 50, 48, 48, 50],
    ["by its speeds from 4 s on", 4, 50, 45.2, 45.2, 50.222],
    ["by its speeds up to 125 s", 125, 1000, 36, 36, 1250],
    ["straight above 125 s", 125.001, 1000, 36, 36, 1000],
    ["by the mean of its speeds", 60, 500, 0, 72, 600],
    ["straight, if the speeds say less", 60, 500, 0, 36, 500],
    ["up to the speeds and 1 km/h up to 15 s, since positions err", 15, 500, 36, 36, 154.167],
    ["straight above 15 s, if the speeds say less", 15.001, 500, 36, 36, 500],
    ["up to the speeds at a crawl", 10, 100, 14, 14, 38.889],
    ["by the speeds up to 15 s if it is still at both ends", 15, 100, 3, 3, 12.5],
    ["nothing up to 30 s if it is still at both ends, and has not come 250 m since it drove", 30, 249, 3, 3, 0],
    ["straight up to 30 s, if it has", 30, 251, 3, 3, 251],
    ["straight above 30 s, even if it is still at both ends", 30.001, 100, 3, 3, 100],
    ["at most a fifth more than straight after 60 s in a queue, if the speeds say more", 60, 100, 36, 36, 120],
    ["at most 57 % more after 60 s at 12 km/h", 60, 200, 72, 72, 314.133],
    [
      "at most a quarter more than straight after 60 s at 55 km/h, if the speeds say more",
      60,
      916.667,
      90,
      90,
      1124.444,
    ],
    ["at most 2.5 % more than straight after 10 s, if the speeds say more", 10, 100, 72, 72, 102.524],
    ["straight, without a speed at its beginning", 60, 500, null, 72, 500],
    ["straight, without a speed at its end", 60, 500, 72, null, 500],
  ])("%s", (_, seconds, metres, fromKmh, toKmh, counted) => {
    expect(legMetres(seconds, metres, fromKmh, toKmh)).toBeCloseTo(counted, 2);
  });

  test("by its speeds within bounds that hold for all legs together", () => {
    const town = [fixAt(0, 0, { speedKmh: 36 }), fixAt(30, 20, { speedKmh: 36 }), fixAt(60, 600, { speedKmh: 36 })];
    // 300 m by the speeds and 20 m straight, then 300 m by the speeds and 580 m straight.
    expect(countedMetres(town)).toBeCloseTo(600, 3);
  });

  test.each([
    ["straight on, which no bend makes longer", 0, 200],
    ["to the side, as much longer as it is than straight over both", 50, 217.451],
  ])("by speeds that say more, %s", (_, east, counted) => {
    const fixes = [
      fixAt(0, 0, { speedKmh: 40 }),
      fixAt(10, 100, { speedKmh: 40 }),
      fixAt(20, 200, { ...placeAt(200, east), speedKmh: 40 }),
    ];
    const first = distanceMm(along(fixes.slice(0, 2))) / 1000;
    expect(countedMetres(fixes) - first).toBeCloseTo(counted - 100, 2);
  });

  test("by speeds that are too low on all of it, once straight ways show that", () => {
    const fixes = [0, 100, 200, 300].map((metres, index) => fixAt(index * 10, metres, { speedKmh: 34 }));
    const legs = fixes.slice(1).map((to, index) => legBetween(fixes[index] as Fix, to));
    // So many pairs that what is presumed of others does not matter.
    const countedBy = (scale: number) => {
      const straightPair = { pairs: 1, byPlaces: 1e12 * scale * scale, bySpeeds: 1e12 };
      const known = legs.map((leg, index) => (index === 2 ? { ...leg, straightPair } : leg));
      const start = fixes[0] as Fix;
      return distanceMm(known.reduce((course, leg) => extendCourse(course, start, leg, unknown), beginCourse(start)));
    };
    expect(countedBy(1) / 1000).toBeCloseTo(291.666, 3);
    expect(countedBy(1.02) / 1000).toBeCloseTo(297.333, 3);
    expect(countedBy(1.06) / 1000).toBeCloseTo(300.332, 3);
  });

  test.each([
    ["along the positions, up to the speeds and 1 km/h, from 15 km/h on", 15, 15, 26.667],
    ["along the positions, if the speeds say more", 40, 40, 60],
    ["by the speeds at a crawl", 15, 14.9, 24.917],
    ["by the speeds at a crawl, even if they are about 0", 3, 3.6, 5.5],
    ["straight if it is still at both ends", 3, 3, 0],
  ])("on short legs %s", (_, evenKmh, oddKmh, counted) => {
    // Three seconds each: 30 m on, and 30 m back.
    const fixes = [0, 30, 0].map((metres, index) =>
      fixAt(index * 3, metres, { speedKmh: index % 2 === 0 ? evenKmh : oddKmh }),
    );
    expect(countedMetres(fixes)).toBeCloseTo(counted, 2);
  });

  test.each([
    ["19.999 m there and back are the error of the positions", 19.999, 0],
    ["20.001 m there and back are driven", 20.001, 40.002],
  ])("without a speed from 20 m on: %s", (_, metres, counted) => {
    const fixes = [0, metres, 0].map((place, index) => fixAt(index * 5, place));
    expect(countedMetres(fixes)).toBeCloseTo(counted, 3);
  });

  test.each([
    ["11.999 m in 10 s are the error of the positions", 11.999, 10, 0],
    ["12.001 m in 10 s are driven", 12.001, 10, 24.002],
    ["in less than 8 s they are not", 12.001, 7.9, 0],
  ])("without a speed a slow vehicle turns round within 20 m: %s", (_, metres, step, counted) => {
    const fixes = [0, metres, 0].map((place, index) => fixAt(index * step, place));
    expect(countedMetres(fixes)).toBeCloseTo(counted, 3);
  });

  test("without a speed, what leads on from the last step counts, too", () => {
    const fixes = [fixAt(0, 0), fixAt(5, 30), fixAt(10, 30, placeAt(30, 19))];
    expect(countedMetres(fixes)).toBeCloseTo(49, 2);
  });

  test("without a speed, small steps add up to the straight line", () => {
    const fixes = Array.from({ length: 101 }, (_, index) => fixAt(index, index * 3));
    expect(countedMetres(fixes)).toBeCloseTo(300, 3);
  });

  test.each([1, 10])("nothing at a speed of 0 every %p s, unless the speeds are not trusted", (step) => {
    const stalled = Array.from({ length: 11 }, (_, index) => fixAt(index * step, index * 10, { speedKmh: 0 }));
    expect(countedMetres(stalled)).toBe(0);
    expect(countedMetres(stalled, unknown, false)).toBeCloseTo(100, 3);
  });

  test("straight from the first one on, once the speeds are not trusted any more", () => {
    const fixes = [0, 200, 400, 600].map((metres, index) => fixAt(index * 10, metres, { speedKmh: 36 }));
    const [start, second, third, fourth] = fixes as [Fix, Fix, Fix, Fix];
    const trusted = [legBetween(start, second), legBetween(second, third)];
    const course = trusted.reduce((before, leg) => extendCourse(before, start, leg, unknown), beginCourse(start));
    expect(distanceMm(course) / 1000).toBeCloseTo(205.556, 3);
    const doubted = extendCourse(course, start, legBetween(third, fourth, false), unknown);
    expect(distanceMm(doubted) / 1000).toBeCloseTo(600, 3);
  });

  test("never less as it goes on, leg by leg", () => {
    let course = beginCourse(fixAt(0, 0, { speedKmh: 0 }));
    let from = fixAt(0, 0, { speedKmh: 0 });
    let before = 0;
    for (let index = 1; index < 200; index++) {
      const to = fixAt(index * (index % 3 === 0 ? 9 : 5), (index * index) % 90, { speedKmh: (index * 7) % 40 });
      if (to.at <= from.at) continue;
      const start = course;
      course = settled(extendCourse(course, placeAt(0), legBetween(from, to), unknown), start);
      expect(distanceMm(course)).toBeGreaterThanOrEqual(before);
      before = distanceMm(course);
      from = to;
    }
  });
});

describe("a leg that nobody saw", () => {
  test.each([
    ["600 s", 600, unknown, false],
    ["600.001 s", 600.001, unknown, true],
    ["1800 s at ten minutes", 1800, everyTenMinutes, false],
    ["1800.001 s at ten minutes", 1800.001, everyTenMinutes, true],
  ])("is longer than ten minutes, and than three of its usual intervals: %s", (_, seconds, pace, unseen) => {
    expect(isUnseen(seconds * 1000, pace)).toBe(unseen);
    const course = along([fixAt(0, 0, { speedKmh: 50 }), fixAt(seconds, 5000, { speedKmh: 50 })], pace);
    expect(course.gapMm).toBe(unseen ? 5_000_000 : 0);
  });

  test.each([
    ["at 149.999 km/h", 3600, 149_999, 149_999_000],
    ["at 150.001 km/h", 3600, 150_001, 0],
    ["of 499.999 km", 14_400, 499_999, 499_999_000],
    ["of 500.001 km", 14_400, 500_001, 0],
  ])("counts if it can have been driven: %s", (_, seconds, metres, mm) => {
    expect(unseenMm(legOf(seconds, metres, 0, 0))).toBe(mm);
  });
});

describe("a vehicle that stood", () => {
  test("drove nowhere since, however its positions wavered", () => {
    const since = settled(
      along([fixAt(0, 0, { speedKmh: 36 }), fixAt(10, 100, { speedKmh: 36 })]),
      beginCourse(fixAt(0, 0)),
    );
    let course = since;
    let from = fixAt(10, 100, { speedKmh: 36 });
    for (let index = 1; index <= 20; index++) {
      const to = fixAt(10 + index * 10, 100 + (index % 2) * 40, { speedKmh: index % 3 });
      course = extendCourse(course, placeAt(0), legBetween(from, to), unknown);
      from = to;
    }
    const after = rested(course, since);
    expect(distanceMm(after)).toBe(distanceMm(since));
    expect(after).toMatchObject({ pathMm: 0, speedMm: 0, drivingMs: since.drivingMs, idleMs: since.idleMs + 200_000 });
    expect(after.positionCount).toBe(since.positionCount + 20);
  });

  test.each([
    ["still at both ends, 49.999 m apart", 3, 3, 49.999, true],
    ["still at both ends, 50.001 m apart", 3, 3, 50.001, false],
    ["hardly still at its beginning", 3.001, 3, 10, false],
    ["hardly still at its end", 3, 3.001, 10, false],
    ["without speeds, unclear", null, null, 10, false],
  ])("on a leg %s", (_, fromKmh, toKmh, metres, stands) => {
    expect(isStandingLeg(legOf(60, metres, fromKmh, toKmh))).toBe(stands);
  });

  test.each([
    ["with the ignition on", true, true, 60, 60_000, 0],
    ["with the ignition unknown", null, null, 60, 60_000, 0],
    ["while the ignition goes off", true, false, 60, 0, 60_000],
    ["for 300 s", true, true, 300, 300_000, 0],
    ["over a gap", true, true, 300.001, 0, 0],
  ])("is idle: %s", (_, fromOn, toOn, seconds, idleMs, drivingMs) => {
    const still = { speedKmh: 0 };
    const course = along([
      fixAt(0, 0, { ...still, ignition: fromOn }),
      fixAt(seconds, 0, { ...still, ignition: toOn }),
    ]);
    expect(course).toMatchObject({ idleMs, drivingMs, hasGap: seconds > 300 });
  });
});

test("how fast it was by the places is for the trail to say, not for single legs", () => {
  expect(along([fixAt(0, 0), fixAt(10, 500)]).maxImpliedKmh).toBeNull();
});

test.each([
  [99.999, false],
  [100.001, true],
])("a course of %p m is away from its start: %p", (metres, isAway) => {
  expect(along([fixAt(0, 0), fixAt(60, metres), fixAt(120, 0)]).isAway).toBe(isAway);
});

describe("the highest speed of a trip", () => {
  const known = { receivedAt: 0, updatedAt: 0 };
  const fastest = (course: Course) =>
    tripOver({ start: markOf(fixAt(0, 0)), foundAt: 0 }, course, "stationary", known).maxSpeedKmh;
  const three = along([fixAt(0, 0), fixAt(6, 200), fixAt(12, 400)]);

  test("is no less than the average, where no speed is reported", () => {
    const course = settled(three, { last: fixAt(0, 0), chordMm: 0 });
    expect(fastest(course)).toBeCloseTo(120, 0);
    expect(fastest({ ...course, maxImpliedKmh: 119.9 })).toBeGreaterThanOrEqual(120);
    expect(fastest({ ...course, maxImpliedKmh: 130 })).toBe(130);
    expect(fastest({ ...course, maxSpeedKmh: 80 })).toBe(80);
    expect(fastest({ ...course, maxSpeedKmh: 80, maxImpliedKmh: 90 })).toBeGreaterThanOrEqual(120);
    expect(fastest({ ...course, maxSpeedKmh: 140, maxImpliedKmh: 90 })).toBe(140);
  });

  test("is unknown of two places", () => {
    expect(fastest(three)).not.toBeNull();
    expect(fastest({ ...three, positionCount: 2 })).toBeNull();
  });
});
