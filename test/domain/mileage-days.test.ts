import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { initialMileage, openDays, stepMileage } from "../../src/domain/mileage/mileage.ts";
import { type Leg, sight } from "../../src/domain/sighting.ts";
import { utc } from "../../src/domain/time-zone.ts";
import { drive, evening, follow, going, judged, type Moment, midnightSecond } from "./support/trips-drive.ts";
import { framesOf, randomMoments } from "./support/trips-random.ts";

const firstDay = Math.floor(evening / 86_400_000);
const days = (moments: readonly Moment[]) =>
  drive(moments).days.map(({ day, ...rest }) => ({ day: day - firstDay, ...rest }));

describe("a leg over midnight", () => {
  test("is split by time, to the millimetre", () => {
    const moments = [
      { second: midnightSecond - 10, metres: 0, kmh: 40 },
      { second: midnightSecond + 20, metres: 1000, kmh: 40, receivedAt: evening + 8_000_000 },
    ];
    expect(days(moments)).toMatchObject([
      { day: 0, distanceMm: 333_333, drivingMs: 10_000, updatedAt: evening + 8_000_000 },
      { day: 1, distanceMm: 666_667, drivingMs: 20_000, updatedAt: evening + 8_000_000 },
    ]);
  });

  test("that ends at midnight belongs to the day before, and its last frame to the new one", () => {
    const moments = [
      { second: midnightSecond - 10, metres: 0, kmh: 40 },
      { second: midnightSecond, metres: 100, kmh: 40 },
    ];
    expect(days(moments)).toMatchObject([
      { day: 0, distanceMm: 100_000 },
      { day: 1, distanceMm: 0, drivingMs: 0, maxSpeedKmh: 40 },
    ]);
  });

  test("is split when standing with the engine running, too", () => {
    const idling = [midnightSecond - 60, midnightSecond + 30].map((second) => ({
      second,
      metres: 0,
      kmh: 0,
      on: true,
    }));
    expect(days(idling)).toMatchObject([{ idleMs: 60_000 }, { idleMs: 30_000 }]);
  });

  test("that counts for nothing leaves the day before as it was known", () => {
    const parked = [midnightSecond - 60, midnightSecond + 30].map((second) => ({ second, metres: 0, kmh: 0 }));
    expect(days(parked)).toMatchObject([
      { updatedAt: evening + (midnightSecond - 60) * 1000 },
      { updatedAt: evening + (midnightSecond + 30) * 1000 },
    ]);
  });

  test("of several days counts, after the first midnight, for the day it was seen, as a gap", () => {
    const moments = [
      { second: midnightSecond - 7200, metres: 0, kmh: 40 },
      { second: midnightSecond + 2 * 86_400 + 3600, metres: 300_000, kmh: 40 },
    ];
    const shares = days(moments);
    expect(shares.map(({ day }) => day)).toEqual([0, 3]);
    expect(shares.reduce((sum, { distanceMm }) => sum + distanceMm, 0)).toBe(300_000_000);
    expect(
      shares.every(({ distanceMm, gapDistanceMm, drivingMs }) => distanceMm === gapDistanceMm && drivingMs === 0),
    ).toBe(true);
    expect(shares.map(({ distanceMm }) => Math.round(distanceMm / 1e6))).toEqual([12, 288]);
  });

  test("of several days without a distance gives the days between no row", () => {
    const parked = [0, 5 * 86_400].map((second) => ({ second, metres: 0, kmh: 0 }));
    expect(days(parked).map(({ day }) => day)).toEqual([0, 5]);
  });
});

