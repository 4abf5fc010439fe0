import { describe, expect, test } from "bun:test";
import { drive, going, type Moment } from "./support/trips-drive.ts";

/** 600 m driven, then switched off, and at rest for five minutes. */
const arrived: Moment[] = [...going(0, 60, 10, 0, 36), ...going(70, 370, 10, 600, 0, false)];
/** Carried for 3 km at 36 km/h, then at rest. */
const carriedOn = (on: boolean | null): Moment[] => going(380, 680, 10, 600, 36, on);
const landed = (on: boolean | null): Moment[] => going(690, 1200, 10, 3700, 0, on);

const dayOf = (moments: readonly Moment[]) => {
  const { trips, open, days } = drive(moments);
  const all = open === null ? trips : [...trips, open];
  return { trips: all.map(({ distanceMm, carriedMm }) => [distanceMm > 0, carriedMm > 0]), day: days[0] };
};

describe("a vehicle is carried", () => {
  test("if its ignition is off all the way: that is a trip, but not one of its day, and no distance", () => {
    const driven = drive(arrived).days[0];
    const { trips, day } = dayOf([...arrived, ...carriedOn(false), ...landed(false)]);
    expect(trips).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(day).toMatchObject({ distanceMm: driven?.distanceMm, drivingMs: driven?.drivingMs, tripCount: 1 });
    expect(Math.abs((day?.carriedMm ?? 0) - 3_100_000)).toBeLessThan(150_000);
  });

  test("while it is not known to be over: the day shows it at once", () => {
    expect(dayOf([...arrived, ...carriedOn(false)]).day?.carriedMm).toBeGreaterThan(2_000_000);
  });

  test("but not if the ignition comes on before it is over: then all of it was driven", () => {
    const { day } = dayOf([
      ...arrived,
      ...carriedOn(false).slice(0, 20),
      ...carriedOn(true).slice(20),
      ...landed(true),
    ]);
    expect(day).toMatchObject({ carriedMm: 0, tripCount: 2 });
    expect(day?.distanceMm).toBeGreaterThan(3_400_000);
  });

  test("but not if the input has never said on: it may not be connected", () => {
    const never = [...going(0, 300, 10, 0, 0, false), ...carriedOn(false).map((one) => ({ ...one }))];
    const { day } = dayOf([...never, ...landed(false)]);
    expect(day).toMatchObject({ carriedMm: 0, tripCount: 1 });
  });

  test("over a silence with the ignition off, and over one that no road explains", () => {
    const asleep = going(6000, 6600, 300, 36_600, 0, false);
    const { day: shipped } = dayOf([...arrived, ...asleep]);
    expect(shipped).toMatchObject({ gapDistanceMm: 0, tripCount: 1 });
    expect(shipped?.carriedMm).toBeGreaterThan(35_000_000);
    const flown = going(3970, 4600, 30, 300_600, 36, true);
    const { day } = dayOf([...arrived, ...flown]);
    expect(day?.carriedMm).toBeGreaterThan(299_000_000);
    expect(day?.gapDistanceMm).toBe(0);
  });
});
