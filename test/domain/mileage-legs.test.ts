import { describe, expect, test } from "bun:test";
import { drive, evening, going, type Moment, midnightSecond } from "./support/trips-drive.ts";

/** The one day of a drive that ends before midnight. */
function dayOf(moments: readonly Moment[]) {
  const { days } = drive(moments);
  expect(days).toHaveLength(1);
  return days[0] as (typeof days)[number];
}

const leg = (from: Partial<Moment>, to: Partial<Moment>): Moment[] => [
  { second: 0, metres: 0, ...from },
  { second: 60, metres: 400, ...to },
];

describe("what is driven counts", () => {
  test.each([
    ["moves at both ends", 5, 5, 400_000],
    ["moves at its beginning", 5, 0, 400_000],
    ["moves at its end", 0, 5, 400_000],
    ["moves at neither end, and nothing more is known", 4.99, 4.99, 0],
    ["is still at both ends", 0, 0, 0],
    ["reports no speed", null, null, 0],
  ])("on the first leg, if the vehicle %s", (_, fromKmh, toKmh, distanceMm) => {
    expect(dayOf(leg({ kmh: fromKmh }, { kmh: toKmh }))).toMatchObject({ distanceMm, distanceSource: "gps" });
  });

  test("once the vehicle is seen to stay away, if it reports no motion", () => {
    const away = leg({}, {});
    expect(dayOf([...away, { second: 80, metres: 400 }])).toMatchObject({ distanceMm: 400_000 });
    expect(dayOf([...away, { second: 79.999, metres: 400 }])).toMatchObject({ distanceMm: 0 });
    expect(dayOf([...away, { second: 80, metres: 0 }])).toMatchObject({ distanceMm: 0 });
  });

  test("for the day even if it is too short for a trip", () => {
    const moved = [...going(0, 600, 10, 0, 0, null), ...going(610, 620, 10, 100.1, 36, null)];
    const { days, trips, open } = drive([...moved, ...going(630, 1200, 10, 250.1, 0, null)]);
    expect([...trips, open]).toEqual([null]);
    expect(days[0]).toMatchObject({ tripCount: 0 });
    expect((days[0]?.distanceMm ?? 0) / 1000).toBeCloseTo(250.1, 0);
  });

  test("not if an end is not valid or the leg leads elsewhere", () => {
    const elsewhere = leg({ kmh: 50 }, { kmh: 50, isElsewhere: true });
    expect(dayOf(elsewhere)).toMatchObject({ distanceMm: 0, drivingMs: 0, maxSpeedKmh: 50 });
    const lost = [
      { second: 0, metres: 0, kmh: 50 },
      { second: 30, metres: null },
      { second: 60, metres: 900, kmh: 50 },
    ];
    expect(dayOf(lost)).toMatchObject({ distanceMm: 900_000, drivingMs: 60_000 });
  });

  test("not while parked, however the position drifts", () => {
    const drifting = Array.from({ length: 200 }, (_, index) => ({
      second: index * 30,
      metres: 60 * Math.sin(index),
      kmh: 2,
    }));
    expect(dayOf(drifting)).toMatchObject({ distanceMm: 0, drivingMs: 0, tripCount: 0 });
  });

  test.each([
    ["600 s at 200 km/h", 600, 33_333, 33_333_000, 0, 600_000],
    ["700 s at more than 150 km/h", 700, 29_166.7, 0, 0, 0],
    ["700 s at less than 150 km/h", 700, 29_166.6, 29_166_600, 29_166_600, 0],
    ["600.001 s at 140 km/h", 600.001, 23_333, 23_333_000, 23_333_000, 0],
    ["500.001 km at 140 km/h", 12_858, 500_001, 0, 0, 0],
    ["499.999 km at 140 km/h", 12_858, 499_999, 499_999_000, 499_999_000, 0],
  ])("over a gap, if it can have been driven: %s", (_, seconds, metres, distanceMm, gapDistanceMm, drivingMs) => {
    const { days } = drive([
      { second: midnightSecond, metres: 0, kmh: 80 },
      { second: midnightSecond + seconds, metres, kmh: 80 },
    ]);
    expect(days).toMatchObject([{ distanceMm, gapDistanceMm, drivingMs }]);
  });

  test.each([
    ["600 s", 600, 0],
    ["600.001 s", 600.001, 9_000_000],
  ])("in a gap of a trip, unseen if that is longer than ten minutes: %s", (_, seconds, gapDistanceMm) => {
    const gap = { second: 300 + seconds, metres: 3000 + 9000, kmh: 36 };
    const { days, open } = drive([...going(0, 300, 10, 0, 36, null), gap]);
    expect(days).toMatchObject([{ distanceMm: 12_000_000, gapDistanceMm, drivingMs: 300_000 }]);
    expect(open).toMatchObject({ distanceMm: 12_000_000, hasGap: true });
  });
});