describe("a day is final", () => {
  const finalDays = (moments: readonly Moment[]) =>
    drive(moments).facts.flatMap((fact) => (fact.kind === "day" ? [[fact.day - firstDay, fact.tripCount]] : []));

  test("with the first valid frame of a later day", () => {
    const parked = { second: 0, metres: 0, kmh: 0 };
    expect(finalDays([parked, { second: midnightSecond - 0.001, metres: 0, kmh: 0 }])).toEqual([]);
    expect(finalDays([parked, { second: midnightSecond + 60, metres: null }])).toEqual([]);
    expect(finalDays([parked, { second: midnightSecond, metres: 0, kmh: 0 }])).toEqual([[0, 0]]);
  });

  test("not before the trips that started on it are over", () => {
    const late = [...going(midnightSecond - 600, midnightSecond + 600, 10, 0, 36)];
    expect(finalDays(late)).toEqual([]);
    expect(days(late)).toMatchObject([
      { day: 0, tripCount: 1 },
      { day: 1, tripCount: 0 },
    ]);
    const off = { second: midnightSecond + 610, metres: 12_000, kmh: 0, on: false };
    const again = going(midnightSecond + 900, midnightSecond + 1500, 10, 12_000, 36);
    expect(finalDays([...late, off, ...again])).toEqual([[0, 1]]);
    expect(days([...late, off, ...again])).toMatchObject([{ tripCount: 1 }, { tripCount: 1 }]);
  });

  test("not before a trip is over that started on it and is seen to be one only after midnight", () => {
    const leaving = going(midnightSecond - 15, midnightSecond + 300, 10, 0, 36);
    expect(days([...going(0, midnightSecond - 25, 60, 0, 0), ...leaving])).toMatchObject([
      { tripCount: 1 },
      { tripCount: 0 },
    ]);
  });

  test("even on a trip of many days, all but the day it started on", () => {
    const haul = going(0, 4 * 86_400, 300, 0, 60);
    expect(finalDays(haul)).toEqual([
      [1, 0],
      [2, 0],
      [3, 0],
    ]);
    expect(days(haul).map(({ day, tripCount }) => [day, tripCount])).toEqual([
      [1, 0],
      [2, 0],
      [3, 0],
      [0, 1],
      [4, 0],
    ]);
  });
});

test("without more than the trip in progress to go by, a day waits for that trip alone", () => {
  const night = [midnightSecond - 30, midnightSecond + 30].map((second) => judged({ second, metres: second, kmh: 20 }));
  const [before, after] = night;
  if (before === undefined || after === undefined) throw new Error("two frames");
  const one = sight(before, null);
  const evenings = stepMileage(initialMileage, one, [], null, utc).state;
  const startedAt = evening + (midnightSecond - 30) * 1000;
  const waiting = stepMileage(evenings, sight(after, one.fix), [], startedAt, utc);
  expect(waiting.facts).toEqual([]);
  expect(openDays(waiting.state, startedAt, utc).map(({ tripCount }) => tripCount)).toEqual([1, 0]);
  const final = stepMileage(evenings, sight(after, one.fix), [], null, utc);
  expect(openDays(final.state, null, utc)).toHaveLength(1);
  expect(final.facts).toMatchObject([{ kind: "day", tripCount: 0 }]);
});

/** The rule, once more, without days. */
function countedMm({ from, to, metres, ms, impliedKmh }: Leg): number {
  const isMoving = from.motion === "moving" || to.motion === "moving";
  const isBelievable = ms <= 600_000 || (impliedKmh <= 150 && metres <= 500_000);
  return isMoving && isBelievable ? Math.round(metres * 1000) : 0;
}

describe("whatever a vehicle does", () => {
  test("its days add up to the legs that count, exactly, and to its trips", () => {
    fc.assert(
      fc.property(randomMoments, (moments) => {
        const outcome = follow(framesOf(moments));
        const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0);
        const legs = outcome.sightings.flatMap(({ leg }) => leg ?? []);
        expect(sum(outcome.days.map(({ distanceMm }) => distanceMm))).toBe(sum(legs.map(countedMm)));
        const gaps = legs.filter(({ ms }) => ms > 600_000);
        expect(sum(outcome.days.map(({ gapDistanceMm }) => gapDistanceMm))).toBe(sum(gaps.map(countedMm)));
        expect(sum(outcome.days.map(({ tripCount }) => tripCount))).toBe(outcome.trips.length + (outcome.open ? 1 : 0));
        const starts = [...outcome.trips, ...(outcome.open ? [outcome.open] : [])].map(({ startedAt }) => startedAt);
        for (const { day, tripCount } of outcome.days) {
          expect(tripCount).toBe(starts.filter((at) => Math.floor(at / 86_400_000) === day).length);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("each day is told once, every day with a valid frame is there, and no day is longer than a day", () => {
    fc.assert(
      fc.property(randomMoments, (moments) => {
        const outcome = follow(framesOf(moments));
        const told = outcome.days.map(({ day }) => day);
        expect(new Set(told).size).toBe(told.length);
        for (const { fix } of outcome.sightings)
          if (fix !== null) expect(told).toContain(Math.floor(fix.at / 86_400_000));
        for (const { drivingMs, idleMs } of outcome.days) expect(drivingMs + idleMs).toBeLessThanOrEqual(86_400_000);
      }),
      { numRuns: 100 },
    );
  });
});
