import { describe, expect, test } from "bun:test";
import { metresBetween } from "../../src/domain/geometry/distance.ts";
import { isAnchorSpike, isSpike } from "../../src/domain/quality/footing.ts";
import { hasPlace } from "../../src/domain/quality/own-verdict.ts";
import { believedSpeedKmh, reaches, waypointAfter } from "../../src/domain/quality/waypoint.ts";
import { seen } from "./support/quality-frames.ts";

function waypoint(second: number, metres = 0, speedKmh: number | null = null, accuracyM: number | null = null) {
  const frame = seen(second, metres, { speed_kmh: speedKmh, accuracy_m: accuracyM });
  if (!hasPlace(frame)) throw new Error("a frame without a place");
  return waypointAfter(null, frame, 0);
}

describe("a reported speed", () => {
  const rows: readonly (readonly [string, number | null, number, number, number | null, boolean])[] = [
    // what, km/h, seconds after the frame before, metres from it, the speed before, whether it is believed
    ["of 250 km/h is believed", 250, 200, 0, null, true],
    ["above 250 km/h is not", 250.01, 200, 0, null, false],
    ["below zero is not", -0.01, 200, 0, null, false],
    ["that changes by 10 m/s² is believed", 46, 1, 20, 10, true],
    ["that changes by more is not", 46.01, 1, 20, 10, false],
    ["that falls by 10 m/s² is believed", 10, 1, 20, 46, true],
    ["that falls by more is not", 9.99, 1, 20, 46, false],
    ["that rises to 250 km/h in 6.9 s is not", 250, 6.9, 1000, 0, false],
    ["that rises to 250 km/h in 7 s is believed", 250, 7, 1000, 0, true],
    ["after an unknown one may be any", 46.01, 1, 20, null, true],
    ["of twice what its leg implies and 30 km/h is believed", 50, 20, 500 / 9, null, true],
    ["above that is not", 50.01, 20, 500 / 9, null, false],
    ["above that is believed over more than 20 s: the road may have turned back", 50.01, 20.001, 500 / 9, null, true],
    ["of a vehicle that stayed within 50 m is compared up to 120 s", 50, 120, 50, null, false],
    ["over more than 120 s is not compared with its leg", 50.01, 120.001, 0, null, true],
    ["while standing is believed up to 30 km/h", 30, 60, 0, null, true],
    ["while standing is not believed above 30 km/h", 30.01, 60, 0, null, false],
    ["of a frame of the same moment is not compared", 120, 0, 0, 10, true],
    ["of a frame of the same moment elsewhere is not compared", 120, 0, 90, 10, true],
  ];
  test.each(rows)("%s", (_, speedKmh, second, metres, speedBefore, isBelieved) => {
    const before = { ...waypoint(0), speedKmh: speedBefore };
    const at = before.at + second * 1000;
    expect(believedSpeedKmh(speedKmh, at, before, metres)).toBe(isBelieved ? speedKmh : null);
  });

  test("of a first frame is believed unless it is out of bounds", () => {
    expect([null, -1, 0, 250, 251].map((speedKmh) => believedSpeedKmh(speedKmh, 0, null, 0))).toEqual([
      null,
      null,
      0,
      250,
      null,
    ]);
  });
});

describe("a waypoint reaches another", () => {
  interface Ends {
    /** Of the positions before the first; null if unknown. */
    readonly pace?: number;
    readonly speeds?: readonly [number | null, number | null];
    readonly accuracies?: number;
  }
  const rows: readonly (readonly [string, seconds: number, metres: number, Ends])[] = [
    // what, seconds, metres that are just reached
    ["at 250 km/h and 60 m more", 36, 2560, {}],
    ["with the accuracies of both instead of the 60 m, if they are more", 36, 2570, { accuracies: 70 }],
    ["with 60 m if the accuracies of both are less", 36, 2560, { accuracies: 50 }],
    ["by both speeds if its pace is not known", 1, 68 / 3.6 + 60, { speeds: [50, 0] }],
    ["at 250 km/h if only one speed is known, and no pace", 1, 250 / 3.6 + 60, { speeds: [0, null] }],
    ["at 18 km/h above its pace within a second", 1, 68 / 3.6 + 60, { pace: 50 }],
    [
      "at 18 km/h above the highest of pace and speeds within a second",
      1,
      78 / 3.6 + 60,
      { pace: 50, speeds: [60, 0] },
    ],
    ["at 18 km/h above the speed at its end, if that is the highest", 1, 78 / 3.6 + 60, { pace: 50, speeds: [0, 60] }],
    ["at 36 km/h above its pace within two seconds", 2, (86 / 3.6) * 2 + 60, { pace: 50 }],
    ["at 80 km/h above its pace within 5 s", 5, (80 / 3.6) * 5 + 60, { pace: 0 }],
    ["at 80 km/h above its pace within 10 s", 10, (80 / 3.6) * 10 + 60, { pace: 0 }],
    ["at 250 km/h in more than 10 s, unless both speeds are known", 10.08, 760, { pace: 0, speeds: [0, null] }],
    ["at 80 km/h above both speeds and the pace in more than 10 s", 36, 1160, { pace: 30, speeds: [0, 20] }],
    ["by the speeds up to 60 s", 60, 80_000 / 60 + 60, { pace: 0, speeds: [0, 0] }],
    ["at 250 km/h beyond 60 s, whatever the speeds", 72, 5060, { pace: 0, speeds: [0, 0] }],
    ["at 250 km/h where the speeds would allow more", 36, 2560, { pace: 250, speeds: [250, 250] }],
    ["in no time as in a second, to which times are cut off", 0, 68 / 3.6 + 60, { pace: 50 }],
  ];
  test.each(rows)("%s", (_, second, metres, { pace = null, speeds = [null, null], accuracies = 0 }) => {
    const from = { ...waypoint(0, 0, speeds[0], accuracies / 2), paceKmh: pace };
    const to = waypoint(second, 0, speeds[1], accuracies / 2);
    expect(reaches(from, to, metres - 0.001)).toBe(true);
    expect(reaches(from, to, metres + 0.001)).toBe(false);
  });
});

