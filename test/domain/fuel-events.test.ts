import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { forAll } from "../support/for-all.ts";
import { drive, type Moment, noon, rule, type Settings } from "./alerts-drive.ts";
import { driving, five, fuel, levelOf, litres, parked, quiet, tank } from "./support/fuel-moments.ts";

describe("a refill", () => {
  test("between two frames with the ignition off is found once, where it was first seen", () => {
    const driven = drive([...parked(0, 3600, five(20)), ...parked(18_000, 3600, Array(20).fill(90))]);
    expect(fuel(driven)).toEqual([["fuel_refill", 18_000, 70]]);
    expect(driven.final[0]).toMatchObject({
      ...{ qualifier: "tank_1", unit: "%", threshold: 8, latitude: 52, fenceId: null },
      message: "70 % filled into tank_1",
    });
  });

  test.each([
    ["8 % without a capacity", [20, 28], {}, [8]],
    ["less is none", [20, 27.9], {}, []],
    ["8 % of a large tank", [20, 28], litres(400), [32]],
    ["less is none there", [20, 27.9], litres(400), []],
    ["10 L of a small one", [20, 40], litres(50), [10]],
    ["less is none there", [20, 39.8], litres(50), []],
    ["8 % of a small one is none", [20, 28], litres(50), []],
  ] as const)("%s", (_, [before, after], settings, expected) => {
    const driven = drive([...parked(0, 60, five(before)), ...parked(300, 60, Array(12).fill(after))], settings);
    expect(fuel(driven)).toEqual(expected.map((value) => ["fuel_refill", 300, value]));
  });

  test("at a slow pump is one, reported 5 min after it ended", () => {
    const filling = Array.from({ length: 19 }, (_, index) => 20 + (index + 1) * 3.5);
    const moments = [...parked(0, 10, five(20)), ...parked(50, 10, filling), ...parked(240, 10, Array(60).fill(86.5))];
    const driven = drive(moments, litres(400));
    expect(fuel(driven)).toHaveLength(1);
    expect(driven.final[0]).toMatchObject({ alertType: "fuel_refill", value: 266, unit: "L" });
    expect(driven.final[0]?.occurredAt).toBeLessThan(noon + 120_000);
    expect(driven.final[0]?.receivedAt).toBeGreaterThanOrEqual(noon + 530_000);
  });

  test("is found if the vehicle already drives when it is read again", () => {
    const moments = [...driving(0, 60, five(20)), ...parked(300, 60, [20]), ...driving(1200, 60, Array(10).fill(80))];
    expect(fuel(drive(moments))).toEqual([["fuel_refill", 1200, 60]]);
  });

  test("is found if nothing was read while it stood, for 2 min at least", () => {
    const unseen = (until: number) =>
      fuel(drive([...driving(0, 60, five(20)), ...driving(until, 60, Array(10).fill(80))]));
    expect(unseen(360)).toEqual([["fuel_refill", 360, 60]]);
    expect(unseen(359)).toEqual([]);
  });

  test("is none if the level falls back by half within 5 min", () => {
    const moments = [...parked(0, 30, five(20)), ...parked(150, 30, five(60)), ...parked(300, 30, Array(30).fill(40))];
    expect(fuel(drive(moments))).toEqual([]);
  });

  test("is read in litres where the sensor gives litres, but not without a capacity", () => {
    const moments = (before: number, after: number) => [
      ...parked(0, 60, five(1), { sensors: [tank(null, before)] }),
      ...parked(300, 60, Array(12).fill(1), { sensors: [tank(null, after)] }),
    ];
    expect(fuel(drive(moments(100, 200)))).toEqual([]);
    expect(fuel(drive(moments(200, 150)))).toEqual([]);
    expect(fuel(drive(moments(20, 30), litres(50)))).toEqual([["fuel_refill", 300, 10]]);
    expect(fuel(drive(moments(100, 131), litres(400)))).toEqual([]);
    expect(fuel(drive(moments(100, 132), litres(400)))).toEqual([["fuel_refill", 300, 32]]);
  });
});

