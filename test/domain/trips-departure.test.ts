import { describe, expect, test } from "bun:test";
import { distanceMm } from "../../src/domain/trips/course.ts";
import { departAt, departOn } from "../../src/domain/trips/departure.ts";
import type { Pace } from "../../src/domain/trips/pace.ts";
import { fixAt, legBetween, legOf, placeAt } from "./support/trips-legs.ts";

const every = (seconds: number): Pace => [seconds, seconds, seconds, seconds, seconds];
const unknown: Pace = [];

/** How many seconds before the end of the leg the vehicle left its stop; null if nobody knows. */
function leftBefore(seconds: number, metres: number, toKmh: number | null, pace: Pace): number | null {
  const leg = legOf(seconds, metres, 0, toKmh);
  const { start, isUnseen } = departOn(leg, placeAt(0), pace);
  return isUnseen ? null : (leg.to.at - start.at) / 1000;
}

describe("a vehicle left its stop", () => {
  test.each([
    ["with the frame before, on a leg of 14.999 s", 14.999, 300, 36, 14.999],
    ["as long before as the way takes at its speed, and 5 s to reach it", 60, 300, 36, 35],
    ["with the frame before, if the way takes longer", 60, 600, 36, 60],
    ["by its speed from 10 km/h on", 600, 100, 10, 41],
    ["by that of a town, 30 km/h, below 10 km/h", 600, 100, 9.999, 17],
    ["by that of a town, if it reports none", 600, 100, null, 17],
    ["by that of the leg, if that is more", 60, 1000, null, 60],
    ["by that of a town on a long leg, if that is less", 500, 2500, null, 305],
  ])("%s", (_, seconds, metres, toKmh, before) => {
    expect(leftBefore(seconds, metres, toKmh, unknown)).toBeCloseTo(before, 2);
  });

  test.each([
    ["60 s, however slowly", 60, 900, 10, every(10), 60],
    ["60.001 s, if the way takes 60 s", 60.001, 550, 36, every(10), 60],
    ["601 s at less than 10 km/h, if the way takes longer", 601, 1669, 36, every(10), null],
    ["601 s at more than 10 km/h", 601, 1670, 36, every(10), 172],
    ["hours, if the way takes a minute", 7200, 550, 36, every(10), 60],
    ["six intervals of 30 s", 180, 499, 10, every(30), 180],
    ["more than six intervals of 30 s, at less than 10 km/h", 184, 499, 10, every(30), null],
    ["1500 s at ten minutes", 1500, 4152, 10, every(600), 1499.72],
    ["1500.001 s at ten minutes, at less than 10 km/h", 1500.001, 4166, 10, every(600), null],
    ["hours, if the way takes more than a minute", 7200, 551, 36, every(10), null],
    ["hours at 30 s, if the way takes more than two and a half intervals", 7200, 701, 36, every(30), null],
    ["600 s, if its interval is unknown", 600, 1666, 10, unknown, 600],
    ["600.001 s, at less than 10 km/h, if its interval is unknown", 600.001, 1666, 10, unknown, null],
    ["3600 s at 20 km/h", 3600, 20_000, 40, unknown, 1805],
    ["3600.001 s at 20 km/h", 3600.001, 20_001, 40, unknown, null],
    ["1200 s at 150 km/h", 1200, 49_999, 150, unknown, 1200],
    ["1200 s at more than 150 km/h", 1200, 50_001, 150, unknown, null],
  ])("or nobody knows when: on a leg of %s", (_, seconds, metres, toKmh, pace, before) => {
    const left = leftBefore(seconds, metres, toKmh, pace);
    if (before === null) expect(left).toBeNull();
    else expect(left).toBeCloseTo(before, 2);
  });

  test("at the place of the stop, with the last odometer, and drove since", () => {
    const leg = legBetween(fixAt(0, 12, { odometerKm: 700 }), fixAt(60, 300, { speedKmh: 36, odometerKm: 701 }));
    const { start, course } = departOn(leg, placeAt(0), unknown);
    expect(start).toEqual({ at: 25_000, ...placeAt(0), odometerKm: 700 });
    expect(course).toMatchObject({ drivingMs: 35_000, idleMs: 0, positionCount: 1, isAway: true, settledMm: 0 });
    expect(distanceMm(course)).toBe(300_000);
    expect(course.last).toEqual({ at: 60_000, ...placeAt(300), odometerKm: 701 });
  });

  test("and is away from it from 100 m on", () => {
    expect(departOn(legOf(60, 99.999, 0, 36), placeAt(0), unknown).course.isAway).toBe(false);
    expect(departOn(legOf(60, 100.001, 0, 36), placeAt(0), unknown).course.isAway).toBe(true);
  });

  test("with the ignition off it has not driven off", () => {
    const leg = legBetween(fixAt(0, 0), fixAt(1200, 12_000, { speedKmh: 40, ignition: false }));
    expect(departOn(leg, placeAt(0), unknown).isUnseen).toBe(true);
  });

  test("in a gap, where it neither drove nor stood, and which counts as unseen from ten minutes on", () => {
    const course = (seconds: number) => departOn(legOf(seconds, 12_000, 0, 40), placeAt(0), every(10)).course;
    expect(course(1200)).toMatchObject({ hasGap: true, drivingMs: 0, gapMm: 12_000_000 });
    expect(course(600)).toMatchObject({ hasGap: true, drivingMs: 0, gapMm: 0 });
    expect(course(300)).toMatchObject({ hasGap: false, drivingMs: 300_000, gapMm: 0 });
  });

  test("where it is seen, if nobody knows when", () => {
    const leg = legOf(600.001, 1666, 0, 10);
    expect(departOn(leg, placeAt(0), unknown)).toEqual({ ...departAt(leg.to), isUnseen: true });
    expect(departAt(leg.to)).toMatchObject({ start: { at: 600_001 }, course: { drivingMs: 0, isAway: false } });
  });
});
