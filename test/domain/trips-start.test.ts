import { describe, expect, test } from "bun:test";
import { isTowed, openTrip, stopPlace, tripUnderWay } from "../../src/domain/trips/trips.ts";
import { drive, follow, going, judged, type Moment, secondOf } from "./support/trips-drive.ts";

/** Stands at 0 m for a minute, frames every ten seconds. */
const parked = (on: boolean | null): Moment[] => going(0, 60, 10, 0, 0, on);
/** The same without a speed. */
const parkedSilent: Moment[] = going(0, 60, 10, 0, 0, null).map((moment) => ({ ...moment, kmh: null }));

const startOf = (moments: readonly Moment[]) => secondOf(tripUnderWay(drive(moments).known.trips));
const metresPerDegree = 111_195.08;

describe("a vehicle leaves", () => {
  test.each([
    ["below 100 m", 99.999, null, null, false],
    ["from 100 m on", 100.001, null, null, true],
    ["from 100 m on, with the ignition on", 100.001, null, true, true],
    ["from 100 m on, although the position may be 50 m off", 100.001, 50, null, true],
    ["not at 100 m where the position may be 51 m off", 100.001, 51, null, false],
    ["below twice the accuracy", 239.999, 120, null, false],
    ["from twice the accuracy on", 240.001, 120, null, true],
    ["with the ignition off, below 300 m", 299.999, null, false, false],
    ["with the ignition off, from 300 m on", 300.001, null, false, true],
    ["with the ignition off, not at 300 m where the position may be 151 m off", 300.001, 151, false, false],
  ])("or not, by the way from its stop: %s", (_, metres, accuracyM, on, leaves) => {
    const { known } = drive([...parked(on), { second: 70, metres, accuracyM, on, kmh: 5 }]);
    expect(tripUnderWay(known.trips) !== null).toBe(leaves);
    expect(stopPlace(known.trips) === null).toBe(leaves);
    expect(isTowed(known.trips)).toBe(leaves && on === false);
  });

  test.each([
    ["a speed of 5 km/h at its end", 0, 5, true],
    ["a speed of 4.999 km/h at its end", 0, 4.999, false],
    ["a speed of 5 km/h at the frame before", 5, 0, true],
    ["a speed of 4.999 km/h at the frame before", 4.999, 0, false],
    ["no speed, on a leg that implies one", null, null, false],
  ])("at once if the leg reports motion: %s", (_, fromKmh, toKmh, leaves) => {
    const moments = [...parkedSilent, { second: 65, metres: 0, kmh: fromKmh }, { second: 75, metres: 900, kmh: toKmh }];
    expect(startOf(moments) !== null).toBe(leaves);
  });

  test.each([
    ["twice within 19.999 s", [70, 89.999], false],
    ["twice within 20 s", [70, 90], true],
    ["three times within 14.999 s", [70, 77, 84.999], false],
    ["three times within 15 s", [70, 77, 85], true],
    ["once", [70], false],
  ])("else if it is seen away %s", (_, seconds, leaves) => {
    expect(startOf([...parkedSilent, ...seconds.map((second) => ({ second, metres: 140 }))]) !== null).toBe(leaves);
  });

  test("not if it comes back in between", () => {
    const away = [70, 80, 100, 110, 130, 140].map((second) => ({ second, metres: 140 }));
    const back = [90, 120, 150].map((second) => ({ second, metres: 60 }));
    const all = [...away, ...back].sort((one, other) => one.second - other.second);
    expect(startOf([...parkedSilent, ...all])).toBeNull();
  });

  test("not while the ignition is off, however it rolls within 300 m", () => {
    const rolling = [70, 80, 90, 100, 110].map((second) => ({ second, metres: second * 2, kmh: 9, on: false }));
    expect(startOf([...parked(false), ...rolling])).toBeNull();
  });
});

