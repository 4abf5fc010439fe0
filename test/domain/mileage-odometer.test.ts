import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { MileageFact } from "../../src/domain/facts.ts";
import { storedZone } from "../../src/domain/time/time-zone.ts";
import { forAll } from "../support/for-all.ts";
import { drive, type Moment, midnightSecond } from "./support/trips-drive.ts";

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
const zones = ["UTC", "Europe/Berlin", "America/New_York"].map(storedZone);
const total = (days: readonly MileageFact[]) => days.reduce((sum, { distanceMm }) => sum + distanceMm, 0);
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

  /** Ten minutes at 60 km/h, a position every so many seconds. */
  const tenKilometres = (step: number, share: number, more: Partial<Moment> = {}): Moment[] =>
    Array.from({ length: 600 / step + 1 }, (_, index) => {
      const metres = index * step * (10_000 / 600);
      return { second: index * step, metres, kmh: 60, odometerKm: 500.5 + (metres / 1000) * share, ...more };
    });

  // 3 % of the way at good reception, more where positions are rarer, and the odometer's own step of 0.1 km.
  test.each([
    ["4 % more, every 10 s", 10, 1.0399, 60, "odometer"],
    ["more than that", 10, 1.0401, 60, "gps"],
    ["4 % less, every 10 s", 10, 0.9601, 60, "odometer"],
    ["less than that", 10, 0.9599, 60, "gps"],
    ["4 % more, every 10 s and without a speed", 10, 1.0399, null, "odometer"],
    ["9 % more, every minute with speeds", 60, 1.0899, 60, "odometer"],
    ["more than that, with speeds", 60, 1.0901, 60, "gps"],
    ["9 % less, every minute with speeds", 60, 0.9101, 60, "odometer"],
    ["13 % less, every minute without a speed", 60, 0.8701, null, "odometer"],
    ["less than that, every minute", 60, 0.8699, null, "gps"],
    ["36 % more, every minute without a speed", 60, 1.3599, null, "odometer"],
    ["more than that, without a speed", 60, 1.3601, null, "gps"],
    ["21 % more, every two minutes with speeds", 120, 1.2099, 60, "odometer"],
    ["more than that, every two minutes", 120, 1.2101, 60, "gps"],
    ["51 % more, every five minutes", 300, 1.5099, 60, "odometer"],
    ["more than that, every five minutes", 300, 1.5101, 60, "gps"],
  ])("agrees as closely as positions can show it: %s", (_, step, share, kmh, distanceSource) => {
    expect(only(tenKilometres(step, share, { kmh }))?.distanceSource as string).toBe(distanceSource);
  });

  test("was wrong on a day that shows it, so it is not used on shorter days after that, until it is right again", () => {
    const day = 86_400;
    const days = [
      { start: 0, km: 10, share: 1.2 },
      // Half a kilometre shows nothing: a tenth more of it is less than the odometer's step.
      { start: day, km: 0.5, share: 1.1 },
      { start: 2 * day, km: 10, share: 1 },
      { start: 3 * day, km: 0.5, share: 1.1 },
    ];
    let [driven, shown] = [0, 500.5];
    const moments = days.flatMap(({ start, km, share }) => {
      const [before, odometer] = [driven, shown];
      driven += km;
      shown += km * share;
      return Array.from({ length: km * 12 + 1 }, (_, index): Moment => {
        const part = index / 12;
        const odometerKm = odometer + part * share;
        return {
          second: start + index * 5,
          metres: (before + part) * 1000,
          kmh: index === km * 12 ? 0 : 60,
          odometerKm,
        };
      });
    });
    expect(drive(moments).days.map(({ distanceSource }) => distanceSource)).toEqual([
      "gps",
      "gps",
      "odometer",
      "odometer",
    ]);
  });

  test("stands on a day without a drive", () => {
    const parked = (second: number): Moment => ({ second, metres: 0, kmh: 0, odometerKm: 700.4 });
    const { days } = drive([0, 3600, 30 * 3600, 31 * 3600].map(parked));
    const row = { distanceMm: 0, distanceSource: "odometer", startOdometerKm: 700.4, endOdometerKm: 700.4 };
    expect(days).toMatchObject([row, row]);
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

  describe("in whole kilometres", () => {
    /** 20 m a second, from somewhere within the first kilometre. */
    const drivenFrom = (startKm: number, seconds = 600): Moment[] =>
      Array.from({ length: seconds }, (_, index) => {
        const odometerKm = Math.floor(startKm + index * 0.02);
        return { second: index, metres: index * 20, kmh: 72, odometerKm };
      });

    test.each([0, 0.3, 0.5, 0.99])("loses nothing of the first and the last one: from %p", (startKm) => {
      const day = only(drivenFrom(startKm));
      const [start, end] = [day?.startOdometerKm ?? 0, day?.endOdometerKm ?? 0];
      expect(day?.distanceSource).toBe("odometer");
      // The last seconds are still open.
      expect(end - start).toBeCloseTo(11.95, 1);
      expect((day?.distanceMm ?? 0) / 1e6).toBeCloseTo(end - start, 5);
      expect(start).toBeCloseTo(startKm, 1);
    });

    test("goes on over midnight and over a day on which it stands, and counts each kilometre once", () => {
      const first = drivenFrom(0.3);
      const parked = { metres: 11_980, kmh: 0, odometerKm: 12 };
      const second = drivenFrom(0.3).map((moment) => ({
        ...moment,
        second: moment.second + 50 * 3600,
        metres: (moment.metres ?? 0) + 11_980,
        odometerKm: Math.floor(0.3 + 11.98 + (moment.metres ?? 0) / 1000),
      }));
      const { days } = drive([...first, { second: 700, ...parked }, { second: 26 * 3600, ...parked }, ...second]);
      const km = days.map(({ distanceMm }) => distanceMm / 1e6);
      expect(km).toEqual([expect.closeTo(11.98, 1), 0, expect.closeTo(11.96, 1)]);
    });

    test("may step in a moment, but not by more than one", () => {
      const jump = drivenFrom(0).map((moment, index) => ({
        ...moment,
        odometerKm: (moment.odometerKm ?? 0) + (index < 599 ? 0 : 1.001),
      }));
      expect(only(jump)?.distanceSource).toBe("gps");
    });
  });
});

