import { describe, expect, test } from "bun:test";
import { metresBetween } from "../../src/domain/geometry/distance.ts";
import { believedSpeedKmh } from "../../src/domain/quality/believed-speed.ts";
import { isAnchorSpike } from "../../src/domain/quality/footing.ts";
import { hasPlace } from "../../src/domain/quality/own-verdict.ts";
import { reaches } from "../../src/domain/quality/reach.ts";
import { isSpike } from "../../src/domain/quality/spike.ts";
import { waypointAfter } from "../../src/domain/quality/waypoint.ts";
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
    ["of twice what its leg implies and 30 km/h is believed", 50, 120, 1000 / 3, null, true],
    ["above that is not", 50.01, 120, 1000 / 3, null, false],
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
  const rows: readonly (readonly [string, number, number, number | null, number | null, number])[] = [
    // what, seconds, metres that are just reached, speeds, both accuracies in all
    ["at 250 km/h and 100 m more", 36, 2600, null, null, 0],
    ["with the accuracies of both added", 36, 2650, null, null, 50],
    ["at 250 km/h if only one says its speed", 36, 2600, 10, null, 0],
    ["at 250 km/h if only the other says its speed", 36, 2600, null, 10, 0],
    ["at 80 km/h above the speed of the faster one", 36, 1100, 0, 20, 0],
    ["at 80 km/h above its own speed if it is the faster one", 36, 1100, 20, 0, 0],
    ["with no accuracies added where the speeds are known", 36, 1100, 20, 0, 300],
    ["by the speeds up to 60 s", 60, 80_000 / 60 + 100, 0, 0, 0],
    ["at 250 km/h beyond 60 s, whatever the speeds", 72, 5100, 0, 0, 0],
    ["at 250 km/h where the speeds would allow more", 36, 2600, 250, 250, 0],
    ["within 100 m in no time", 0, 100, null, null, 0],
    ["within 100 m and the accuracies in no time", 0, 150, null, null, 50],
    ["within 100 m in no time where the speeds are known", 0, 100, 50, 50, 50],
  ];
  test.each(rows)("%s", (_, second, metres, speed, speedAfter, accuracies) => {
    const from = waypoint(0, 0, speed, accuracies / 2);
    const to = waypoint(second, 0, speedAfter, accuracies / 2);
    expect(reaches(from, to, metres)).toBe(true);
    expect(reaches(from, to, metres - 0.001)).toBe(true);
    expect(reaches(from, to, metres + 0.001)).toBe(false);
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
    const foothold = (second: number, metres: number, isElsewhere: boolean) => {
      return { ...waypoint(second, metres), isAlone: false, isElsewhere };
    };
    const [home, away, back] = [foothold(0, 0, false), foothold(60, 3000, false), waypoint(120)];
    expect(isAnchorSpike({ prev: home, anchor: away }, back, 3000)).toBe(true);
    expect(isAnchorSpike({ prev: home, anchor: foothold(60, 3000, true) }, back, 3000)).toBe(false);
    expect(isAnchorSpike({ prev: null, anchor: away }, back, 3000)).toBe(false);
  });
});