describe("a trip starts", () => {
  const away = { second: 100, metres: 150, kmh: 30 };

  test.each([
    [29.999, 70],
    [30.001, 60],
  ])("at the latest frame within 30 m of the stop: %p m away at second 70, it was %p", (metres, second) => {
    // A frame that moves is where a trip is under way; this one does not yet.
    const near = { second: 70, metres, kmh: 4 };
    expect(startOf([...parked(null), near, { ...away, second: 80, kmh: 20 }])).toBe(second);
  });

  test("on the leg that leads away, as long before its end as the way takes", () => {
    // 150 m at 30 km/h are 18 s, and 5 s to reach that speed.
    expect(startOf([...parked(null), away])).toBe(77);
    expect(startOf([...parked(null), { ...away, second: 70 }])).toBe(60);
    expect(startOf([...parked(null), { ...away, second: 7200 }])).toBe(7177);
  });

  test("where its stop is, not where the last position was", () => {
    const { open } = drive([...parked(null), { second: 70, metres: 20, kmh: 0 }, ...going(80, 200, 10, 200, 36, null)]);
    expect(open?.start.latitude).toBe(0);
    expect(open?.distanceMm).toBe(1_400_000);
  });

  test("before the ignition was seen on, if the leg shows it", () => {
    expect(startOf([...parked(false), { ...away, on: true }])).toBe(77);
    const creeping = { second: 70, metres: 60, kmh: 4, on: true };
    expect(startOf([...parked(false), creeping, { ...away, on: true }])).toBe(77);
    expect(startOf([...parked(false), creeping, { ...away, second: 80, on: true }])).toBe(70);
    expect(startOf([...parked(null), creeping, { ...away, second: 80, on: true }])).toBe(60);
  });

  test.each([
    ["60 s on", 120, 60],
    ["361 s on", 421, 421],
  ])("where it is seen, if the way takes longer than this tracker is ever silent: %s", (_, second, start) => {
    const known = going(0, 60, 10, -600, 36, null);
    const stopped = going(70, 300, 10, 0, 0, null);
    const shift = 240;
    const moments = [...known, ...stopped, { second: second + shift, metres: 1000, kmh: 36 }];
    expect(startOf(moments)).toBe(start + shift);
  });

  test.each([
    ["3600 s on", 3660, 2455],
    ["3600.001 s on", 3660.001, 3660.001],
  ])("where it is seen, if no interval is known: %s", (_, second, start) => {
    expect(startOf([...parked(null), { second, metres: 12_000, kmh: 36 }])).toBe(start);
  });

  test("and what was driven before counts for the day as unseen, but for no trip", () => {
    const known = [...going(0, 60, 10, -600, 36, null), ...going(70, 300, 10, 0, 0, null)];
    const onward = going(1500, 1800, 10, 3000, 36, null);
    const { open, days } = drive([...known, ...onward]);
    expect(open).toMatchObject({ distanceMm: 3_000_000, durationMs: 300_000 });
    // 600 m straight on before the stop (its speeds of 36 and 0 at one place, 50 m, do not count) and 2.5 m by which the first leg,
    // which follows none, may wind; 3 km unseen; 3 km of the trip.
    expect(days).toMatchObject([{ distanceMm: 6_602_524, gapDistanceMm: 3_000_000, tripCount: 2 }]);
  });

  test("with the first frame of all, if that is where it drives off", () => {
    const { trips, open, sightings } = drive(going(0, 600, 10, 0, 50));
    expect(trips).toEqual([]);
    expect(open).toMatchObject({ startedAt: sightings[0]?.fix?.at, positionCount: 61, endedAt: null });
    expect(open?.distanceMm).toBeCloseTo(8_333_333, -2);
  });

  test("without what a stray position showed just before", () => {
    const stray = { second: 70, metres: 250 };
    const back = [80, 90].map((second) => ({ second, metres: 45 }));
    const leaving = going(100, 300, 10, 145, 36, null);
    const { open, days } = drive([...parkedSilent, stray, ...back, ...leaving]);
    expect(secondOf(open?.startedAt)).toBeGreaterThanOrEqual(80);
    expect(open?.distanceMm).toBeLessThanOrEqual(2_145_000);
    expect(days[0]?.distanceMm).toBe(open?.distanceMm as number);
  });
});

