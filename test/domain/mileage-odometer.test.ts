import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { drive, evening, type Moment, midnightSecond } from "./support/trips-drive.ts";

/** Drives so many metres in each of ten minutes, while the odometer shows what it shows. */
function minutes(odometerKm: readonly (number | null)[], metresEach = 1000, start = 0): Moment[] {
  return odometerKm.map((km, index) => ({
    second: start + index * 60,
    metres: index * metresEach,
    kmh: metresEach * 0.06,
    odometerKm: km,
  }));
}

const steadily = (from: number, kmEach: number, count = 11) =>
  Array.from({ length: count }, (_, index) => from + index * kmEach);
const only = (moments: readonly Moment[]) => {
  const [day, ...others] = drive(moments).days;
  expect(others).toEqual([]);
  return day;
};

describe("the odometer", () => {
  test("is believed while it agrees with the positions, and says the day's distance then", () => {
    expect(only(minutes(steadily(5000, 1.1)))).toMatchObject({
      distanceMm: 11_000_000,
      distanceSource: "odometer",
      startOdometerKm: 5000,
      endOdometerKm: 5011,
    });
  });

  test.each([
    ["2 km less of 2 km", steadily(0, 0), 200, "odometer"],
    ["2.001 km more than 1 km", steadily(0, 0.3001), 100, "gps"],
    ["2 km more than 1 km", steadily(0, 0.3), 100, "odometer"],
    ["25 % more than 10 km", steadily(0, 1.25), 1000, "odometer"],
    ["25.1 % more than 10 km", steadily(0, 1.251), 1000, "gps"],
    ["25 % less than 10 km", steadily(0, 0.75001), 1000, "odometer"],
    ["25.1 % less than 10 km", steadily(0, 0.749), 1000, "gps"],
  ])("agrees within 2 km or 25 %% of the positions: %s", (_, km, metresEach, distanceSource) => {
    expect(only(minutes(km, metresEach))?.distanceSource as string).toBe(distanceSource);
  });

  test.each([
    ["never falls", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "odometer"],
    ["falls by a metre", [0, 1, 2, 3, 3.999, 3.998, 6, 7, 8, 9, 10], "gps"],
    ["stands", [0, 1, 1, 1, 4, 5, 6, 7, 8, 9, 10], "odometer"],
    ["runs at 250 km/h", [0, 4.1666, 5, 6, 7, 7, 7, 7, 8, 9, 10], "odometer"],
    ["runs faster than 250 km/h", [0, 4.1667, 5, 6, 7, 7, 7, 7, 8, 9, 10], "gps"],
    ["is missing now and then", [0, null, 2, null, null, 5, 6, 7, 8, null, 10], "odometer"],
    ["is read once", [null, null, 2, null, null], "gps"],
    ["is never read", [null, null], "gps"],
  ])("is believed only if it is steady: it %s", (_, km, distanceSource) => {
    expect(only(minutes(km))?.distanceSource as string).toBe(distanceSource);
  });

  test("may count in whole kilometres, although each is a step of a moment", () => {
    const moments = Array.from({ length: 600 }, (_, index) => ({
      second: index,
      metres: index * 20,
      kmh: 72,
      odometerKm: Math.floor(index * 0.02),
    }));
    expect(only(moments)).toMatchObject({ distanceSource: "odometer", distanceMm: 11_000_000 });
    const jump = moments.map((moment, index) => ({
      ...moment,
      odometerKm: moment.odometerKm + (index < 599 ? 0 : 1.001),
    }));
    expect(only(jump)?.distanceSource).toBe("gps");
  });
});

describe("over midnight", () => {
  test("one day ends where the next one starts, split by time as the way is", () => {
    const { days } = drive(minutes(steadily(700, 1), 1000, midnightSecond - 330));
    expect(days).toMatchObject([
      { distanceMm: 5_500_000, distanceSource: "odometer", startOdometerKm: 700, endOdometerKm: 705.5 },
      { distanceMm: 4_500_000, distanceSource: "odometer", startOdometerKm: 705.5, endOdometerKm: 710 },
    ]);
  });

  test("a new odometer is no distance on either day", () => {
    const changed = [700, 701, 702, 703, 704, 705, 10, 11, 12, 13, 14];
    const { days } = drive(minutes(changed, 1000, midnightSecond - 330));
    expect(days).toMatchObject([
      { distanceSource: "odometer", startOdometerKm: 700, endOdometerKm: 705, distanceMm: 5_000_000 },
      { distanceSource: "odometer", startOdometerKm: 10, endOdometerKm: 14, distanceMm: 4_000_000 },
    ]);
  });

  test("a day whose first frames do not say starts where the last one ended", () => {
    const late = [700, 701, 702, 703, 704, 705, null, null, 708, 709, 710];
    const { days } = drive(minutes(late, 1000, midnightSecond - 330));
    expect(days).toMatchObject([
      { startOdometerKm: 700, endOdometerKm: 705 },
      { startOdometerKm: 705, endOdometerKm: 710, distanceMm: 5_000_000 },
    ]);
  });

  test("a day that is only told its end later is known as of then", () => {
    const parked = [midnightSecond - 60, midnightSecond + 60].map((second, index) => ({
      second,
      metres: 0,
      kmh: 0,
      odometerKm: 700 + index,
    }));
    expect(drive(parked).days[0]?.updatedAt).toBe(evening + (midnightSecond + 60) * 1000);
  });

  test("the days of an odometer that is believed add up to what it ran, exactly", () => {
    const step = fc.record({
      seconds: fc.integer({ min: 60, max: 30_000 }),
      share: fc.integer({ min: 900, max: 1100 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 60 }), (steps) => {
        let [second, metres, odometerMm] = [0, 0, 123_456_789];
        const moments: Moment[] = [{ second, metres, kmh: 18, odometerKm: odometerMm / 1e6 }];
        for (const { seconds, share } of steps) {
          second += seconds;
          metres += seconds * 5;
          odometerMm += seconds * 5 * share;
          moments.push({ second, metres, kmh: 18, odometerKm: odometerMm / 1e6 });
        }
        const { days } = drive(moments);
        expect(days.every(({ distanceSource }) => distanceSource === "odometer")).toBe(true);
        expect(days.reduce((sum, { distanceMm }) => sum + distanceMm, 0)).toBe(odometerMm - 123_456_789);
      }),
      { numRuns: 200 },
    );
  });
});