describe("the pace of a waypoint", () => {
  const paceAfter = (before: number | null, second: number, metres: number) => {
    const frame = seen(second, metres);
    if (!hasPlace(frame)) throw new Error("a frame without a place");
    return waypointAfter({ ...waypoint(0), paceKmh: before }, frame, metres).paceKmh;
  };

  test("is the speed that its leg implies, up to 250 km/h and 120 s", () => {
    expect(waypoint(0).paceKmh).toBeNull();
    expect(paceAfter(null, 10, 100)).toBe(36);
    expect(paceAfter(90, 10, 100)).toBe(36);
    expect(paceAfter(90, 1, 1000)).toBe(250);
    expect(paceAfter(90, 120, 1000)).toBe(30);
    expect(paceAfter(90, 120.001, 1000)).toBeNull();
  });

  test("changes only in part within less than a second", () => {
    expect(paceAfter(90, 0, 0)).toBe(90);
    expect(paceAfter(90, 0.1, 0)).toBe(81);
    expect(paceAfter(null, 0.1, 1)).toBe(36);
  });
});

describe("a spike", () => {
  const spike = (
    [outSecond, outMetres]: readonly [number, number],
    [backSecond, backMetres]: readonly [number, number],
    speeds: readonly (number | null)[] = [],
  ) => {
    const [before, suspect, after] = [
      waypoint(0, 0, speeds[0]),
      waypoint(outSecond, outMetres, speeds[1]),
      waypoint(backSecond, backMetres, speeds[2]),
    ];
    return isSpike(before, suspect, after, metresBetween(suspect, after));
  };

  test("is at least 200 m from both", () => {
    expect(spike([4, 200.001], [8, 0])).toBe(true);
    expect(spike([4, 199.999], [8, 0])).toBe(false);
    expect(spike([4, 200.001], [8, 0.01])).toBe(false);
    expect(spike([4, 200.001], [8, -50])).toBe(true);
    expect(spike([4, 199.999], [8, -50])).toBe(false);
  });

  test("comes back to within a quarter of the longer leg", () => {
    expect(spike([10, 1000], [20, 249.999])).toBe(true);
    expect(spike([10, 1000], [20, 250.001])).toBe(false);
    expect(spike([10, 1000], [20, -333])).toBe(true);
    expect(spike([10, 1000], [20, -334])).toBe(false);
  });

  test("is reached and left at 100 km/h or more", () => {
    expect(spike([36, 1000.001], [72, 0])).toBe(true);
    expect(spike([36, 999.999], [72, 0])).toBe(false);
    expect(spike([36, 1000.001], [72, 0.01])).toBe(false);
    expect(spike([36.001, 1000.001], [72, 0])).toBe(false);
  });

  test.each([
    ["first", [75, 0, 0]],
    ["second", [null, 75, null]],
    ["third", [0, null, 75]],
  ] as const)("is twice as fast as the highest speed reported, here by the %s", (_, speeds) => {
    expect(spike([24, 1000.01], [48, 0], speeds)).toBe(true);
    expect(spike([24, 999.99], [48, 0], speeds)).toBe(false);
    expect(spike([24, 999.99], [48, 0])).toBe(true);
  });

  test("is none after a discontinuity, nor with nothing before it", () => {
    const foothold = (second: number, metres: number, isDiscontinuity: boolean) => {
      return { ...waypoint(second, metres), support: 5, isDiscontinuity };
    };
    const [home, away, back] = [foothold(0, 0, false), foothold(60, 3000, false), waypoint(120)];
    expect(isAnchorSpike({ prev: home, anchor: away, base: null }, back, 3000)).toBe(true);
    expect(isAnchorSpike({ prev: home, anchor: foothold(60, 3000, true), base: null }, back, 3000)).toBe(false);
    expect(isAnchorSpike({ prev: null, anchor: away, base: null }, back, 3000)).toBe(false);
  });
});