describe("a day says", () => {
  test.each([
    ["on and still", true, true, 3, 3, 60, 0, 60_000],
    ["on and hardly moving", true, true, 3, 3.01, 60, 0, 0],
    ["unknown", null, null, 0, 0, 60, 0, 0],
    ["off", false, false, 0, 0, 60, 0, 0],
    ["going off", true, false, 0, 0, 60, 0, 0],
    ["on for 300 s", true, true, 0, 0, 300, 0, 300_000],
    ["on for 300.001 s", true, true, 0, 0, 300.001, 0, 0],
    ["on, 29.999 m further", true, true, 0, 0, 60, 29.999, 60_000],
    ["on, 50.001 m further", true, true, 0, 0, 60, 50.001, 0],
  ])("how long it stood with the engine running: %s", (_, fromOn, toOn, fromKmh, toKmh, second, metres, idleMs) => {
    const moments = leg({ kmh: fromKmh, on: fromOn }, { kmh: toKmh, on: toOn, second, metres });
    expect(dayOf(moments)).toMatchObject({ idleMs, drivingMs: 0, distanceMm: 0 });
  });

  test("how long it stood with the engine running before, on and after a trip", () => {
    const before = going(0, 600, 10, 0, 0);
    const trip = going(610, 1200, 10, 100, 36);
    const light = going(1210, 1300, 10, 6025, 0);
    const onward = going(1310, 1500, 10, 6125, 36);
    const after = going(1510, 4510, 10, 8025, 0);
    const { days, trips } = drive([...before, ...trip, ...light, ...onward, ...after]);
    expect(trips).toMatchObject([{ idleMs: 90_000, durationMs: 910_000 }]);
    expect(days).toMatchObject([{ idleMs: 600_000 + 90_000 + 3_000_000, drivingMs: 820_000 }]);
  });

  test("the highest speed of its valid frames, and the last receipt among them", () => {
    const moments = [
      { second: 0, metres: 0, kmh: 20, receivedAt: evening + 900_000 },
      { second: 10, metres: 100, kmh: 70, receivedAt: evening + 800_000 },
      { second: 20, metres: null, kmh: 90, receivedAt: evening + 850_000 },
    ];
    expect(dayOf(moments)).toMatchObject({ maxSpeedKmh: 70, updatedAt: evening + 900_000 });
    expect(dayOf([{ second: 0, metres: 0 }])).toMatchObject({ maxSpeedKmh: null, tripCount: 0, distanceMm: 0 });
  });

  test("its trips, the one in progress with them", () => {
    const first = [...going(0, 600, 10, 0, 36), { second: 610, metres: 6000, kmh: 0, on: false }];
    expect(dayOf(first).tripCount).toBe(1);
    expect(dayOf([...first, ...going(2000, 2600, 10, 6000, 36)]).tripCount).toBe(2);
  });
});

test("a device without a valid frame has no day", () => {
  expect(drive([{ second: 0, metres: null, on: true }]).days).toEqual([]);
});
