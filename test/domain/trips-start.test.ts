import { describe, expect, test } from "bun:test";
import { isTowed, openTrip, stopPlace, tripUnderWay } from "../../src/domain/trips/trips.ts";
import { drive, follow, going, judged, type Moment, secondOf } from "./support/trips-drive.ts";

/** Stands at 0 m for a minute, frames every ten seconds. */
const parked = (on: boolean | null): Moment[] => going(0, 60, 10, 0, 0, on);

const startOf = (moments: readonly Moment[]) => secondOf(tripUnderWay(drive(moments).known.trips));

describe("a trip starts", () => {
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
  ])("or not, by the way from the stop: %s", (_, metres, accuracyM, on, starts) => {
    const { known } = drive([...parked(on), { second: 70, metres, accuracyM, on, kmh: 4 }]);
    expect(tripUnderWay(known.trips) !== null).toBe(starts);
    expect(stopPlace(known.trips) === null).toBe(starts);
    expect(isTowed(known.trips)).toBe(starts && on === false);
  });

  test.each([
    ["two frames that move, from 30 m on", 10, 5, 30.001, 5, 80, true],
    ["two frames that move, below 30 m", 10, 5, 29.999, 5, 80, false],
    ["one frame that moves, then one that hardly does", 10, 5, 35, 4.99, 80, false],
    ["one frame that hardly moves, then one that does", 10, 4.99, 35, 5, 80, false],
    ["two frames that move, 300 s apart", 10, 5, 35, 5, 370, true],
    ["two frames that move, with a gap between", 10, 5, 35, 5, 370.001, false],
  ])("or not, by movement: %s", (_, metres, kmh, secondMetres, secondKmh, second, starts) => {
    const moments = [...parked(null), { second: 70, metres, kmh }, { second, metres: secondMetres, kmh: secondKmh }];
    expect(startOf(moments) !== null).toBe(starts);
  });

  test("not by movement while the ignition is off", () => {
    const rolling = [70, 80, 90].map((second) => ({ second, metres: second, kmh: 9, on: false }));
    expect(startOf([...parked(false), ...rolling])).toBeNull();
  });

  test("by the speed a leg takes, where none is reported", () => {
    const silent = [
      { second: 10, metres: 0 },
      { second: 20, metres: 20 },
      { second: 30, metres: 40 },
    ];
    expect(startOf([{ second: 0, metres: 0 }, ...silent])).toBe(20);
  });
});

describe("a trip has started", () => {
  const away = { second: 100, metres: 150, kmh: 30 };

  test.each([
    [29.999, 70],
    [30.001, 60],
  ])("at the latest frame within 30 m of the stop: %p m away at second 70, it was %p", (metres, second) => {
    expect(startOf([...parked(null), { second: 70, metres, kmh: 4 }, away])).toBe(second);
  });

  test("not before the ignition came on", () => {
    expect(startOf([...parked(false), { second: 70, metres: 60, kmh: 4, on: true }, { ...away, on: true }])).toBe(70);
    expect(startOf([...parked(false), { ...away, on: true }])).toBe(100);
    const unsaid = { second: 65, metres: 40, kmh: 4 };
    expect(startOf([...parked(false), unsaid, { second: 70, metres: 60, kmh: 4, on: true }, away])).toBe(70);
  });

  test("before the ignition was known to be on, if it was never said to be off", () => {
    expect(startOf([...parked(null), { second: 70, metres: 60, kmh: 4, on: true }, { ...away, on: true }])).toBe(60);
  });

  test.each([
    [360, 60],
    [360.001, 360.001],
  ])("not before a gap of more than 300 s: away at second %p, it started at %p", (second, start) => {
    expect(startOf([...parked(null), { ...away, second }])).toBe(start);
  });

  test("with the first frame of all, if that is where it drives off", () => {
    const { trips, open } = drive([...going(0, 600, 10, 0, 50)]);
    expect(trips).toEqual([]);
    expect(open).toMatchObject({
      startedAt: drive(parked(null)).sightings[0]?.fix?.at,
      positionCount: 61,
      endedAt: null,
    });
  });
});

describe("a parked vehicle", () => {
  test("stands where it was first seen, or where its trip ended", () => {
    expect(stopPlace(drive([]).known.trips)).toBeNull();
    expect(stopPlace(drive(parked(null)).known.trips)).toEqual({ latitude: 0, longitude: 10 });
    const arrived = drive([...going(0, 300, 10, 0, 36), ...going(310, 520, 10, 3000, 0, null)]);
    expect(stopPlace(drive([...going(0, 300, 10, 0, 36)]).known.trips)).toBeNull();
    expect(stopPlace(arrived.known.trips)).toBeNull();
    const unknown = drive([...going(0, 300, 10, 0, 36, null), ...going(310, 520, 10, 3000, 0, null)]);
    expect(stopPlace(unknown.known.trips)?.latitude).toBeCloseTo(3000 / 111_195.08, 5);
  });

  test("does not leave by drift of tens of metres, whatever small speeds it reports", () => {
    const drift = Array.from({ length: 2000 }, (_, index) => ({
      second: index * 30,
      metres: 70 * Math.sin(index) * Math.cos(index / 50),
      kmh: index % 2 === 0 ? 4.9 : 6,
    }));
    const { trips, known } = drive(drift);
    expect(trips).toEqual([]);
    expect(tripUnderWay(known.trips)).toBeNull();
  });

  test("has its stop put right where it stands elsewhere for 180 s, so that the next trip does not start hours early", () => {
    const badFirst = { second: 0, metres: 0, kmh: 0 };
    const standing = (last: number) => [badFirst, ...going(60, last, 20, 45, 0, null)];
    const latitude = (last: number) => stopPlace(drive(standing(last)).known.trips)?.latitude ?? 0;
    expect(latitude(220)).toBe(0);
    expect(latitude(240)).toBeGreaterThan(0);
    const shortly = [...standing(220), { second: 239.999, metres: 45, kmh: 0 }];
    expect(stopPlace(drive(shortly).known.trips)?.latitude).toBe(0);
    const leaving = going(7210, 7800, 10, 60, 36, null);
    const { open } = drive([...standing(7200), ...leaving]);
    expect(secondOf(open?.startedAt)).toBe(7210);
    expect(open?.idleMs).toBe(0);
  });

  test("cannot be carried away from where it came to rest by drift that creeps", () => {
    const creeping = Array.from({ length: 400 }, (_, index) => ({ second: index * 60, metres: index * 0.4, kmh: 0 }));
    const stops: number[] = [];
    follow(
      creeping.map((moment) => judged(moment)),
      (known) => {
        stops.push(stopPlace(known.trips)?.latitude ?? 0);
        return known;
      },
    );
    const farthestMetres = Math.max(...stops) * 111_195.08;
    expect(farthestMetres).toBeGreaterThan(60);
    expect(farthestMetres).toBeLessThan(100);
  });
});

test("a trip in progress is told once it is kept, and not before", () => {
  const told = going(0, 100, 1, 0, 36, null).map((_, index, all) =>
    openTrip(drive(all.slice(0, index + 1)).known.trips),
  );
  // At 10 m a second it left with the frame at 30 m; below a minute it takes 500 m.
  expect(told.findIndex((trip) => trip !== null)).toBe(53);
});