describe("a drain", () => {
  const settled = (before: number, after: number) => [
    ...parked(0, 60, five(before)),
    ...parked(300, 60, Array(12).fill(after)),
  ];

  test.each([
    ["5 % without a capacity", [60, 55], {}, [5]],
    ["less is none", [60, 55.1], {}, []],
    ["5 % of a large tank", [60, 55], litres(400), [20]],
    ["less is none there", [60, 55.1], litres(400), []],
    ["8 L of a small one", [60, 44], litres(50), [8]],
    ["less is none there", [60, 44.2], litres(50), []],
  ] as const)("%s", (_, [before, after], settings, expected) => {
    expect(fuel(drive(settled(before, after), settings))).toEqual(expected.map((value) => ["fuel_drain", 300, value]));
  });

  test("overnight, between two readings an hour apart, is found", () => {
    const moments = [...driving(0, 60, five(80)), ...parked(300, 3600, [80, 80, 50, 50, 50, 50])];
    expect(fuel(drive(moments))).toEqual([["fuel_drain", 7500, 30]]);
  });

  test("is reported when it was stable for 5 min, not before", () => {
    const moments = [...parked(0, 10, five(80)), ...parked(50, 10, Array(40).fill(60))];
    const until = (seconds: number) => drive(moments.filter(({ at }) => at <= seconds)).final;
    expect(until(340)).toEqual([]);
    expect(until(350)).toHaveLength(1);
  });

  test("is none if half of it comes back within 5 min, and one if less does", () => {
    const moments = (rest: number) => [
      ...parked(0, 30, five(80)),
      ...parked(150, 30, five(60)),
      ...parked(300, 30, Array(30).fill(rest)),
    ];
    expect(fuel(drive(moments(70)))).toEqual([]);
    expect(fuel(drive(moments(69)))).toEqual([["fuel_drain", 150, 11]]);
  });

  test("is only what goes within 30 min", () => {
    const falling = (every: number) =>
      Array.from({ length: 40 }, (_, index) => 80 - index * 0.5)
        .concat(five(60.5), five(60.5))
        .map((level, index): Moment => ({ at: index * every, speed: 0, ignition: false, sensors: [tank(level)] }));
    expect(fuel(drive(falling(60)))).toHaveLength(1);
    expect(fuel(drive(falling(600)))).toEqual([]);
  });

  test("over hours of silence counts, too: a tracker that sleeps tells in the morning", () => {
    const moments = [...parked(0, 60, five(80)), ...parked(6 * 3600, 60, Array(12).fill(60))];
    expect(fuel(drive(moments))).toEqual([["fuel_drain", 6 * 3600, 20]]);
  });

  test.each([
    ["one reading", [50]],
    ["two readings", [50, 50]],
    ["two levels", [70, 50]],
  ])("that %s of a sleeping tracker showed half of is reported once, in whole", (_, half) => {
    const falling = [...five(80), ...half, ...Array<number>(12).fill(20)];
    const rising = falling.map((level) => 100 - level);
    expect(fuel(drive(parked(0, 2880, falling)))).toMatchObject([["fuel_drain", expect.any(Number), 60]]);
    expect(fuel(drive(parked(0, 2880, rising)))).toMatchObject([["fuel_refill", expect.any(Number), 60]]);
  });

  test("that is only certain when the next refill is seen does not hide it", () => {
    const emptied = parked(0, 60, [...five(47), ...Array<number>(4).fill(10)]);
    const away = driving(0, 60, Array(12).fill(94)).map((moment) => ({ ...moment, at: moment.at + 700 }));
    expect(fuel(drive([...emptied, ...away], litres(300)))).toMatchObject([
      ["fuel_drain", 300, 111],
      ["fuel_refill", 700, 252],
    ]);
  });

  const leak = (perMinute: number, minutes: number, every: number, rest: number): Moment[] => {
    const levels = Array.from({ length: (minutes * 60) / every }, (_, i) => 95 - ((i + 1) * every * perMinute) / 60);
    const last = levels.at(-1) ?? 95;
    const all = [...five(95), ...levels, ...Array<number>(rest).fill(last)];
    return parked(0, every, all).map((moment, index) => ({ ...moment, sensors: [tank(null, all[index])] }));
  };

  test("that goes on for an hour is reported once, in whole, when the level is stable", () => {
    expect(fuel(drive(leak(0.5, 60, 60, 0), litres(100)))).toEqual([]);
    expect(fuel(drive(leak(0.5, 60, 60, 6), litres(100)))).toEqual([]);
    expect(fuel(drive(leak(0.5, 60, 60, 7), litres(100)))).toMatchObject([["fuel_drain", expect.any(Number), 30]]);
  });

  test("of any pace that counts is reported once, in whole, whatever the readings are apart", () => {
    forAll(
      60,
      [fc.double({ min: 0.4, max: 2, noNaN: true }), fc.integer({ min: 31, max: 45 }), fc.constantFrom(10, 20, 30, 60)],
      (perMinute, minutes, every) => {
        const during = leak(perMinute, minutes, every, 0);
        expect(fuel(drive(during, litres(100)))).toEqual([]);
        const [alert, ...others] = drive(leak(perMinute, minutes, every, 45), litres(100)).final;
        expect(others).toEqual([]);
        expect(alert?.value).toBeCloseTo(perMinute * minutes, 0);
      },
    );
  });

  test("is found once though the sensor is noisy", () => {
    const noise = fc.array(fc.integer({ min: -10, max: 10 }), { minLength: 220, maxLength: 220 });
    forAll(60, [noise], (steps) => {
      const levels = steps.map((step, index) => (index < 40 ? 80 : 60) + step / 10);
      const [alert, ...others] = drive(parked(0, 10, levels)).final;
      expect(others).toEqual([]);
      expect(alert).toMatchObject({ alertType: "fuel_drain" });
      expect(Math.abs((alert?.value ?? 0) - 20)).toBeLessThanOrEqual(2);
    });
  });

  test("is reported on the drive that follows, whose use is not a part of it", () => {
    const away = Array.from({ length: 60 }, (_, index) => 60 - index * 0.05);
    const moments = [...parked(0, 60, five(80)), ...parked(300, 60, [60, 60, 60]), ...driving(480, 10, away)];
    const [alert, ...others] = drive(moments, litres(400)).final;
    expect(others).toEqual([]);
    expect(alert).toMatchObject({ alertType: "fuel_drain", occurredAt: noon + 300_000 });
    expect(alert?.value).toBeGreaterThan(75);
  });

  test("is not what an idling engine uses: 5 L an hour", () => {
    const idling = (perReading: number) =>
      Array.from({ length: 30 }, (_, index): Moment => {
        return {
          at: index * 600,
          speed: 0,
          ignition: true,
          sensors: [tank(null, Math.max(90 - index * perReading, 40))],
        };
      });
    expect(fuel(drive(idling(0.8), { ...quiet, capacityL: 100 }))).toEqual([]);
    expect(fuel(drive(idling(4), { ...quiet, capacityL: 100 })).length).toBeGreaterThan(0);
  });

  test("is not what was used on a drive that nobody saw", () => {
    const moments = [...parked(0, 60, five(80)), ...parked(36_000, 60, Array(12).fill(40), { north: 300_000 })];
    expect(fuel(drive(moments, litres(400)))).toEqual([]);
  });

  test("is not a slope that the vehicle comes to stand on, nor is the way off it a refill", () => {
    const moments = [
      ...driving(0, 10, Array(10).fill(60)),
      ...parked(100, 10, Array(90).fill(50), { north: 1600 }),
      ...driving(1000, 10, Array(60).fill(59)),
    ];
    expect(fuel(drive(moments))).toEqual([]);
    const uphill = moments.map((moment) => ({ ...moment, sensors: [tank(110 - levelOf(moment))] }));
    expect(fuel(drive(uphill))).toEqual([]);
  });
});