describe("a parked vehicle", () => {
  test("stands where it was first seen, or where its trip ended", () => {
    expect(stopPlace(drive([]).known.trips)).toBeNull();
    expect(stopPlace(drive(parked(null)).known.trips)).toEqual({ latitude: 0, longitude: 10 });
    expect(stopPlace(drive(going(0, 300, 10, 0, 36)).known.trips)).toBeNull();
    const running = drive([...going(0, 300, 10, 0, 36), ...going(310, 520, 10, 3000, 0, true)]);
    expect(stopPlace(running.known.trips)).toBeNull();
    const unknown = drive([...going(0, 300, 10, 0, 36, null), ...going(310, 520, 10, 3000, 0, null)]);
    expect(stopPlace(unknown.known.trips)?.latitude).toBeCloseTo(3000 / metresPerDegree, 5);
  });

  test("does not leave by drift of tens of metres, whatever small speeds it reports", () => {
    const drift = Array.from({ length: 2000 }, (_, index) => ({
      second: index * 30,
      metres: 70 * Math.sin(index) * Math.cos(index / 50),
      kmh: index % 2 === 0 ? 4.9 : 6,
    }));
    const { trips, known, days } = drive(drift);
    expect(trips).toEqual([]);
    expect(tripUnderWay(known.trips)).toBeNull();
    expect(days.map(({ distanceMm }) => distanceMm)).toEqual(days.map(() => 0));
  });

  test("has its stop put right by the places of the minutes that follow a bad first one", () => {
    const standing = (last: number) => [{ second: 0, metres: 0, kmh: 0 }, ...going(60, last, 20, 45, 0, null)];
    const metres = (last: number) => (stopPlace(drive(standing(last)).known.trips)?.latitude ?? 0) * metresPerDegree;
    expect(metres(60)).toBeCloseTo(22.5, 3);
    expect(metres(120)).toBeCloseTo(45, 3);
    const { open } = drive([...standing(7200), ...going(7210, 7800, 10, 145, 36, null)]);
    expect(secondOf(open?.startedAt)).toBe(7200);
    expect(open?.idleMs).toBe(0);
  });

  test("is followed where its position creeps, without a trip or a kilometre", () => {
    const stops: number[] = [];
    const creeping = Array.from({ length: 400 }, (_, index) => ({ second: index * 60, metres: index * 8, kmh: 0 }));
    const { trips, days } = follow(
      creeping.map((moment) => judged(moment)),
      (known) => {
        stops.push((stopPlace(known.trips)?.latitude ?? Number.NaN) * metresPerDegree);
        return known;
      },
    );
    expect(trips).toEqual([]);
    expect(days.every(({ distanceMm }) => distanceMm === 0)).toBe(true);
    // The middle of nine minutes is four minutes behind.
    expect(stops.at(-1)).toBeCloseTo(395 * 8, 0);
  });

  test("may start a trip at the latest frame in 180 s, although none is close to the middle of its places", () => {
    const off = [60, 120, 180, 230].map((second) => ({ second, metres: 40 * (second % 120 === 0 ? 1 : -1), kmh: 4 }));
    const { open } = drive([{ second: 0, metres: 0, kmh: 0 }, ...off, ...going(240, 400, 10, 160, 36, null)]);
    expect(secondOf(open?.startedAt)).toBeGreaterThanOrEqual(60);
  });
});

test("a trip in progress is reported once it is long enough, and not before", () => {
  const reported = going(0, 100, 1, 0, 36, null).map((_, index, all) =>
    openTrip(drive(all.slice(0, index + 1)).known.trips),
  );
  // Below a minute it takes 500 m, at 10 m a second. They count up to the last place reached, at most 60 m back.
  const first = reported.findIndex((trip) => trip !== null);
  expect(reported[first]?.distanceMm).toBeGreaterThanOrEqual(500_000);
  expect(first).toBeGreaterThanOrEqual(50);
  expect(first).toBeLessThanOrEqual(56);
});