describe("what the odometer does not show counts by positions", () => {
  const read = (from: number, to: number, count: number) =>
    Array.from({ length: count + 1 }, (_, km) => (km >= from && km <= to ? 5000 + km : null));

  test.each([
    ["before the first reading ever", read(20, 100, 100), "odometer"],
    ["after the last one", read(0, 80, 100), "odometer"],
    ["on both sides, and then it is the greater part", read(60, 90, 100), "gps"],
  ])("%s", (_, odometerKm, distanceSource) => {
    expect(only(minutes(odometerKm))).toMatchObject({ distanceMm: 100_000_000, distanceSource });
  });

  test("and the next day does not count it again", () => {
    const first = minutes(read(0, 80, 100));
    const next = minutes(read(0, 10, 10), 1000, 40 * 3600).map((moment) => ({
      ...moment,
      metres: (moment.metres ?? 0) + 100_000,
      odometerKm: (moment.odometerKm ?? 0) + 100,
    }));
    expect(drive([...first, ...next]).days.map(({ distanceMm }) => distanceMm / 1e6)).toEqual([100, 10]);
  });

  test("on a day without a reading, which the days around it do not count again in any zone", () => {
    // 40 km with readings; the next evening 8 km without; then 40 km, with readings from the third minute on.
    const drives = [
      { hour: 12, km: 40, readFrom: 0 },
      { hour: 46, km: 8, readFrom: 99 },
      { hour: 54, km: 40, readFrom: 2 },
    ];
    let before = 0;
    const moments = drives.flatMap(({ hour, km, readFrom }) => {
      const start = before;
      before += km;
      return Array.from({ length: km + 11 }, (_, minute): Moment => {
        const driven = start + Math.min(minute, km);
        const odometerKm = minute >= readFrom ? 1000 + driven : null;
        return { second: hour * 3600 + minute * 60, metres: driven * 1000, kmh: minute < km ? 60 : 0, odometerKm };
      });
    });
    const byZone = ["Europe/Berlin", "Asia/Kolkata", "UTC", "America/New_York"].map((name) => {
      const { days } = drive(moments, storedZone(name));
      return days.map(({ distanceMm }) => Math.round(distanceMm / 1e6));
    });
    expect(byZone).toEqual([
      [40, 8, 40],
      [40, 48],
      [40, 8, 40],
      [40, 8, 40],
    ]);
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

  test("a new odometer is no distance on either day: between its readings and those of the old one positions count", () => {
    const changed = [700, 701, 702, 703, 704, 705, 10, 11, 12, 13, 14];
    const { days } = drive(minutes(changed, 1000, midnightSecond - 330));
    expect(days).toMatchObject([
      { distanceSource: "odometer", startOdometerKm: 700, endOdometerKm: 705.5, distanceMm: 5_500_000 },
      { distanceSource: "odometer", startOdometerKm: 9.5, endOdometerKm: 14, distanceMm: 4_500_000 },
    ]);
  });

  test("a day whose first frames do not say starts where the last one ended", () => {
    const late = [700, 701, 702, 703, 704, 705, null, null, 708, 709, 710];
    const { days } = drive(minutes(late, 1000, midnightSecond - 330));
    expect(days).toMatchObject([
      { startOdometerKm: 700, endOdometerKm: 705.5, distanceMm: 5_500_000 },
      { startOdometerKm: 705.5, endOdometerKm: 710, distanceMm: 4_500_000 },
    ]);
  });

  test("what the odometer ran more than the positions show counts with its next reading", () => {
    const { days } = drive(minutes(steadily(700, 1.1), 1000, midnightSecond - 330));
    expect(days).toMatchObject([
      { distanceMm: 6_000_000, startOdometerKm: 700, endOdometerKm: 706 },
      { distanceMm: 5_000_000, startOdometerKm: 706, endOdometerKm: 711 },
    ]);
  });

  test("a day that the odometer would make less than nothing is by positions", () => {
    const moments = minutes(steadily(700, 0.95), 1000, midnightSecond - 599);
    expect(drive(moments).days).toMatchObject([
      { distanceSource: "odometer", distanceMm: 9_533_333 },
      { distanceSource: "gps", distanceMm: 16_667 },
    ]);
  });

  test("the days of an odometer that is believed add up to what it ran, exactly and in every time zone", () => {
    const step = fc.record({
      seconds: fc.integer({ min: 60, max: 30_000 }),
      // Never less than the positions, so that no day is less than nothing.
      share: fc.integer({ min: 1000, max: 1100 }),
    });
    forAll(200, [fc.array(step, { minLength: 2, maxLength: 60 })], (steps) => {
      let [second, metres, odometerMm] = [0, 0, 123_456_789];
      const moments: Moment[] = [{ second, metres, kmh: 18, odometerKm: odometerMm / 1e6 }];
      for (const { seconds, share } of steps) {
        second += seconds;
        metres += seconds * 5;
        odometerMm += seconds * 5 * share;
        moments.push({ second, metres, kmh: 18, odometerKm: odometerMm / 1e6 });
      }
      for (const zone of zones) {
        const { days } = drive(moments, zone);
        expect(total(days)).toBe(odometerMm - 123_456_789);
      }
    });
  });

  test("the sum of days depends on the zone only by what odometer and positions differ where a day is by positions", () => {
    // From 22:00 until 20:00, a kilometre a minute, of which the odometer counts 1.01. At noon it is replaced.
    const driven = 22 * 60;
    const odometerKm = steadily(0, 1.01, driven + 1).map((km, minute) => km + (minute < 14 * 60 ? 9000 : 100));
    const parked = { metres: driven * 1000, kmh: 0, odometerKm: odometerKm.at(-1) ?? null };
    const moments = [...minutes(odometerKm), ...[24, 36].map((hour) => ({ second: hour * 3600, ...parked }))];
    const sums = zones.map((zone) => {
      const { days } = drive(moments, zone);
      const byPositions = days.filter(({ distanceSource }) => distanceSource === "gps");
      expect(byPositions.length).toBe(1);
      // Everything but that day is by the odometer, whole and without a seam.
      const positionsMm = total(byPositions);
      expect((total(days) - positionsMm) / 1e6).toBeCloseTo((driven - positionsMm / 1e6) * 1.01, 1);
      return total(days);
    });
    expect(sums.map((mm) => Math.round(mm / 1e5) / 10)).toEqual([1321.2, 1320, 1323.6]);
  });
});
