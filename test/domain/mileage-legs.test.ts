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

describe("a leg counts", () => {
  test.each([
    ["moving at both ends", 5, 5, 400_000],
    ["moving at its beginning", 5, 0, 400_000],
    ["moving at its end", 0, 5, 400_000],
    ["moving at neither end", 4.99, 4.99, 0],
    ["still at both ends", 0, 0, 0],
    ["by the speed it takes, where none is reported", null, null, 400_000],
  ])("if the vehicle is %s", (_, fromKmh, toKmh, distanceMm) => {
    expect(dayOf(leg({ kmh: fromKmh }, { kmh: toKmh }))).toMatchObject({ distanceMm, distanceSource: "gps" });
  });

  test("not if an end is not valid or it leads elsewhere", () => {
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
    ["600 s at 200 km/h", 600, 33_333, 33_333_000, 0],
    ["700 s at more than 150 km/h", 700, 29_166.7, 0, 0],
    ["700 s at less than 150 km/h", 700, 29_166.6, 29_166_600, 29_166_600],
    ["600.001 s at 140 km/h", 600.001, 23_333, 23_333_000, 23_333_000],
    ["500.001 km at 140 km/h", 12_858, 500_001, 0, 0],
    ["499.999 km at 140 km/h", 12_858, 499_999, 499_999_000, 499_999_000],
  ])("for a gap, if it can have been driven: %s", (_, seconds, metres, distanceMm, gapDistanceMm) => {
    const { days } = drive([
      { second: midnightSecond, metres: 0, kmh: 80 },
      { second: midnightSecond + seconds, metres, kmh: 80 },
    ]);
    const drivingMs = seconds === 600 ? 600_000 : 0;
    expect(days).toMatchObject([{ distanceMm, gapDistanceMm, drivingMs }]);
  });
});

describe("a day says", () => {
  test.each([
    ["600 s", 600, 600_000],
    ["600.001 s", 600.001, 0],
  ])("how long it drove, in legs of at most 600 s: %s", (_, second, drivingMs) => {
    const { days } = drive(leg({ kmh: 50 }, { kmh: 50, second, metres: 9000 }));
    expect(days).toMatchObject([
      { drivingMs, distanceMm: 9_000_000, gapDistanceMm: 9_000_000 * Number(drivingMs === 0) },
    ]);
  });

  test.each([
    ["on and still", true, true, 3, 3, 60, 0, 60_000],
    ["on and hardly moving", true, true, 3, 3.01, 60, 0, 0],
    ["unknown", null, null, 0, 0, 60, 0, 0],
    ["off", false, false, 0, 0, 60, 0, 0],
    ["going off", true, false, 0, 0, 60, 0, 0],
    ["on for 600 s", true, true, 0, 0, 600, 0, 600_000],
    ["on for 600.001 s", true, true, 0, 0, 600.001, 0, 0],
    ["on, 49.999 m further", true, true, 0, 0, 60, 49.999, 60_000],
    ["on, 50.001 m further", true, true, 0, 0, 60, 50.001, 0],
  ])("how long it stood with the engine running: %s", (_, fromOn, toOn, fromKmh, toKmh, second, metres, idleMs) => {
    const moments = leg({ kmh: fromKmh, on: fromOn }, { kmh: toKmh, on: toOn, second, metres });
    expect(dayOf(moments)).toMatchObject({ idleMs, drivingMs: 0, distanceMm: 0 });
  });

  test("the highest speed of its valid frames, and the last receipt among them", () => {
    const moments = [
      { second: 0, metres: 0, kmh: 20, receivedAt: evening + 900_000 },
      { second: 10, metres: 100, kmh: 70, receivedAt: evening + 800_000 },
      { second: 20, metres: null, kmh: 90, receivedAt: evening + 999_000 },
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