describe("a tank", () => {
  const jump = (sensors: (level: number) => Moment["sensors"]): Moment[] =>
    [...five(20), ...five(90), ...five(90)].map((level, index) => {
      return { at: index * 100, speed: 0, ignition: false, sensors: sensors(level) ?? [] };
    });

  test("that is waves while driving raises nothing", () => {
    const waves = Array.from({ length: 600 }, (_, index) => 50 + 15 * Math.sin(index * 1.3) + 8 * Math.sin(index / 9));
    expect(fuel(drive(driving(0, 10, waves)))).toEqual([]);
  });

  test("is reported by itself", () => {
    const driven = drive(jump((level) => [tank(level), tank(50, null, "tank_2"), tank(110 - level, null, "tank_3")]));
    expect(driven.final.map(({ alertType, qualifier }) => [alertType, qualifier])).toEqual([
      ["fuel_refill", "tank_1"],
      ["fuel_drain", "tank_3"],
    ]);
  });

  test("is followed as one of three at most, and forgotten after a week of silence", () => {
    const names = ["a", "b", "c", "d"];
    const driven = drive(jump((level) => names.map((name) => tank(level, null, name))));
    expect(driven.final.map(({ qualifier }) => qualifier)).toEqual(["a", "b", "c"]);
    driven.step({ at: 1400 + 7 * 86_400 });
    expect(driven.state.tanks).toHaveLength(3);
    driven.step({ at: 1401 + 7 * 86_400 });
    expect(driven.state.tanks).toEqual([]);
  });

  describe("of 0 %", () => {
    const zeros = (count: number) => Array<number>(count).fill(0);

    test("with the ignition off, after levels with the ignition off, is drained", () => {
      const moments = parked(0, 60, [...five(40), ...zeros(12)]);
      expect(fuel(drive(moments))).toEqual([["fuel_drain", 300, 40]]);
      expect(fuel(drive(moments, litres(400)))).toEqual([["fuel_drain", 300, 160]]);
    });

    test("that is drained and filled again is a drain and a refill, also if the ignition is on by then", () => {
      const filled = parked(7200, 60, Array(12).fill(90), { ignition: true });
      const moments = [...parked(0, 60, [...five(40), ...zeros(60)]), ...filled];
      expect(fuel(drive(moments, quiet))).toEqual([
        ["fuel_drain", 300, 40],
        ["fuel_refill", 7200, 90],
      ]);
    });

    test("is a sensor without power if it comes with the ignition off, also after a last level", () => {
      const night = (before: number[]) => [
        ...driving(0, 10, Array(20).fill(60)),
        ...parked(200, 300, [...before, ...zeros(100)], { north: 3200 }),
        ...driving(36_000, 10, Array(60).fill(60)).map((moment) => ({ ...moment, north: 3200 })),
      ];
      expect(fuel(drive(night([])))).toEqual([]);
      expect(fuel(drive(night([60])))).toEqual([]);
      expect(fuel(drive(night([60, 60])))).toEqual([]);
    });

    test("is passed over as a blip: twice in five readings, or longer on the road", () => {
      expect(fuel(drive(parked(0, 300, [...five(50), ...zeros(2), ...five(50), 50, 50])))).toEqual([]);
      expect(fuel(drive(driving(0, 150, [...five(50), ...zeros(20), ...five(50), ...five(50)])))).toEqual([]);
    });

    test("at a standstill with the ignition on is drained, and with an unknown ignition unknown", () => {
      const moments = (ignition: boolean | null) => parked(0, 60, [...five(40), ...zeros(12)], { ignition });
      expect(fuel(drive(moments(true), quiet))).toMatchObject([["fuel_drain", 300, expect.any(Number)]]);
      expect(fuel(drive(moments(null)))).toEqual([]);
    });

    test("of one unit is nothing where the other says more", () => {
      const moments = [...five(1), ...five(0), ...five(0)].map((known, index): Moment => {
        return { at: index * 100, speed: 0, ignition: false, sensors: [tank(50, known * 200)] };
      });
      expect(fuel(drive(moments, litres(400)))).toEqual([]);
    });
  });

  test.each([-5, 100.1, Number.NaN, Number.POSITIVE_INFINITY])("does not believe a level of %d %%", (odd) => {
    const levels = [...five(50), ...Array<number>(20).fill(odd), ...five(50)];
    expect(fuel(drive(parked(0, 300, levels)))).toEqual([]);
  });

  test("begins anew when its capacity becomes known", () => {
    const driven = drive(parked(0, 60, five(50)));
    const later = drive([], litres(400));
    later.state = driven.state;
    for (const moment of parked(300, 60, Array(12).fill(50))) later.step(moment);
    expect(later.final).toEqual([]);
    expect(later.state.tanks[0]?.unit).toBe("L");
  });

  test("is as the settings say", () => {
    const moments = [...parked(0, 60, five(20)), ...parked(300, 60, Array(12).fill(90))];
    const set = (change: object): Settings => ({ rules: [[0, [rule("fuel_refill", change)]]] });
    expect(drive(moments, set({ enabled: false })).final).toEqual([]);
    expect(drive(moments, set({ severity: "critical" })).final).toMatchObject([{ severity: "critical" }]);
  });
});
