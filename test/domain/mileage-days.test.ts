import { describe, expect, test } from "bun:test";
import { initialMileage, openDays, stepMileage, type TripsSoFar } from "../../src/domain/mileage/mileage.ts";
import { noTrail } from "../../src/domain/motion.ts";
import { sight } from "../../src/domain/sighting.ts";
import { utc } from "../../src/domain/time/time-zone.ts";
import { drive, evening, going, judged, type Moment, midnightSecond } from "./support/trips-drive.ts";

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
      { second: midnightSecond, metres: 110, kmh: 40 },
    ];
    expect(days(moments)).toMatchObject([
      { day: 0, distanceMm: 111_111 },
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

  test("not before a trip is over that started on a day without a frame, and counts for it", () => {
    const later = midnightSecond + 86_400;
    const leaving = going(later + 10, later + 2 * 86_400, 300, 300, 36, null);
    // 300 m at 36 km/h: it left 35 s before it was seen, on the day before, which has no row.
    expect(days([...going(0, 60, 10, 0, 0, null), ...leaving]).map(({ day, tripCount }) => [day, tripCount])).toEqual([
      [0, 0],
      [2, 1],
      [3, 0],
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

describe("what the trips say about a frame", () => {
  const startedAt = evening + (midnightSecond - 30) * 1000;
  const [before, after] = [-30, 30].map((second) =>
    judged({ second: midnightSecond + second, metres: second, kmh: 20 }),
  );
  if (before === undefined || after === undefined) throw new Error("two frames");
  const one = sight(before, null, noTrail);
  const nothing = { ended: [], deltas: [], isUnderWay: false, earliestStart: null, countedUntil: null };
  const evenings = stepMileage(initialMileage, one, nothing, utc).state;
  const step = (more: Partial<TripsSoFar>) =>
    stepMileage(evenings, sight(after, one.fix, noTrail), { ...nothing, ...more }, utc);

  test.each([
    ["nothing", {}, 1],
    ["a trip that started on it", { earliestStart: startedAt }, 2],
    ["a trip that started after it", { earliestStart: startedAt + 30_000 }, 1],
    ["a delta that may begin on it", { countedUntil: startedAt + 29_999 }, 2],
    ["a delta that begins after it", { countedUntil: startedAt + 30_000 }, 1],
  ])("leaves a day open as long as something may come: %s", (_, more, open) => {
    expect(step(more).state.days).toHaveLength(open);
  });

  test("counts a trip in progress on the day it started", () => {
    const { state } = step({ earliestStart: startedAt });
    const trip = { startedAt, durationMs: 60_000, maxSpeedKmh: 90, carriedMm: 0 };
    expect(openDays(state, trip, [], utc).map(({ tripCount }) => tripCount)).toEqual([1, 0]);
  });

  test.each([
    ["by time", startedAt, startedAt + 40_000, [750, 250]],
    ["before midnight", startedAt, startedAt + 30_000, [1000, 0]],
    ["after midnight", startedAt + 30_000, startedAt + 60_000, [0, 1000]],
    ["of a moment", startedAt + 10_000, startedAt + 10_000, [0, 1000]],
    ["from days before", startedAt - 5 * 86_400_000, startedAt + 60_000, [1000, 0]],
  ])("is split over midnight: %s", (_, from, to, parts) => {
    const delta = { from, to, distanceMm: 1000, gapMm: 0, drivingMs: 0, idleMs: 0, carriedMm: 0 };
    const { state } = step({ deltas: [delta], countedUntil: startedAt });
    expect(state.days.map(({ gpsMm }) => gpsMm)).toEqual(parts);
  });
});
