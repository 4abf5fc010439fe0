import { describe, expect, test } from "bun:test";
import type { LatestPosition } from "../../src/portal/both-sides/contract/data.ts";
import { Show, usualUnits } from "../../src/portal/both-sides/reading/show.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import type { ShownMotion } from "../../src/portal/page/common/vehicles/motion.ts";
import { freePart, isInSight, offsetToFree, placesTogether } from "../../src/portal/page/map/layers/camera.ts";
import { arcsOf, isPile } from "../../src/portal/page/map/layers/clusters.ts";
import { drivenLines, longerTrail, type TrailPoint } from "../../src/portal/page/map/layers/trail.ts";
import { lasting } from "../../src/portal/page/map/map-words.ts";

const now = Date.UTC(2026, 10, 15, 12);
const minuteMs = 60_000;
const ago = (ms: number) => new Date(now - ms).toISOString();

describe("how long a vehicle has been as it is", () => {
  const show = new Show("en", en, usualUnits, "UTC");
  const starts = new Map([["trip", ago(45 * minuteMs)]]);
  const words = (motion: ShownMotion, fields: Partial<LatestPosition>) => {
    const position = { recorded_at: ago(0), trip_id: null, ignition_since: null, ...fields } as LatestPosition;
    return lasting({ id: "v", position, motion }, starts, now, show, en.map);
  };

  test("is counted by the trip while it moves, and by the ignition while it does not", () => {
    expect(words("moving", { trip_id: "trip", ignition_since: ago(3 * 3_600_000) })).toBe("driving 45 min");
    expect(words("stopped", { ignition_since: ago(185 * minuteMs) })).toBe("for 3 h 05 min");
    expect(words("stopped", { ignition_since: ago(5 * 86_400_000) })).toBe("for 5 days");
    const stand = new Map([["v", ago(30 * minuteMs)]]);
    const silent = { recorded_at: ago(0), trip_id: null, ignition_since: null } as LatestPosition;
    expect(lasting({ id: "v", position: silent, motion: "stopped" }, stand, now, show, en.map)).toBe("for 30 min");
    // It may have driven since: so nothing is said about how long it has idled.
    expect(words("idling", { ignition_since: ago(20 * minuteMs) })).toBe("engine on 20 min");
  });

  test("is how long it has been silent if it is offline", () => {
    expect(words("offline", { recorded_at: ago(3 * 3_600_000), ignition_since: ago(9_000_000) })).toBe(
      "silent for 3 h 00 min",
    );
  });

  test("is left out where it is not known", () => {
    for (const motion of ["moving", "idling", "stopped"] as const) expect(words(motion, {})).toBeNull();
    expect(words("moving", { trip_id: "another" })).toBeNull();
  });
});

describe("the camera", () => {
  const map = { left: 340, top: 56, right: 1440, bottom: 900 };
  const card = { left: 1104, top: 72, right: 1424, bottom: 600 };

  test("aims at the middle of what the card leaves free", () => {
    expect(freePart(map, card)).toEqual({ ...map, right: 1104 });
    expect(offsetToFree(map, card)).toEqual([-168, 0]);
    expect(offsetToFree(map, null)).toEqual([0, 0]);
  });

  test("leaves a card aside that is under the map, as on a phone", () => {
    const phone = { left: 0, top: 56, right: 390, bottom: 444 };
    expect(offsetToFree(phone, { left: 0, top: 444, right: 390, bottom: 900 })).toEqual([0, 0]);
  });

  test("aims above a card as wide as the map", () => {
    const narrow = { left: 0, top: 0, right: 390, bottom: 800 };
    expect(offsetToFree(narrow, { left: 0, top: 500, right: 390, bottom: 800 })).toEqual([0, -150]);
  });

  test("knows what is under the card, beside it, and beyond the edge", () => {
    const isSeen = (x: number, y: number) => isInSight(map, card, { x: x - map.left, y: y - map.top });
    expect([isSeen(700, 400), isSeen(1200, 400), isSeen(1090, 400), isSeen(1200, 700)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect([isSeen(350, 400), isSeen(300, 400), isSeen(700, 890)]).toEqual([false, false, false]);
  });
});

describe("a trail", () => {
  const point = (agoMs: number, longitude: number, fields: Partial<TrailPoint> = {}): TrailPoint => ({
    recorded_at: ago(agoMs),
    latitude: 53,
    longitude,
    discontinuity: false,
    ...fields,
  });

  test("grows by what is newer, and loses what is older than an hour", () => {
    const before = [point(61 * minuteMs, 1), point(30 * minuteMs, 2), point(2 * minuteMs, 3)];
    const longer = longerTrail(before, [point(2 * minuteMs, 3), point(0, 4)]);
    expect(longer.map(({ longitude }) => longitude)).toEqual([2, 3, 4]);
    expect(longerTrail([], [])).toEqual([]);
  });

  test("is one line, or several where the vehicle was carried, and a single point is no line", () => {
    const lines = (points: TrailPoint[]) => drivenLines(points).map((line) => line.map(([longitude]) => longitude));
    expect(lines([point(3, 1), point(2, 2), point(1, 3)])).toEqual([[1, 2, 3]]);
    const carried = { discontinuity: true };
    expect(lines([point(4, 1), point(3, 2), point(2, 8, carried), point(1, 9), point(0, 20, carried)])).toEqual([
      [1, 2],
      [8, 9],
    ]);
    expect(lines([point(1, 1), point(0, 2, { latitude: null })])).toEqual([]);
  });
});

test("vehicles in one yard are a pile, those across the street are not", () => {
  const at = (metresEast: number) => ({ latitude: 53, longitude: 10 + metresEast / 67_000 });
  expect(isPile([at(0), at(0), at(0)])).toBe(true);
  expect(isPile([at(0), at(20)])).toBe(true);
  expect(isPile([at(0), at(20), at(40)])).toBe(false);
});

test("the ring of a cluster has an arc for each state in it, however few are in it", () => {
  expect(arcsOf([12, 0, 0, 0])).toEqual([{ motion: "moving", from: 0, to: 1 }]);
  const arcs = arcsOf([1, 0, 11, 1]);
  expect(arcs.map(({ motion }) => motion)).toEqual(["moving", "stopped", "offline"]);
  expect(arcs.at(-1)?.to).toBeCloseTo(1, 9);
  expect(arcsOf([0, 0, 0, 0])).toEqual([]);
});

describe("the first view of a fleet", () => {
  const near = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ latitude: 52.5 + (index % 4) / 50, longitude: 13.4 + index / 100 }));
  const spain = { latitude: 37, longitude: -1 };

  test("leaves out a vehicle far from all others, of a few as of many", () => {
    for (const count of [4, 11, 39, 400]) {
      expect(placesTogether([...near(count), spain, { latitude: null, longitude: null }])).toEqual(near(count));
    }
  });

  test("has all of a fleet that is spread out, and of one or two vehicles", () => {
    const spread = Array.from({ length: 20 }, (_, index) => ({ latitude: 40 + index / 2, longitude: index }));
    expect(placesTogether(spread)).toEqual(spread);
    expect(placesTogether([spain])).toEqual([spain]);
    expect(placesTogether([spain, ...near(1)])).toEqual([spain, ...near(1)]);
    expect(placesTogether([])).toEqual([]);
  });
});
